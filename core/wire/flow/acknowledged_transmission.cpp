// The half of TransmissionTracker that follows the other end's acknowledgments.
#include <algorithm>
#include <utility>

#include "core/wire/flow/transmission_tracker.h"

namespace tcpscope {

StreamOffset TransmissionTracker::offsetOf(std::uint32_t acknowledgment) const {
  if (m_knowsAcknowledged) return unwrap(acknowledgment, m_acknowledged);
  return m_isStarted ? unwrap(acknowledgment, m_highest) : firstOffset(acknowledgment);
}

void TransmissionTracker::takeAcknowledgment(const SeenAcknowledgment& acknowledgment, AcknowledgmentRole& role) {
  const StreamOffset number = offsetOf(acknowledgment.number);
  if (!m_knowsAcknowledged) {
    if (!m_isStarted) m_first = number;
    m_acknowledged = std::min(number, m_first);
    m_knowsAcknowledged = true;
  }
  const bool isStray = number > m_highest && m_isStarted && number - m_highest > kLargestWindowBytes;
  if (isStray) return;
  const bool isOfData = !m_isStarted || number > m_first + 1;
  if (isOfData && m_firstAcknowledgment == WallTime()) m_firstAcknowledgment = acknowledgment.time;
  m_hasAcknowledgment = true;
  m_lastAcknowledgment = acknowledgment.time;
  if (m_log != nullptr) m_log->forgetFound();
  if (m_isStarted && number > m_highest) noteUnseen(number, acknowledgment.time);
  if (number > m_acknowledged) {
    role.rtt = advance(number, acknowledgment);
  } else if (acknowledgment.isDuplicate) {
    ++m_duplicateAcks;
  }
  if (!acknowledgment.sack.empty()) takeSack(acknowledgment, number, role);
  if (m_log != nullptr && !m_log->foundSpurious().empty()) role.spurious = &m_log->foundSpurious();
}

void TransmissionTracker::noteUnseen(StreamOffset acknowledged, WallTime time) {
  if (m_probedWithByte && acknowledged == m_highest + 1) {
    // The receiver took the byte of the probe after all.
    counts.probe -= Bytes(1);
    counts.unique += Bytes(1);
  } else {
    SentSegment unknown;
    unknown.time = time;
    openHole(acknowledged, unknown);
  }
  m_probedWithByte = false;
  m_highest = acknowledged;
  m_dataEnd = acknowledged;
}

std::optional<Nanoseconds> TransmissionTracker::advance(StreamOffset acknowledged,
                                                        const SeenAcknowledgment& acknowledgment) {
  std::optional<WallTime> sentAt;
  bool isAmbiguous = false;
  bool endsWithIt = false;
  if (!m_ring.isEmpty() && m_log != nullptr && acknowledgment.echo) {
    // The echo is that of the segment at the left edge (RFC 7323 §4.3): an older one than its retransmission's says
    // that the original had arrived (RFC 3522).
    const UnackedSegment& head = m_ring.front();
    const bool isHead = head.isRetransmitted && head.begin == m_acknowledged;
    const SequenceRange edge{head.begin, head.begin + 1};
    if (isHead && m_log->markByEcho(edge, *acknowledgment.echo)) m_timeoutUntil = 0;
  }
  noteHeld({m_acknowledged, acknowledged}, acknowledgment.time);
  while (!m_ring.isEmpty() && m_ring.front().begin < acknowledged) {
    UnackedSegment& first = m_ring.front();
    if (first.isAmbiguous) {
      isAmbiguous = true;
    } else if (m_sacked.isEmpty() || !m_sacked.contains({first.begin, first.end()})) {
      sentAt = first.sentAt;
      endsWithIt = first.end() == acknowledged;
    }
    if (first.end() > acknowledged) {
      first.cutBefore(acknowledged);
      break;
    }
    m_deliveredSegments += (first.bytes + first.packetBytes - 1U) / first.packetBytes;
    m_ring.popFront();
  }

  if (m_duplicateAcks > 0 || !m_sacked.isEmpty()) [[unlikely]] {
    noteMissing(acknowledgment.time);
  }
  const bool isOfFinAlone = m_isStarted && m_acknowledged >= m_dataEnd && acknowledged <= m_highest;
  m_acknowledged = acknowledged;
  if (!isOfFinAlone) m_lastAdvance = acknowledgment.time;
  m_duplicateAcks = 0;
  m_isProbeOut = false;
  if (!m_sacked.isEmpty()) m_sacked.removeBelow(acknowledged);
  return sentAt && !isAmbiguous ? addRtt(acknowledgment.time - *sentAt, endsWithIt) : std::nullopt;
}

/// The receiver has all of this now. What of it was retransmitted less than half the minimum RTT ago was spurious: the
/// transmission before that arrived; Linux applies the same test (tcp_rack_advance in net/ipv4/tcp_recovery.c). Half,
/// because all RTTs so far may include time in a queue.
void TransmissionTracker::noteHeld(const SequenceRange& held, WallTime time) {
  const auto quickest = m_estimator.quickest();
  if (m_log != nullptr && quickest) m_log->markOvertaken(held, m_sacked, time - *quickest / 2);
}

void TransmissionTracker::noteMissing(WallTime until) {
  // One recovery closes its holes one after the other.
  if (m_missingFrom == 0 || until - m_missingUntil > m_estimator.timeout()) m_missingFrom = m_acknowledged;
  m_missingUntil = until;
}

bool TransmissionTracker::reportsDuplicate(const SequenceRange& block, const SeenAcknowledgment& acknowledgment,
                                           StreamOffset acknowledged) const {
  if (block.end <= acknowledged) return true;
  if (acknowledgment.sack.size() < 2) return false;
  const SequenceRange next{unwrap(acknowledgment.sack[1].begin, acknowledged),
                           unwrap(acknowledgment.sack[1].end, acknowledged)};
  return next.begin <= block.begin && block.end <= next.end;
}

bool TransmissionTracker::isOfProbe(const SequenceRange& block, const SeenAcknowledgment& acknowledgment,
                                    StreamOffset acknowledged) const {
  if (acknowledgment.answersProbe) return true;
  // A sender that got no answer goes on probing with the same byte, and its answers come late, and more than one.
  const bool hasProbed = counts.keepAlives + counts.zeroWindowProbes > Count(0);
  return hasProbed && block.bytes() == 1 && block.end == acknowledged;
}

/// The block that changed last stands in front (RFC 2018 §4). One that has moved there without any news stands for
/// something that came twice, with its own block not behind it as RFC 2883 asks, but beyond the few that have room.
bool TransmissionTracker::isMovedToFront(const SequenceRange& block, const SeenAcknowledgment& acknowledgment) const {
  const bool isOfRetransmission = m_log != nullptr && acknowledgment.isDuplicate && m_frontBlock != 0;
  return isOfRetransmission && block.begin != m_frontBlock && m_sacked.contains(block);
}

void TransmissionTracker::takeSack(const SeenAcknowledgment& acknowledgment, StreamOffset acknowledged,
                                   AcknowledgmentRole& role) {
  bool isFirst = true;
  for (const SackBlock& wire : acknowledgment.sack) {
    SequenceRange block{unwrap(wire.begin, acknowledged), unwrap(wire.end, acknowledged)};
    const bool wasFirst = std::exchange(isFirst, false);
    if (block.isEmpty()) continue;
    if (wasFirst && (reportsDuplicate(block, acknowledgment, acknowledged) || isMovedToFront(block, acknowledgment))) {
      if (isOfProbe(block, acknowledgment, acknowledged)) continue;
      role.reportsDuplicate = true;
      if (m_log != nullptr) m_log->markReported(block);
      continue;
    }
    // The receiver cannot hold what was not sent; what was not captured is left to the cumulative acknowledgment.
    block = {std::max(block.begin, m_acknowledged), std::min(block.end, m_highest)};
    if (block.isEmpty()) continue;
    if (wasFirst) m_frontBlock = block.begin;
    noteHeld(block, acknowledgment.time);
    const bool endIsNew = wasFirst && !m_sacked.contains({block.end - 1, block.end});
    if (m_sacked.add(block) == 0 || !endIsNew) continue;
    const UnackedSegment* newest = unackedAt(block.end - 1);
    if (newest == nullptr || newest->isAmbiguous) continue;
    role.rtt = addRtt(acknowledgment.time - newest->sentAt, newest->end() == block.end);
    role.isBySack = role.rtt.has_value();
  }
}

std::optional<Nanoseconds> TransmissionTracker::addRtt(Nanoseconds sample, bool isOfWholeSegment) {
  // Time may run backwards in a capture.
  if (sample < Nanoseconds::zero()) return std::nullopt;
  m_estimator.add(sample);
  // An acknowledgment inside a GSO aggregate is of one of the packets that the adapter made of it; its send time is
  // unknown.
  if (!isOfWholeSegment) return std::nullopt;
  m_rtts.add(sample);
  return sample;
}

}  // namespace tcpscope
