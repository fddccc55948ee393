#include "core/session/capture/capture_analysis.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Of RTTs that include the queues on the path: at the receiver they end before any.
std::optional<RttSpread> spreadOf(const ConnectionSummary& flow, std::size_t direction) {
  const auto& rtt = flow.directions[direction].rtt;
  if (!rtt || isCapturedAtSender(flow, 1 - direction)) return std::nullopt;
  return RttSpread{rtt->min, rtt->median};
}

/// As for a capture that itself shows that packets are missing from it.
constexpr double kDoubt = 0.75;

void lowerConfidence(DirectionAnalysis& direction) {
  direction.diagnosis.verdict.confidenceRatio *= kDoubt;
  for (Finding& finding : direction.diagnosis.findings) finding.confidenceRatio *= kDoubt;
  BurstVerdict& bursts = direction.loss.verdict;
  if (bursts.cause == BurstCause::unknown) return;
  bursts.candidates = {bursts.cause};
  bursts.cause = BurstCause::unknown;
  bursts.confidenceRatio = 0.0;
}

}  // namespace

FlowPacket CaptureAnalysis::take(const PacketSample& packet) {
  if (isFull()) [[unlikely]] {
    ++m_packetsBeyondMemory;
    return {};
  }
  if (!m_correctsOrder) return follow(packet, m_flows.take(packet));
  if (!m_waiting.isEmpty()) [[unlikely]] {
    // A SYN may open another connection between the same ports.
    while (const auto late = packet.flags.syn() ? m_waiting.releaseOldest() : m_waiting.releaseOverdue(packet.time)) {
      takeLate(*late);
    }
  }
  const FlowPacket taken = follow(packet, m_flows.take(packet, &m_waiting));
  if (taken.role.isEarly) [[unlikely]] {
    m_waiting.hold(packet, {taken.index, taken.side, taken.connection->isEarly(packet, taken.side),
                            taken.connection->acknowledgesBeyond(packet, taken.side)});
  } else if (!m_waiting.isEmpty() && taken.connection != nullptr) [[unlikely]] {
    releaseReady(taken.index, static_cast<FlowSide>(1 - taken.side), packet.time);
  }
  return taken;
}

void CaptureAnalysis::finish() {
  while (const auto late = m_waiting.releaseOldest()) takeLate(*late);
}

void CaptureAnalysis::takeLate(const EarlyAcknowledgments::Packet& packet) {
  CaptureConnection& connection = *m_flows.connections()[packet.connection];
  const PacketSample sample = packet.view();
  if (connection.isEarly(sample, packet.side)) connection.noteVainWait();
  follow(sample, m_flows.take(sample));
  releaseReady(packet.connection, packet.side, sample.time);
}

void CaptureAnalysis::releaseReady(std::uint32_t index, FlowSide side, WallTime time) {
  CaptureConnection& connection = *m_flows.connections()[index];
  while (const EarlyAcknowledgments::Packet* const oldest = m_waiting.oldestOf(index, side)) {
    const bool isEarly = connection.isEarly(oldest->view(), side);
    const bool isInVain = isEarly && oldest->isBeyond && !connection.acknowledgesBeyond(oldest->view(), side);
    if (isEarly && !isInVain) return;
    const EarlyAcknowledgments::Packet packet = m_waiting.releaseOldestOf(index, side);
    PacketSample sample = packet.view();
    if (isInVain) connection.noteVainWait();
    if (!isInVain && packet.isEarly) sample.time = std::max(sample.time, time);
    const FlowPacket taken = follow(sample, m_flows.take(sample));
    if (!isInVain && packet.isEarly && !taken.role.isCopy) connection.noteEarly(side);
    // What carries data may itself have been waited for.
    if (sample.payloadBytes > 0) releaseReady(index, static_cast<FlowSide>(1 - side), time);
  }
}

FlowPacket CaptureAnalysis::follow(const PacketSample& packet, const FlowPacket& taken) {
  if (taken.connection == nullptr || taken.role.isEarly) return taken;
  if (m_last == nullptr || taken.index != m_lastIndex) [[unlikely]] {
    m_last = &followersOf(taken.index);
    m_lastIndex = taken.index;
  }
  m_last->take(packet, taken);
  // The last packets of a connection give memory back.
  const bool isDue = m_last->countIsDue();
  if (isDue || packet.flags.fin() || packet.flags.rst()) [[unlikely]] {
    count(*taken.connection, *m_last);
  }
  return taken;
}

void CaptureAnalysis::count(const CaptureConnection& connection, ConnectionFollowers& followers) {
  // Its keys and places in the lists, and what the allocator needs beside it.
  constexpr std::size_t kEntries = 192;
  const std::size_t bytes =
      kEntries + sizeof connection + connection.residentBytes() + sizeof followers + followers.residentBytes();
  m_bytes += bytes - followers.countedBytes;
  followers.countedBytes = bytes;
}

ConnectionFollowers& CaptureAnalysis::followersOf(std::uint32_t index) {
  while (m_followers.size() <= index) {
    m_followers.push_back(std::make_unique<ConnectionFollowers>());
    if (m_keepsSeries) m_followers.back()->keepSeries();
  }
  return *m_followers[index];
}

std::unique_ptr<PacketSeries> CaptureAnalysis::releaseSeries(std::size_t index) {
  std::unique_ptr<PacketSeries> series = m_followers[index]->releaseSeries();
  if (series) series->finish(*m_flows.connections()[index]);
  return series;
}

ConnectionAnalysis CaptureAnalysis::connection(std::size_t index, WithHistory history) const {
  const CaptureConnection& connection = *m_flows.connections()[index];
  const ConnectionFollowers& followers = *m_followers[index];
  ConnectionAnalysis analysis;
  analysis.flow = connection.summary();
  const FlowSide initiator = connection.initiator();
  const bool isWhole = !analysis.flow.directions[0].isPartial() && !analysis.flow.directions[1].isPartial();
  if (isWhole) analysis.exchanges = followers.exchanges().summary(connection);
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
    const auto side = static_cast<FlowSide>(direction == 0 ? initiator : 1 - initiator);
    DirectionAnalysis& one = analysis.directions[direction];
    one.loss = followers.losses(side).summarize(pathRtt(analysis.flow, direction), spreadOf(analysis.flow, direction));
    const bool mayMissPackets = m_hasDrops || analysis.flow.directions[direction].isPartial();
    one.diagnosis = diagnoseWire(analysis.flow, direction, followers.limits(side),
                                 mayMissPackets ? Cause::unknown : causeOf(one.loss.verdict),
                                 analysis.exchanges ? &*analysis.exchanges : nullptr, history);
    if (mayMissPackets) lowerConfidence(one);
  }
  analysis.bulk = bulkDirection(analysis.flow);
  return analysis;
}

std::size_t CaptureAnalysis::residentBytes() const {
  std::size_t bytes = 0;
  for (const auto& connection : m_flows.connections()) bytes += sizeof(CaptureConnection) + connection->residentBytes();
  for (const auto& followers : m_followers) bytes += sizeof(ConnectionFollowers) + followers->residentBytes();
  return bytes;
}

}  // namespace tcpscope
