#include "core/session/capture/capture_analysis.h"

#include <algorithm>
#include <utility>

#include "core/diagnosis/evidence/confidence.h"

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

/// Of a connection: its keys and places in the lists, and what the allocator needs beside it.
constexpr std::size_t kEntryBytes = 192;

/// See ConnectionAnalysis::bulk.
std::size_t judgedDirection(const ConnectionAnalysis& analysis) {
  constexpr std::uint64_t kAboutAsMuch = 2;
  const std::size_t bulk = bulkDirection(analysis.flow);
  const auto bytes = [&](std::size_t direction) { return analysis.flow.directions[direction].sent.unique.value(); };
  const auto verdict = [&](std::size_t direction) -> const Verdict& {
    return analysis.directions[direction].diagnosis.verdict;
  };
  const Verdict& other = verdict(1 - bulk);
  const bool isAnswer =
      other.limit != Limit::unknown && other.limit != Limit::idle && other.confidenceRatio >= kConfident;
  const bool isMissing = verdict(bulk).limit == Limit::unknown || verdict(bulk).limit == Limit::idle;
  return isMissing && isAnswer && bytes(1 - bulk) * kAboutAsMuch >= bytes(bulk) ? 1 - bulk : bulk;
}

CapturedEnds endsOf(const std::array<Endpoint, 2>& ends, FlowSide initiator) {
  return {ends[initiator], ends[1 - initiator]};
}

}  // namespace

FlowPacket CaptureAnalysis::take(const PacketSample& packet) {
  if (isFull()) [[unlikely]] {
    ++m_packetsBeyondMemory;
    return {};
  }
  return m_correctsOrder ? takeInOrder(packet) : takeNow(packet, nullptr);
}

FlowPacket CaptureAnalysis::takeInOrder(const PacketSample& packet) {
  if (!m_waiting.isEmpty()) [[unlikely]] {
    // A SYN may open another connection between the same ports.
    while (const auto late = packet.flags.syn() ? m_waiting.releaseOldest() : m_waiting.releaseOverdue(packet.time)) {
      takeLate(*late);
    }
  }
  const FlowPacket taken = takeNow(packet, &m_waiting);
  if (taken.isEarly) [[unlikely]] {
    if (taken.likeness == PacketLikeness::undecided) note(taken.index, LoggedKind::undecidedEarly, taken.side);
    m_waiting.hold(packet, {taken.index, taken.side, taken.connection->isEarly(packet, taken.side),
                            taken.connection->acknowledgesBeyond(packet, taken.side)});
  } else if (!m_waiting.isEmpty() && taken.connection != nullptr) [[unlikely]] {
    releaseReady(taken.index, static_cast<FlowSide>(1 - taken.side), packet.time);
  }
  return taken;
}

FlowPacket CaptureAnalysis::takeNow(const PacketSample& packet, const EarlyAcknowledgments* waiting) {
  if (!m_flows.locate(packet)) return {};
  if (packet.flags.syn() && opensAnother(packet) && !m_flows.beginSuccessor()) [[unlikely]]
    return {};
  bool isLogged = logs(packet);
  if (!isLogged && m_flows.isForSuccessor(packet)) [[unlikely]] {
    if (!m_flows.beginSuccessor()) return {};
    isLogged = logs(packet);
  }
  if (isLogged) return {{nullptr, m_flows.index(), m_flows.side()}, {}};
  const JudgedPacket judged = m_flows.judge(packet, waiting);
  if (judged.isCopy()) [[unlikely]] {
    note(judged.index, LoggedKind::copy, judged.side);
    return {judged, {}};
  }
  if (judged.isEarly) [[unlikely]] {
    return {judged, {}};
  }
  return followPacket(packet, judged);
}

bool CaptureAnalysis::opensAnother(const PacketSample& packet) const {
  if (m_flows.index() == m_kept.size() || m_flows.side() != 0 || packet.flags.ack()) return false;
  const KeptConnection& kept = m_kept[m_flows.index()];
  if (kept.followers || (kept.packed && kept.packed->isFollowed)) return false;
  LoggedPackets log = kept.packed ? LoggedPackets(kept.packed->bytes, kept.packed->ends)
                                  : LoggedPackets(kept.log->bytes(), kept.log->ends());
  log.next();
  return log.packet().sequence != packet.sequence;
}

bool CaptureAnalysis::logs(const PacketSample& packet) {
  const std::uint32_t index = m_flows.index();
  if (index == m_kept.size()) [[unlikely]] {
    m_kept.emplace_back();
  }
  KeptConnection& kept = m_kept[index];
  kept.isRecent = true;
  if (kept.followers) [[likely]] {
    return false;
  }
  if (!kept.log) openLog(index, packet);
  if (kept.followers) return false;
  if (!kept.log || !kept.log->carriesOn(packet, m_flows.side())) {
    follow(index, packet);
    return false;
  }
  m_flows.remember(packet);
  kept.log->add(packet, m_flows.side(), LoggedKind::packet);
  if (!kept.log->isFull()) return true;
  follow(index, packet);
  closeLogIfFull(kept);
  return true;
}

void CaptureAnalysis::openLog(std::uint32_t index, const PacketSample& packet) {
  if (m_mostUnpacked == kAll || m_keepsSeries) return;
  KeptConnection& kept = m_kept[index];
  const std::unique_ptr<PackedLog> packed = std::move(kept.packed);
  kept.log = packed ? std::make_unique<PacketLog>(packed->ends, packed->bytes)
                    : std::make_unique<PacketLog>(std::array{packet.source, packet.destination});
  count(index);
  noteUnpacked(index);
  if (packed && packed->isFollowed) follow(index, packet);
}

void CaptureAnalysis::closeLogIfFull(KeptConnection& kept) {
  if (kept.log->isFull()) kept.log.reset();
}

void CaptureAnalysis::follow(std::uint32_t index, const PacketSample& packet) {
  KeptConnection& kept = m_kept[index];
  FollowedConnection followed = kept.log && !kept.log->isEmpty()
                                    ? FollowedConnection::fromLog(kept.log->ends(), kept.log->bytes())
                                    : FollowedConnection::begin({packet.source, packet.destination}, packet.time);
  if (m_keepsSeries) followed.followers->keepSeries();
  m_flows.place(index, std::move(followed.connection));
  kept.followers = std::move(followed.followers);
  count(index);
}

FlowPacket CaptureAnalysis::followPacket(const PacketSample& packet, JudgedPacket judged) {
  KeptConnection& kept = m_kept[judged.index];
  if (kept.log) [[unlikely]] {
    const bool isUndecided = judged.likeness == PacketLikeness::undecided;
    kept.log->add(packet, judged.side, isUndecided ? LoggedKind::undecidedCopy : LoggedKind::packet);
    closeLogIfFull(kept);
  }
  const FlowPacket taken = kept.followers->take(packet, judged);
  // The last packets of a connection give memory back.
  const bool isDue = kept.followers->countIsDue();
  if (isDue || packet.flags.fin() || packet.flags.rst()) [[unlikely]] {
    count(judged.index);
  }
  return taken;
}

void CaptureAnalysis::note(std::uint32_t index, LoggedKind kind, FlowSide side) {
  KeptConnection& kept = m_kept[index];
  if (!kept.log) return;
  kept.log->note(kind, side);
  closeLogIfFull(kept);
}

void CaptureAnalysis::noteVainWait(std::uint32_t index, FlowSide side) {
  m_flows.connections()[index]->noteVainWait();
  note(index, LoggedKind::vainWait, side);
}

void CaptureAnalysis::finish() {
  while (const auto late = m_waiting.releaseOldest()) takeLate(*late);
}

void CaptureAnalysis::takeLate(const EarlyAcknowledgments::Packet& packet) {
  const PacketSample sample = packet.view();
  if (m_flows.connections()[packet.connection]->isEarly(sample, packet.side)) {
    noteVainWait(packet.connection, packet.side);
  }
  takeNow(sample, nullptr);
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
    if (isInVain) noteVainWait(index, side);
    if (!isInVain && packet.isEarly) sample.time = std::max(sample.time, time);
    const FlowPacket taken = takeNow(sample, nullptr);
    if (!isInVain && packet.isEarly && !taken.isCopy()) {
      connection.noteEarly(side);
      note(index, LoggedKind::early, side);
    }
    // What carries data may itself have been waited for.
    if (sample.payloadBytes > 0) releaseReady(index, static_cast<FlowSide>(1 - side), time);
  }
}

void CaptureAnalysis::noteUnpacked(std::uint32_t index) {
  // What waits belongs to connections that are followed.
  if (m_unpacked.size() < m_mostUnpacked || !m_waiting.isEmpty()) {
    m_unpacked.push_back(index);
    return;
  }
  while (true) {
    std::uint32_t& place = m_unpacked[m_turn];
    m_turn = (m_turn + 1) % m_unpacked.size();
    KeptConnection& kept = m_kept[place];
    // Its packets may be many by now.
    const bool hasLog = kept.log != nullptr;
    if (hasLog && std::exchange(kept.isRecent, false)) continue;
    if (hasLog) pack(place);
    place = index;
    return;
  }
}

void CaptureAnalysis::pack(std::uint32_t index) {
  KeptConnection& kept = m_kept[index];
  kept.packed = std::make_unique<PackedLog>();
  kept.packed->ends = kept.log->ends();
  kept.packed->bytes.assign(kept.log->bytes().begin(), kept.log->bytes().end());
  kept.log.reset();
  if (const std::unique_ptr<CaptureConnection> connection = m_flows.release(index)) {
    kept.packed->initiator = connection->initiator();
    kept.packed->isFollowed = true;
    kept.followers.reset();
  }
  count(index);
}

void CaptureAnalysis::count(std::uint32_t index) {
  const std::size_t bytes = kEntryBytes + bytesOf(index);
  m_bytes += bytes - m_kept[index].countedBytes;
  m_kept[index].countedBytes = bytes;
}

std::size_t CaptureAnalysis::bytesOf(std::size_t index) const {
  const KeptConnection& kept = m_kept[index];
  std::size_t bytes = kept.log ? PacketLog::residentBytes() : 0;
  if (kept.packed) bytes += sizeof *kept.packed + kept.packed->bytes.capacity();
  if (!kept.followers) return bytes;
  const CaptureConnection& connection = *m_flows.connections()[index];
  return bytes + sizeof connection + connection.residentBytes() + sizeof *kept.followers +
         kept.followers->residentBytes();
}

std::size_t CaptureAnalysis::residentBytes() const {
  std::size_t bytes = 0;
  for (std::size_t index = 0; index < m_kept.size(); ++index) bytes += bytesOf(index);
  return bytes;
}

std::unique_ptr<PacketSeries> CaptureAnalysis::releaseSeries(std::size_t index) {
  std::unique_ptr<PacketSeries> series = m_kept[index].followers->releaseSeries();
  if (series) series->finish(*m_flows.connections()[index]);
  return series;
}

CapturedEnds CaptureAnalysis::ends(std::size_t index) const {
  const KeptConnection& kept = m_kept[index];
  if (kept.packed) return endsOf(kept.packed->ends, kept.packed->initiator);
  // A log that was never followed begins with a SYN.
  if (!kept.followers) return endsOf(kept.log->ends(), 0);
  const CaptureConnection& connection = *m_flows.connections()[index];
  return endsOf({connection.endpoint(0), connection.endpoint(1)}, connection.initiator());
}

ConnectionAnalysis CaptureAnalysis::connection(std::size_t index, WithHistory history) const {
  const KeptConnection& kept = m_kept[index];
  if (kept.followers) return analyse(*m_flows.connections()[index], *kept.followers, history);
  const FollowedConnection followed = kept.packed ? FollowedConnection::fromLog(kept.packed->ends, kept.packed->bytes)
                                                  : FollowedConnection::fromLog(kept.log->ends(), kept.log->bytes());
  return analyse(*followed.connection, *followed.followers, history);
}

ConnectionAnalysis CaptureAnalysis::analyse(const CaptureConnection& connection, const ConnectionFollowers& followers,
                                            WithHistory history) const {
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
  analysis.bulk = judgedDirection(analysis);
  return analysis;
}

}  // namespace tcpscope
