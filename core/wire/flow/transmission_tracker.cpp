#include "core/wire/flow/transmission_tracker.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Without an RTT to compare with: what Wireshark takes for out of order, too.
constexpr Nanoseconds kOutOfOrderSpan = std::chrono::milliseconds(3);
/// A run of so many segments that lie a window away is no attack but a capture that missed more than a window.
constexpr std::uint8_t kStraysToBelieve = 4;
/// More packets are not supposed in one hole: it is the capture then that misses them.
constexpr std::uint64_t kMaxMissingPackets = 512;

}  // namespace

SegmentRole TransmissionTracker::takeSegment(const SentSegment& segment, const PathView& path) {
  if (!m_isStarted) start(segment);
  const StreamOffset begin = unwrap(segment.sequence, m_highest);
  const std::uint64_t numbers = std::uint64_t{segment.payloadBytes} + (segment.syn ? 1U : 0U) + (segment.fin ? 1U : 0U);
  if (numbers == 0) return takeBare(begin, path);
  const SequenceRange range{begin, begin + numbers};
  if (begin == m_highest && !(path.windowIsClosed && isProbe(segment, begin))) [[likely]] {
    return takeNew(segment, range, path);
  }
  const std::uint64_t distance = begin > m_highest ? begin - m_highest : m_highest - begin;
  if (distance > kLargestWindowBytes && ++m_straysInARow < kStraysToBelieve) {
    return takeStray(range, segment.payloadBytes);
  }
  m_straysInARow = 0;
  if (isProbe(segment, begin)) return takeProbe(range, path);
  m_segmentBytes = path.segmentBytes;
  if (begin < m_highest) return takeOld(segment, range, path);
  if (followsTimeout(segment, path)) m_timeoutUntil = std::max(m_timeoutUntil, begin);
  openHole(begin, segment);
  return takeNew(segment, range, path);
}

bool TransmissionTracker::acknowledgesUnseen(std::uint32_t number) const {
  if (!m_isStarted || !m_knowsAcknowledged) return false;
  const StreamOffset acknowledged = unwrap(number, m_acknowledged);
  if (acknowledged > m_highest) return acknowledged - m_highest <= kLargestWindowBytes;
  // What lies before the first that was seen is not awaited.
  const SequenceRange news{std::max(m_acknowledged, m_first), acknowledged};
  return !m_holes.isEmpty() && !news.isEmpty() && m_holes.find(news) != nullptr;
}

/// A tail that was lost before the capture point, and a timeout: the first of it comes after the silence as if it were
/// new, alone; what is sent when that is acknowledged (RFC 5682) leaves a hole in which the rest of the tail was.
bool TransmissionTracker::followsTimeout(const SentSegment& segment, const PathView& path) const {
  const auto smoothed = m_estimator.smoothed();
  if (!smoothed || m_acknowledged != m_highest) return false;
  const Nanoseconds half = path.halfToSender.value_or(Nanoseconds::zero());
  const bool wasSilent = m_silenceBeforeLast >= (m_estimator.timeout() + half) * 9 / 10;
  return wasSilent && segment.time - m_lastData >= (*smoothed + half) * 8 / 10;
}

void TransmissionTracker::openHole(StreamOffset end, const SentSegment& after) {
  m_holes.open({{m_highest, end}, after.time, after.order, m_transmissions, m_highest});
  const std::uint64_t packets = (end - m_highest + m_segmentBytes - 1) / m_segmentBytes;
  m_transmissions += static_cast<std::uint32_t>(std::min(packets, kMaxMissingPackets));
}

std::optional<Retransmission::Before> TransmissionTracker::missingAt(const SequenceHole& hole, StreamOffset begin,
                                                                     std::uint32_t packets) const {
  if (!hole.openedFrom) return std::nullopt;
  const std::uint64_t packetsBefore = (std::max(begin, *hole.openedFrom) - *hole.openedFrom) / m_segmentBytes;
  const auto skipped = static_cast<std::uint32_t>(std::min(packetsBefore, kMaxMissingPackets - 1));
  return Retransmission::Before{hole.openedAt, hole.position + skipped, packets};
}

void TransmissionTracker::start(const SentSegment& segment) {
  m_first = m_knowsAcknowledged ? unwrap(segment.sequence, m_acknowledged) : firstOffset(segment.sequence);
  m_highest = m_first;
  m_dataEnd = m_first;
  m_isStarted = true;
  m_hasSyn = segment.syn;
  if (m_hasSyn) {
    m_acknowledged = m_knowsAcknowledged ? m_acknowledged : m_first;
    m_knowsAcknowledged = true;
    return;
  }
  // The capture began in the middle: what lies before was not seen.
  m_holes.open({{m_first - kLargestWindowBytes, m_first}, segment.time, segment.order, 0, std::nullopt});
}

void TransmissionTracker::restart() {
  TransmissionTracker fresh;
  fresh.counts = counts;
  fresh.m_log = std::move(m_log);
  fresh.m_transmissions = m_transmissions;
  *this = std::move(fresh);
}

void TransmissionTracker::restartAt(std::uint32_t initial, WallTime time) {
  restart();
  SentSegment syn;
  syn.time = time;
  syn.sequence = initial;
  syn.syn = true;
  start(syn);
  extend({m_first, m_first + 1}, false);
  m_dataEnd = m_highest;
}

void TransmissionTracker::confirmSyn(std::uint32_t number, WallTime time) {
  const auto initial = initialSequence();
  const bool isOfSyn = initial && *initial + 1 == number;
  // Beyond what was sent: the number is of an older connection between the same ports.
  if (isOfSyn && m_acknowledged > m_first + 1 && counts.dataPackets == Count(0)) restartAt(*initial, time);
}

SegmentRole TransmissionTracker::takeBare(StreamOffset begin, const PathView& path) {
  const SequenceRange range{begin, begin};
  // RFC 9293 §3.8.4: one number before the next, while nothing is in flight.
  const bool isBeforeNext = begin + 1 == m_highest && m_knowsAcknowledged && m_acknowledged >= m_highest;
  return isBeforeNext ? takeProbe(range, path) : SegmentRole{SegmentKind::none, RetransmissionCause::unknown, range};
}

bool TransmissionTracker::isProbe(const SentSegment& segment, StreamOffset begin) const {
  const bool isSingleByte = segment.payloadBytes == 1 && !segment.syn && !segment.fin;
  const bool isAtTheEnd = begin == m_highest || begin + 1 == m_highest;
  return isSingleByte && isAtTheEnd && m_knowsAcknowledged && m_acknowledged >= m_highest;
}

SegmentRole TransmissionTracker::takeProbe(SequenceRange range, const PathView& path) {
  counts.probe += Bytes(range.bytes());
  if (range.begin == m_highest) m_probedWithByte = true;
  (path.windowIsClosed ? counts.zeroWindowProbes : counts.keepAlives) += Count(1);
  return {path.windowIsClosed ? SegmentKind::zeroWindowProbe : SegmentKind::keepAlive, RetransmissionCause::unknown,
          range};
}

SegmentRole TransmissionTracker::takeStray(SequenceRange range, std::uint32_t payloadBytes) {
  counts.strayPackets += Count(1);
  counts.stray += Bytes(payloadBytes);
  return {SegmentKind::stray, RetransmissionCause::unknown, range};
}

SegmentRole TransmissionTracker::takeNew(const SentSegment& segment, SequenceRange range, const PathView& path) {
  const std::uint32_t position = m_transmissions;
  m_transmissions += segment.packets;
  counts.unique += Bytes(segment.payloadBytes);
  // Field by field into its place: a copy through the stack would cost more than the rest of this.
  UnackedSegment& unacked = m_ring.pushBack();
  unacked.begin = range.begin;
  unacked.sentAt = segment.time;
  unacked.bytes = static_cast<std::uint32_t>(range.bytes());
  unacked.timestamp = segment.order.timestamp;
  unacked.position = position;
  unacked.packetBytes = path.segmentBytes;
  unacked.isAmbiguous = false;
  unacked.isRetransmitted = false;
  if (segment.payloadBytes > 0) {
    if (m_firstData == WallTime()) [[unlikely]] {
      m_firstData = segment.time;
      m_firstTimestamp = segment.order.timestamp;
    }
    m_silenceBeforeLast = segment.time - m_lastData;
    m_lastData = segment.time;
  }
  extend(range, segment.fin);
  return {SegmentKind::newData, RetransmissionCause::unknown, range, position, segment.packets};
}

void TransmissionTracker::extend(SequenceRange range, bool hasFin) {
  m_straysInARow = 0;
  m_probedWithByte = false;
  if (range.end > m_highest) {
    m_highest = range.end;
    m_dataEnd = range.end - (hasFin ? 1 : 0);
  }
  noteFlight();
}

void TransmissionTracker::noteFlight() {
  if (m_knowsAcknowledged) m_maxInFlight = std::max(m_maxInFlight, flight());
}

SegmentRole TransmissionTracker::takeOld(const SentSegment& segment, SequenceRange range, const PathView& path) {
  const SequenceRange data{range.begin + (segment.syn ? 1U : 0U), range.end - (segment.fin ? 1U : 0U)};
  const SequenceHole* found = m_holes.find(range);
  std::optional<SequenceHole> hole;
  if (found != nullptr) hole = *found;
  const std::uint64_t beyond = data.end > m_highest ? data.end - std::max(data.begin, m_highest) : 0;
  const std::uint64_t unseen = m_holes.fill(range);
  // A hole may hold the number of a SYN or FIN; payload is counted as payload only.
  const std::uint64_t fresh = std::min<std::uint64_t>(unseen + beyond, segment.payloadBytes);
  const std::uint64_t again = segment.payloadBytes - fresh;
  counts.unique += Bytes(fresh);
  counts.retransmitted += Bytes(again);
  if (segment.payloadBytes > 0) {
    m_silenceBeforeLast = segment.time - m_lastData;
    m_lastData = segment.time;
  }

  SegmentRole role{SegmentKind::outOfOrder, RetransmissionCause::unknown, range};
  const bool isControl = segment.payloadBytes == 0;
  if (const auto lateOriginal = again > 0 ? takeLateOriginal(segment, range) : std::nullopt) {
    role = *lateOriginal;
  } else if (again > 0 || (isControl && unseen == 0 && range.end <= m_highest)) {
    (isControl ? counts.controlRetransmissions : counts.retransmittedPackets) += Count(1);
    role = takeAgain(segment, range, path, nullptr);
  } else if (!isControl && hole && isLate(segment, *hole, path)) {
    counts.filledHolePackets += Count(1);
    role = takeAgain(segment, range, path, &*hole);
    role.kind = SegmentKind::filledHole;
  } else {
    if (!isControl) counts.outOfOrderPackets += Count(1);
    const auto missed = hole ? missingAt(*hole, data.begin, segment.packets) : std::nullopt;
    role.position = missed ? missed->position : m_transmissions;
    role.packets = segment.packets;
    if (!missed) m_transmissions += segment.packets;
    markRetransmitted(segment, range, role.position, false);
  }
  extend(range, segment.fin);
  return role;
}

std::optional<SegmentRole> TransmissionTracker::takeLateOriginal(const SentSegment& segment, SequenceRange range) {
  if (m_log == nullptr) return std::nullopt;
  m_log->forgetFound();
  const auto repair = m_log->takeLateOriginal(range, segment.order);
  if (!repair) return std::nullopt;
  // It was lost nowhere before this point: the other is what came twice.
  counts.filledHolePackets = Count(counts.filledHolePackets.value() - 1);
  counts.retransmittedPackets += Count(1);
  counts.outOfOrderPackets += Count(1);
  SegmentRole role{SegmentKind::outOfOrder, RetransmissionCause::unknown, range, m_transmissions, segment.packets};
  if (repair->before) role.position = repair->before->position;
  role.isLateOriginal = true;
  return role;
}

SegmentRole TransmissionTracker::takeAgain(const SentSegment& segment, SequenceRange range, const PathView& path,
                                           const SequenceHole* hole) {
  const RetransmissionScene scene = sceneOf(segment, range, path, hole);
  const RetransmissionCause cause = causeOf(scene);
  if (m_log == nullptr) m_log = std::make_unique<RetransmissionLog>();
  reviseEarlier(cause, scene);
  const bool isInVain = hole == nullptr && segment.payloadBytes > 0 && isHeld(range);
  Retransmission again{segment.time, range.begin, segment.payloadBytes, cause, isInVain, hole == nullptr, std::nullopt};
  if (hole != nullptr) {
    again.before = missingAt(*hole, range.begin, segment.packets);
  } else if (const UnackedSegment* before = unackedAt(range.begin)) {
    again.before = Retransmission::Before{before->sentAt, before->positionAt(range.begin), segment.packets};
  }
  m_log->add(again, segment.order, hole == nullptr ? SendingOrder() : hole->orderAfter);
  noteCause(cause, scene);
  const std::uint32_t position = m_transmissions;
  m_transmissions += segment.packets;
  markRetransmitted(segment, range, position, true);
  return {SegmentKind::retransmission, cause, range, position, segment.packets};
}

void TransmissionTracker::reviseEarlier(RetransmissionCause cause, const RetransmissionScene& scene) {
  if (cause == RetransmissionCause::recovery && m_isLoneRepair) {
    m_log->changeNewestTrigger(RetransmissionCause::recovery);
  }
  if (cause != RetransmissionCause::timeout || m_probeHabit != ProbeHabit::unknown) return;
  if (!showsNoProbing(scene, m_waitForProbe)) return;
  m_probeHabit = ProbeHabit::doesNotProbe;
  m_log->changeTriggers(RetransmissionCause::tailLossProbe, RetransmissionCause::timeout);
}

void TransmissionTracker::noteCause(RetransmissionCause cause, const RetransmissionScene& scene) {
  m_isLoneRepair = cause == RetransmissionCause::fast;
  switch (cause) {
    case RetransmissionCause::timeout:
      m_timeoutUntil = std::max(m_timeoutUntil, m_highest);
      m_recoveryUntil = 0;
      break;
    case RetransmissionCause::fast:
      m_recoveryUntil = m_highest;
      break;
    case RetransmissionCause::tailLossProbe:
      m_isProbeOut = true;
      m_waitForProbe = scene.sinceTimerWasSet;
      if (!scene.isHead) m_probeHabit = ProbeHabit::probes;
      break;
    default:
      break;
  }
}

bool TransmissionTracker::isLate(const SentSegment& segment, const SequenceHole& hole, const PathView& path) const {
  if (const auto isAfter = segment.order.isAfter(hole.orderAfter)) return *isAfter;
  std::optional<Nanoseconds> rtt = m_rtts.min();
  if (rtt) *rtt += path.halfToSender.value_or(Nanoseconds::zero());
  // No sender learns of a loss within a tick of what was sent after it, if that is less than the RTT: however late
  // it comes, it is the first.
  const bool hasTimestamps = segment.order.timestamp != 0 && hole.orderAfter.timestamp != 0;
  const auto tick = hasTimestamps && rtt ? clockTick(hole) : std::nullopt;
  if (tick && *tick <= *rtt / 2) return false;
  // An upstream loss is repaired after a whole RTT at the soonest.
  return segment.time - hole.openedAt >= (rtt ? *rtt * 8 / 10 : kOutOfOrderSpan);
}

/// Of the sender's timestamps, from the first data to what came after the hole.
std::optional<Nanoseconds> TransmissionTracker::clockTick(const SequenceHole& hole) const {
  const std::uint32_t ticks = hole.orderAfter.timestamp - m_firstTimestamp;
  const bool isKnown = m_firstTimestamp != 0 && isBefore(m_firstTimestamp, hole.orderAfter.timestamp);
  return isKnown ? std::optional((hole.openedAt - m_firstData) / ticks) : std::nullopt;
}

/// What came late was missed until then, and the sender still did not know when it sent this.
bool TransmissionTracker::wasMissing(const SentSegment& segment, SequenceRange range, const PathView& path) const {
  if (range.begin < m_missingFrom || range.begin >= m_acknowledged) return false;
  const auto smoothed = m_estimator.smoothed();
  const Nanoseconds half = path.halfToSender.value_or(smoothed.value_or(Nanoseconds::zero()));
  // The queues of the moment are not in the shortest way, nor a host's own time.
  constexpr Nanoseconds kReaction = std::chrono::milliseconds(2);
  return segment.time - m_missingUntil <= half * 2 + kReaction;
}

/// A recovery lasts until all is acknowledged that was sent when it began. What of that was lost before the capture
/// point was not seen then: the hole that it left begins where the recovery seemed to end.
bool TransmissionTracker::isInRecoveryOf(const SequenceHole* hole) const {
  if (m_acknowledged < m_recoveryUntil) return true;
  return hole != nullptr && m_recoveryUntil != 0 && hole->openedFrom == m_recoveryUntil;
}

Nanoseconds TransmissionTracker::sinceSent(const SentSegment& segment, SequenceRange range,
                                           const SequenceHole* hole) const {
  if (hole != nullptr) return segment.time - hole->openedAt;
  if (const UnackedSegment* before = unackedAt(range.begin)) return segment.time - before->sentAt;
  // Acknowledged already, which the sender did not know: it was sent one RTT before that.
  return segment.time - m_lastAdvance + m_estimator.smoothed().value_or(Nanoseconds::zero());
}

const UnackedSegment* TransmissionTracker::unackedAt(StreamOffset offset) const {
  const std::size_t index = m_ring.indexAfter(offset);
  return index < m_ring.size() && m_ring[index].begin <= offset ? &m_ring[index] : nullptr;
}

RetransmissionScene TransmissionTracker::sceneOf(const SentSegment& segment, SequenceRange range, const PathView& path,
                                                 const SequenceHole* hole) const {
  const Nanoseconds half = path.halfToSender.value_or(Nanoseconds::zero());
  const bool hasFirst = !m_ring.isEmpty();
  const StreamOffset head = m_knowsAcknowledged ? m_acknowledged : hasFirst ? m_ring[0].begin : range.begin;
  RetransmissionScene scene;
  scene.isSyn = segment.syn;
  scene.inTimeoutRecovery = m_acknowledged < m_timeoutUntil;
  scene.inRecovery = isInRecoveryOf(hole);
  scene.isHead = range.begin <= head;
  scene.isTail = range.end >= m_highest;
  scene.hasSackAbove = m_sacked.end() > range.begin || wasMissing(segment, range, path);
  scene.isProbeOut = m_isProbeOut;
  scene.probeHabit = path.mayUseSack ? m_probeHabit : ProbeHabit::doesNotProbe;
  scene.duplicateAcks = m_duplicateAcks;
  scene.sinceSent = sinceSent(segment, range, hole);
  scene.sinceTimerWasSet = std::min(scene.sinceSent, segment.time - m_lastAdvance - half);
  if (m_hasAcknowledgment) scene.silence = segment.time - m_lastAcknowledgment - half;
  if (const auto smoothed = m_estimator.smoothed()) scene.rtt = *smoothed + half;
  // An acknowledgment takes `half` to the sender and back; a timer waits for at least ten times this reaction.
  constexpr Nanoseconds kReaction = std::chrono::milliseconds(5);
  scene.answersAcknowledgment = path.sinceEchoed && path.halfToSender && *path.sinceEchoed <= half + kReaction;
  scene.timeout = m_estimator.timeout() + half;
  return scene;
}

void TransmissionTracker::markRetransmitted(const SentSegment& segment, SequenceRange range, std::uint32_t position,
                                            bool isRetransmitted) {
  const StreamOffset begin = m_knowsAcknowledged ? std::max(range.begin, m_acknowledged) : range.begin;
  if (begin >= range.end) return;
  m_ring.splitAt(begin);
  m_ring.splitAt(range.end);
  for (std::size_t index = m_ring.indexAfter(begin); index < m_ring.size(); ++index) {
    UnackedSegment& unacked = m_ring[index];
    if (unacked.begin >= range.end) break;
    unacked.sentAt = segment.time;
    unacked.timestamp = segment.order.timestamp;
    unacked.position = position + static_cast<std::uint32_t>((unacked.begin - range.begin) / m_segmentBytes);
    unacked.packetBytes = m_segmentBytes;
    unacked.isAmbiguous = true;
    unacked.isRetransmitted = isRetransmitted;
  }
  m_ring.insert({begin, segment.time, static_cast<std::uint32_t>(range.end - begin), segment.order.timestamp, position,
                 m_segmentBytes, true, isRetransmitted});
}

}  // namespace tcpscope
