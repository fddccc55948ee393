// The summary of a direction by TransmissionTracker.
#include <algorithm>

#include "core/wire/flow/rtt_summary.h"
#include "core/wire/flow/transmission_tracker.h"

namespace tcpscope {

std::optional<std::uint32_t> TransmissionTracker::initialSequence() const {
  return m_hasSyn ? std::optional(onTheWire(m_first)) : std::nullopt;
}

std::optional<std::uint32_t> TransmissionTracker::acknowledged() const {
  return m_knowsAcknowledged ? std::optional(onTheWire(m_acknowledged)) : std::nullopt;
}

std::optional<WallTime> TransmissionTracker::sentAt(std::uint32_t sequence, std::uint32_t numbers,
                                                    std::uint32_t timestamp) const {
  const StreamOffset begin = unwrap(sequence, m_highest);
  const UnackedSegment* const sent = unackedAt(begin);
  const bool isSame = sent != nullptr && sent->begin == begin && sent->bytes == numbers && sent->timestamp == timestamp;
  return isSame ? std::optional(sent->sentAt) : std::nullopt;
}

std::uint64_t TransmissionTracker::lossesBehind() const {
  if (m_log == nullptr) return 0;
  const std::uint64_t byEvidence =
      m_log->counts().of(RetransmissionCause::fast).value() + m_log->counts().of(RetransmissionCause::recovery).value();
  return byEvidence - std::min(byEvidence, counts.filledHolePackets.value());
}

std::size_t TransmissionTracker::residentBytes() const {
  return m_ring.residentBytes() + m_rtts.residentBytes() + m_holes.holes().capacity() * sizeof(SequenceHole) +
         m_sacked.ranges().capacity() * sizeof(SequenceRange) +
         (m_log == nullptr ? 0 : sizeof(RetransmissionLog) + m_log->residentBytes());
}

void TransmissionTracker::summarize(DirectionSummary& summary) const {
  summary.sent = counts;
  if (m_log != nullptr) {
    summary.retransmissions = m_log->listed();
    summary.retransmissionsLeftOut = Count(m_log->leftOut());
    summary.causes = m_log->counts();
  }
  summary.deliveredSegments = m_deliveredSegments;
  summary.rtt = summaryOf(m_rtts);
  if (m_hasAcknowledgment && m_isStarted) summary.maxInFlight = Bytes(m_maxInFlight);
  if (m_knowsAcknowledged && m_acknowledged > m_first) {
    const std::uint64_t advanced = m_acknowledged - m_first;
    const std::uint64_t missing = m_holes.bytesIn({m_first, m_acknowledged}) + m_holes.forgottenBytes();
    summary.acknowledgedUnseen = Bytes(m_isStarted ? std::min(missing, advanced) : advanced);
  }
  summary.forgotten = Count(m_ring.forgotten() + m_sacked.forgottenRanges() + (m_holes.forgottenBytes() > 0 ? 1U : 0U));
  if (m_firstData != WallTime()) summary.firstData = m_firstData;
  const bool isPartial = summary.isPartial();
  WallTime begin = m_firstData;
  if (isPartial && (begin == WallTime() || m_firstAcknowledgment < begin)) begin = m_firstAcknowledgment;
  if (begin == WallTime()) return;
  const Nanoseconds span = std::max(m_lastData, m_lastAdvance) - begin;
  if (span < Nanoseconds::zero()) return;
  summary.dataSpan = span;
  if (span == Nanoseconds::zero()) return;
  summary.goodput = BitsPerSecond::from(summary.streamBytes(), span);
  if (!isPartial) summary.throughput = BitsPerSecond::from(counts.payload, span);
}

}  // namespace tcpscope
