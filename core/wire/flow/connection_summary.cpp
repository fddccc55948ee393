// The summary that CaptureConnection makes of itself.
#include <algorithm>

#include "core/wire/flow/capture_connection.h"
#include "core/wire/flow/rtt_summary.h"
#include "core/wire/flow/vantage.h"

namespace tcpscope {

namespace {

/// How little a port looks like a service's.
int rankOf(std::uint16_t port) {
  constexpr std::uint16_t kFirstUnprivileged = 1024;
  constexpr std::uint16_t kFirstEphemeral = 32'768;
  if (port < kFirstUnprivileged) return 0;
  return port < kFirstEphemeral ? 1 : 2;
}

/// An end that sends a message now and then echoes the timestamp of the last acknowledgment with the next one: its own
/// silence, and no RTT. How long the path is at most shows in data and its acknowledgments, on both sides of the
/// capture point.
void dropWaitsOfTheEnds(std::array<DirectionSummary, 2>& directions) {
  constexpr int kLongQueue = 4;
  if (!directions[0].rtt || !directions[1].rtt) return;
  const Nanoseconds path = directions[0].rtt->median + directions[1].rtt->median;
  for (DirectionSummary& one : directions) {
    if (one.timestampRtt && one.timestampRtt->min > kLongQueue * path) one.timestampRtt.reset();
  }
}

}  // namespace

CopyEvidence CaptureConnection::copyEvidence(const PacketSample& packet, FlowSide side) const {
  CopyEvidence evidence;
  if (m_sides[0].answerDelay && m_sides[1].answerDelay) {
    evidence.rtt = *m_sides[0].answerDelay + *m_sides[1].answerDelay;
  }
  const bool isAlone = packet.payloadBytes == 0 && (packet.flags.bits & 0x07) == 0;
  evidence.repeatsAcknowledgment = isAlone && m_sides[side].window.isNewest(packet.acknowledgment);
  return evidence;
}

PacketLikeness CaptureConnection::likenessToSent(const PacketSample& packet, FlowSide side,
                                                 const CopyEvidence& evidence) const {
  const auto numbers = packet.payloadBytes + (packet.flags.syn() ? 1U : 0U) + (packet.flags.fin() ? 1U : 0U);
  if (numbers == 0 || packet.flags.rst()) return PacketLikeness::none;
  ReadOptions options;
  readOptions(packet, options);
  const std::uint32_t timestamp = options.timestamps ? options.timestamps->value : 0;
  const auto sentAt = m_sides[side].transmission.sentAt(packet.sequence, numbers, timestamp);
  const auto likeness = sentAt ? likenessByTime(*sentAt, packet.time, evidence.rtt) : PacketLikeness::none;
  // Its identification would decide, but that of the other packet is not kept.
  return likeness == PacketLikeness::copy && timestamp == 0 ? PacketLikeness::undecided : likeness;
}

bool CaptureConnection::isForSuccessor(const PacketSample& syn, FlowSide side) const {
  const TransmissionTracker& own = m_sides[side].transmission;
  const TransmissionTracker& other = m_sides[1 - side].transmission;
  const auto initial = own.initialSequence();
  if (initial && *initial == syn.sequence) return false;
  if (syn.flags.ack()) {
    // The answer to this connection's own SYN.
    const auto otherInitial = other.initialSequence();
    if (otherInitial && *otherInitial + 1 == syn.acknowledgment) return false;
  }
  if (!initial && !own.isStarted()) {
    const auto expected = own.acknowledged();
    return expected && *expected != syn.sequence + 1;
  }
  return true;
}

FlowSide CaptureConnection::initiator() const {
  if (m_synSide) return *m_synSide;
  return rankOf(m_endpoints[0].port) < rankOf(m_endpoints[1].port) ? FlowSide{1} : FlowSide{0};
}

Vantage CaptureConnection::vantage() const {
  const auto uniqueOf = [this](FlowSide side) { return m_sides[side].transmission.counts.unique; };
  const FlowSide sender = uniqueOf(0) >= uniqueOf(1) ? FlowSide{0} : FlowSide{1};
  const auto receiver = static_cast<FlowSide>(1 - sender);
  const TransmissionTracker& bulk = m_sides[sender].transmission;
  return vantageOf({m_sides[sender].answerDelay, m_sides[receiver].answerDelay, bulk.counts.filledHolePackets.value(),
                    bulk.lossesBehind()});
}

std::optional<std::uint8_t> CaptureConnection::windowScale(FlowSide side) const {
  constexpr std::uint8_t kLargest = 14;
  const auto& own = m_sides[side].offered;
  const auto& other = m_sides[1 - side].offered;
  const bool isRefused =
      (own && !own->windowScale && !own->mayBeIncomplete) || (other && !other->windowScale && !other->mayBeIncomplete);
  if (own && own->windowScale) {
    // The answer carries a scale only if the SYN did.
    const bool isAnswer = m_synSide && *m_synSide != side;
    if (isAnswer || (other && other->windowScale)) return std::min(*own->windowScale, kLargest);
  }
  if (isRefused && (own || other)) return std::uint8_t{0};
  return m_sides[side].suppliedScale;
}

std::optional<std::uint64_t> CaptureConnection::advertisedWindow(FlowSide side) const {
  const auto newest = m_sides[side].window.newest();
  if (!newest) return m_sides[side].synWindow;
  const auto scale = windowScale(side);
  if (!scale && *newest > 0) return std::nullopt;
  return std::uint64_t{*newest} << scale.value_or(0);
}

std::optional<Nanoseconds> CaptureConnection::handshakeRtt() const {
  const bool isWhole = m_sides[0].offered && m_sides[1].offered && m_synTime != WallTime() &&
                       m_handshakeEnd != WallTime() && m_handshakeEnd >= m_synTime;
  return isWhole ? std::optional(m_handshakeEnd - m_synTime) : std::nullopt;
}

std::optional<Nanoseconds> CaptureConnection::connectTime() const {
  // A clock that was set back in between shows nothing.
  const bool isKnown = m_beginsWithSyn && handshakeRtt() && m_handshakeEnd >= m_firstTime;
  return isKnown ? std::optional(m_handshakeEnd - m_firstTime) : std::nullopt;
}

std::optional<Nanoseconds> CaptureConnection::firstByteTime(const DirectionSummary& responder) const {
  const bool isKnown =
      connectTime() && responder.firstData && *responder.firstData >= m_firstTime && !responder.isPartial();
  return isKnown ? std::optional(*responder.firstData - m_firstTime) : std::nullopt;
}

DirectionSummary CaptureConnection::directionSummary(FlowSide side) const {
  const End& end = m_sides[side];
  DirectionSummary summary;
  end.transmission.summarize(summary);
  summary.received = end.window.counts;
  summary.copies = Count(m_copies[side]);
  summary.undecidedCopies = Count(m_undecidedCopies[side]);
  summary.earlyAcknowledgments = Count(m_earlyAcknowledgments[side]);
  summary.unansweredRetransmissions = Count(end.unansweredRetransmissions);
  summary.unansweredKeepAlives = Count(end.unansweredKeepAlives);
  summary.unansweredWindowProbes = Count(end.unansweredWindowProbes);
  if (end.isWaiting) summary.waitsSince = end.waitsSince;
  if (end.transmission.counts.packets > Count(0)) summary.lastTime = end.lastTime;
  summary.offered = end.offered;
  summary.windowScale = windowScale(side);
  summary.timestampRtt = summaryOf(end.timestampRtts);
  if (!summary.windowScale) return summary;
  const std::uint8_t scale = *summary.windowScale;
  if (const auto smallest = end.window.smallest()) summary.windowMin = Bytes(std::uint64_t{*smallest} << scale);
  if (const auto largest = end.window.largest()) summary.windowMax = Bytes(std::uint64_t{*largest} << scale);
  return summary;
}

void CaptureConnection::dropRateOfOneFlight(FlowSide side, DirectionSummary& direction) const {
  const Nanoseconds rtt =
      m_sides[0].answerDelay.value_or(Nanoseconds::zero()) + m_sides[1].answerDelay.value_or(Nanoseconds::zero());
  if (direction.isPartial() || m_sides[side].transmission.sendingSpan() >= rtt) return;
  direction.goodput.reset();
  direction.throughput.reset();
}

ConnectionSummary CaptureConnection::summary() const {
  const FlowSide first = initiator();
  const auto second = static_cast<FlowSide>(1 - first);
  ConnectionSummary summary;
  summary.initiator = m_endpoints[first];
  summary.responder = m_endpoints[second];
  summary.firstTime = m_firstTime;
  summary.lastTime = m_lastTime;
  summary.handshakeSeen = m_sides[0].offered && m_sides[1].offered;
  summary.initiatorIsSure = m_synSide.has_value();
  summary.handshakeRtt = handshakeRtt();
  summary.timeSteps = Count(m_timeSteps);
  summary.directions = {directionSummary(first), directionSummary(second)};
  dropWaitsOfTheEnds(summary.directions);
  dropRateOfOneFlight(first, summary.directions[0]);
  dropRateOfOneFlight(second, summary.directions[1]);
  summary.connectTime = connectTime();
  summary.firstByteTime = firstByteTime(summary.directions[1]);
  // Where most is missing, the acknowledgments that were kept answer other packets than those that were.
  const bool isPartial = summary.directions[0].isPartial() || summary.directions[1].isPartial();
  summary.vantage = isPartial ? Vantage::unknown : vantage();
  return summary;
}

}  // namespace tcpscope
