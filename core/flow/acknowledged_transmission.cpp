// The half of TransmissionTracker that follows the other end's acknowledgments.
#include <algorithm>
#include <utility>

#include "core/flow/transmission_tracker.h"

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
  m_hasAcknowledgment = true;
  m_lastAcknowledgment = acknowledgment.time;
  if (m_isStarted && number > m_highest) noteUnseen(number, acknowledgment.time);
  if (number > m_acknowledged) {
    role.roundTrip = advance(number, acknowledgment);
  } else if (acknowledgment.isDuplicate) {
    ++m_duplicateAcks;
  }
  if (!acknowledgment.sack.empty()) takeSack(acknowledgment, number, role);
}

void TransmissionTracker::noteUnseen(StreamOffset acknowledged, WallTime time) {
  if (m_probedWithByte && acknowledged == m_highest + 1) {
    // The receiver took the byte of the probe after all.
    counts.probe -= Bytes(1);
    counts.unique += Bytes(1);
  } else {
    m_holes.open({{m_highest, acknowledged}, time, 0});
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
    const OutstandingSegment& head = m_ring.front();
    const bool isHead = head.isRetransmitted && head.begin == m_acknowledged;
    if (isHead && m_log->markSpuriousByEcho({head.begin, head.begin + 1}, *acknowledgment.echo)) m_timeoutUntil = 0;
  }
  while (!m_ring.isEmpty() && m_ring.front().begin < acknowledged) {
    OutstandingSegment& first = m_ring.front();
    if (first.isAmbiguous) {
      isAmbiguous = true;
    } else if (m_sacked.isEmpty() || !m_sacked.contains({first.begin, first.end()})) {
      sentAt = first.sentAt;
      endsWithIt = first.end() == acknowledged;
    }
    if (first.end() > acknowledged) {
      first.bytes = static_cast<std::uint32_t>(first.end() - acknowledged);
      first.begin = acknowledged;
      break;
    }
    m_ring.popFront();
  }

  m_acknowledged = acknowledged;
  m_lastAdvance = acknowledgment.time;
  m_duplicateAcks = 0;
  m_isProbeOut = false;
  if (!m_sacked.isEmpty()) m_sacked.removeBelow(acknowledged);
  return sentAt && !isAmbiguous ? addRoundTrip(acknowledgment.time - *sentAt, endsWithIt) : std::nullopt;
}

bool TransmissionTracker::reportsDuplicate(const SequenceRange& block, const SeenAcknowledgment& acknowledgment,
                                           StreamOffset acknowledged) const {
  if (block.end <= acknowledged) return true;
  if (acknowledgment.sack.size() < 2) return false;
  const SequenceRange next{unwrap(acknowledgment.sack[1].begin, acknowledged),
                           unwrap(acknowledgment.sack[1].end, acknowledged)};
  return next.begin <= block.begin && block.end <= next.end;
}

void TransmissionTracker::takeSack(const SeenAcknowledgment& acknowledgment, StreamOffset acknowledged,
                                   AcknowledgmentRole& role) {
  bool isFirst = true;
  for (const SackBlock& wire : acknowledgment.sack) {
    SequenceRange block{unwrap(wire.begin, acknowledged), unwrap(wire.end, acknowledged)};
    const bool wasFirst = std::exchange(isFirst, false);
    if (block.isEmpty()) continue;
    if (wasFirst && reportsDuplicate(block, acknowledgment, acknowledged)) {
      role.reportsDuplicate = true;
      if (m_log != nullptr && !acknowledgment.answersProbe) m_log->markSpurious(block);
      continue;
    }
    // Nobody can hold what was not sent; what was not captured is left to the cumulative acknowledgment.
    block = {std::max(block.begin, m_acknowledged), std::min(block.end, m_highest)};
    if (block.isEmpty()) continue;
    const bool endIsNew = wasFirst && !m_sacked.contains({block.end - 1, block.end});
    if (m_sacked.add(block) == 0 || !endIsNew) continue;
    const OutstandingSegment* newest = outstandingAt(block.end - 1);
    if (newest != nullptr && !newest->isAmbiguous)
      role.roundTrip = addRoundTrip(acknowledgment.time - newest->sentAt, newest->end() == block.end);
  }
}

std::optional<Nanoseconds> TransmissionTracker::addRoundTrip(Nanoseconds sample, bool isOfWholeSegment) {
  // Time may run backwards in a capture.
  if (sample < Nanoseconds::zero()) return std::nullopt;
  m_estimator.add(sample);
  // An acknowledgment inside a giant is of one of the packets that the adapter made of it; when that left is not known.
  if (!isOfWholeSegment) return std::nullopt;
  m_roundTrips.add(sample);
  return sample;
}

}  // namespace tcpscope
