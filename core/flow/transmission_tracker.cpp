#include "core/flow/transmission_tracker.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Without a round trip to measure with: what Wireshark takes for out of order, too.
constexpr Nanoseconds kOutOfOrderSpan = std::chrono::milliseconds(3);
/// A run of so many segments that lie a window away is no attack but a capture that missed more than a window.
constexpr std::uint8_t kStraysToBelieve = 4;

}  // namespace

SegmentRole TransmissionTracker::takeSegment(const SentSegment& segment, const PathView& path) {
  if (!m_isStarted) start(segment);
  const StreamOffset begin = unwrap(segment.sequence, m_highest);
  const std::uint64_t numbers = std::uint64_t{segment.payloadBytes} + (segment.syn ? 1U : 0U) + (segment.fin ? 1U : 0U);
  if (numbers == 0) return takeBare(begin, path);
  const SequenceRange range{begin, begin + numbers};
  if (begin == m_highest && !(path.windowIsClosed && isProbe(segment, begin))) [[likely]] {
    takeNew(segment, range);
    return {SegmentKind::newData, RetransmissionCause::unknown, range};
  }
  const std::uint64_t distance = begin > m_highest ? begin - m_highest : m_highest - begin;
  if (distance > kLargestWindowBytes && ++m_straysInARow < kStraysToBelieve) {
    return takeStray(range, segment.payloadBytes);
  }
  m_straysInARow = 0;
  if (isProbe(segment, begin)) return takeProbe(range, path);
  if (begin < m_highest) return takeOld(segment, range, path);
  m_holes.open({{m_highest, begin}, segment.time, segment.timestamp});
  takeNew(segment, range);
  return {SegmentKind::newData, RetransmissionCause::unknown, range};
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
  m_holes.open({{m_first - kLargestWindowBytes, m_first}, segment.time, segment.timestamp});
}

void TransmissionTracker::restart() {
  TransmissionTracker anew;
  anew.counts = counts;
  anew.m_log = std::move(m_log);
  *this = std::move(anew);
}

SegmentRole TransmissionTracker::takeBare(StreamOffset begin, const PathView& path) {
  const SequenceRange range{begin, begin};
  // RFC 9293 §3.8.4: one number before the next, while nothing is outstanding.
  const bool isBeforeNext = begin + 1 == m_highest && m_knowsAcknowledged && m_acknowledged >= m_highest;
  return isBeforeNext ? takeProbe(range, path) : SegmentRole{SegmentKind::none, RetransmissionCause::unknown, range};
}

bool TransmissionTracker::isProbe(const SentSegment& segment, StreamOffset begin) const {
  const bool isSingleByte = segment.payloadBytes == 1 && !segment.syn && !segment.fin;
  const bool isAtTheEnd = begin == m_highest || begin + 1 == m_highest;
  return isSingleByte && isAtTheEnd && m_knowsAcknowledged && m_acknowledged >= m_highest;
}

SegmentRole TransmissionTracker::takeProbe(const SequenceRange& range, const PathView& path) {
  counts.probe += Bytes(range.bytes());
  if (range.begin == m_highest) m_probedWithByte = true;
  (path.windowIsClosed ? counts.zeroWindowProbes : counts.keepAlives) += Count(1);
  return {path.windowIsClosed ? SegmentKind::zeroWindowProbe : SegmentKind::keepAlive, RetransmissionCause::unknown,
          range};
}

SegmentRole TransmissionTracker::takeStray(const SequenceRange& range, std::uint32_t payloadBytes) {
  counts.strayPackets += Count(1);
  counts.stray += Bytes(payloadBytes);
  return {SegmentKind::stray, RetransmissionCause::unknown, range};
}

void TransmissionTracker::takeNew(const SentSegment& segment, const SequenceRange& range) {
  counts.unique += Bytes(segment.payloadBytes);
  // Field by field into its place: a copy through the stack would cost more than the rest of this.
  OutstandingSegment& outstanding = m_ring.pushBack();
  outstanding.begin = range.begin;
  outstanding.sentAt = segment.time;
  outstanding.bytes = static_cast<std::uint32_t>(range.bytes());
  outstanding.timestamp = segment.timestamp;
  outstanding.position = m_transmissions++;
  outstanding.isAmbiguous = false;
  outstanding.isRetransmitted = false;
  if (segment.payloadBytes > 0) {
    if (m_firstData == WallTime()) m_firstData = segment.time;
    m_lastData = segment.time;
  }
  extend(range, segment.fin);
}

void TransmissionTracker::extend(const SequenceRange& range, bool hasFin) {
  m_straysInARow = 0;
  m_probedWithByte = false;
  if (range.end > m_highest) {
    m_highest = range.end;
    m_dataEnd = range.end - (hasFin ? 1 : 0);
  }
  noteFlight();
}

void TransmissionTracker::noteFlight() {
  if (!m_knowsAcknowledged) return;
  const StreamOffset from = std::max(m_acknowledged, m_hasSyn ? m_first + 1 : m_first);
  const std::uint64_t sent = m_dataEnd > from ? m_dataEnd - from : 0;
  const std::uint64_t inFlight = sent - std::min(sent, m_sacked.bytes());
  m_maxInFlight = std::max(m_maxInFlight, inFlight);
}

SegmentRole TransmissionTracker::takeOld(const SentSegment& segment, const SequenceRange& range, const PathView& path) {
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
  if (segment.payloadBytes > 0) m_lastData = segment.time;

  SegmentRole role{SegmentKind::outOfOrder, RetransmissionCause::unknown, range};
  const bool isControl = segment.payloadBytes == 0;
  if (again > 0 || (isControl && unseen == 0 && range.end <= m_highest)) {
    (isControl ? counts.controlRetransmissions : counts.retransmittedPackets) += Count(1);
    role = takeAgain(segment, range, path, nullptr);
  } else if (!isControl && hole && isLate(segment, *hole, path)) {
    counts.filledHolePackets += Count(1);
    role = takeAgain(segment, range, path, &*hole);
    role.kind = SegmentKind::filledHole;
  } else {
    if (!isControl) counts.outOfOrderPackets += Count(1);
    markSentAgain(segment, range, false);
  }
  extend(range, segment.fin);
  return role;
}

SegmentRole TransmissionTracker::takeAgain(const SentSegment& segment, const SequenceRange& range, const PathView& path,
                                           const SequenceHole* hole) {
  const RetransmissionScene scene = sceneOf(segment, range, path, hole);
  const RetransmissionCause cause = causeOf(scene);
  if (m_log == nullptr) m_log = std::make_unique<RetransmissionLog>();
  reviseEarlier(cause, scene);
  Retransmission again{segment.time, range.begin, segment.payloadBytes, cause, false, hole == nullptr, std::nullopt};
  if (const OutstandingSegment* before = outstandingAt(range.begin)) {
    again.before = Retransmission::Before{before->sentAt, before->position};
  }
  m_log->add(again, segment.timestamp);
  noteCause(cause, scene);
  markSentAgain(segment, range, true);
  return {SegmentKind::retransmission, cause, range};
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
  // Timestamps tell the order of sending, as long as the clock has ticked in between.
  if (segment.timestamp != 0 && hole.timestampAfter != 0 && segment.timestamp != hole.timestampAfter) {
    return isBefore(hole.timestampAfter, segment.timestamp);
  }
  const std::optional<Nanoseconds> half = m_roundTrips.min();
  Nanoseconds soonest = kOutOfOrderSpan;
  // A loss before this point is repaired after a whole round trip at the soonest.
  if (half) soonest = (*half + path.halfToSender.value_or(Nanoseconds::zero())) * 8 / 10;
  return segment.time - hole.openedAt >= soonest;
}

Nanoseconds TransmissionTracker::sinceSent(const SentSegment& segment, const SequenceRange& range,
                                           const SequenceHole* hole) const {
  if (hole != nullptr) return segment.time - hole->openedAt;
  if (const OutstandingSegment* before = outstandingAt(range.begin)) return segment.time - before->sentAt;
  // Acknowledged already, which the sender did not know: it was sent a round trip before that.
  return segment.time - m_lastAdvance + m_estimator.smoothed().value_or(Nanoseconds::zero());
}

const OutstandingSegment* TransmissionTracker::outstandingAt(StreamOffset offset) const {
  const std::size_t index = m_ring.indexAfter(offset);
  return index < m_ring.size() && m_ring[index].begin <= offset ? &m_ring[index] : nullptr;
}

RetransmissionScene TransmissionTracker::sceneOf(const SentSegment& segment, const SequenceRange& range,
                                                 const PathView& path, const SequenceHole* hole) const {
  const Nanoseconds half = path.halfToSender.value_or(Nanoseconds::zero());
  const bool hasFirst = !m_ring.isEmpty();
  const StreamOffset head = m_knowsAcknowledged ? m_acknowledged : hasFirst ? m_ring[0].begin : range.begin;
  RetransmissionScene scene;
  scene.isSyn = segment.syn;
  scene.inTimeoutRecovery = m_acknowledged < m_timeoutUntil;
  scene.inRecovery = m_acknowledged < m_recoveryUntil;
  scene.isHead = range.begin <= head;
  scene.isTail = range.end >= m_highest;
  scene.hasSackAbove = m_sacked.end() > range.begin;
  scene.isProbeOut = m_isProbeOut;
  scene.probeHabit = path.mayUseSack ? m_probeHabit : ProbeHabit::doesNotProbe;
  scene.duplicateAcks = m_duplicateAcks;
  scene.sinceSent = sinceSent(segment, range, hole);
  scene.sinceTimerWasSet = std::min(scene.sinceSent, segment.time - m_lastAdvance - half);
  if (m_hasAcknowledgment) scene.silence = segment.time - m_lastAcknowledgment - half;
  if (const auto smoothed = m_estimator.smoothed()) scene.roundTrip = *smoothed + half;
  scene.timeout = m_estimator.timeout() + half;
  return scene;
}

void TransmissionTracker::markSentAgain(const SentSegment& segment, const SequenceRange& range, bool isRetransmitted) {
  const StreamOffset begin = m_knowsAcknowledged ? std::max(range.begin, m_acknowledged) : range.begin;
  const std::uint32_t position = m_transmissions++;
  if (begin >= range.end) return;
  m_ring.splitAt(begin);
  m_ring.splitAt(range.end);
  for (std::size_t index = m_ring.indexAfter(begin); index < m_ring.size(); ++index) {
    OutstandingSegment& outstanding = m_ring[index];
    if (outstanding.begin >= range.end) break;
    outstanding.sentAt = segment.time;
    outstanding.timestamp = segment.timestamp;
    outstanding.position = position;
    outstanding.isAmbiguous = true;
    outstanding.isRetransmitted = isRetransmitted;
  }
  m_ring.insert({begin, segment.time, static_cast<std::uint32_t>(range.end - begin), segment.timestamp, position, true,
                 isRetransmitted});
}

}  // namespace tcpscope
