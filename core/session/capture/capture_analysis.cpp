#include "core/session/capture/capture_analysis.h"

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
  const FlowPacket taken = m_flows.take(packet);
  if (taken.connection == nullptr) return taken;
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

ConnectionAnalysis CaptureAnalysis::connection(std::size_t index) const {
  const CaptureConnection& connection = *m_flows.connections()[index];
  const ConnectionFollowers& followers = *m_followers[index];
  ConnectionAnalysis analysis;
  analysis.flow = connection.summary();
  const FlowSide initiator = connection.initiator();
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
    const auto side = static_cast<FlowSide>(direction == 0 ? initiator : 1 - initiator);
    DirectionAnalysis& one = analysis.directions[direction];
    one.loss = followers.losses(side).summarize(pathRtt(analysis.flow, direction), spreadOf(analysis.flow, direction));
    const bool mayMissPackets = m_hasDrops || analysis.flow.directions[direction].isPartial();
    one.diagnosis = diagnoseWire(analysis.flow, direction, followers.limits(side),
                                 mayMissPackets ? Cause::unknown : causeOf(one.loss.verdict));
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
