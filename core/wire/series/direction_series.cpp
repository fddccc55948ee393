#include "core/wire/series/direction_series.h"

#include <cmath>

namespace tcpscope {

namespace {

std::uint64_t payloadOf(const SegmentPoint& segment) {
  const std::uint32_t controls = (segment.flags.syn() ? 1U : 0U) + (segment.flags.fin() ? 1U : 0U);
  return segment.bytes - std::min(segment.bytes, controls);
}

/// New data in its place, and no more than that.
bool isPlain(const SegmentPoint& segment) {
  return segment.kind == SegmentKind::newData && (segment.flags.bits & 0x07) == 0;
}

template <class Point>
Moment inOrder(const ChunkedSeries<Point>& series, Moment time) {
  return series.empty() ? time : std::max(time, series.back().time);
}

}  // namespace

StreamBytes bytesOf(const SegmentPoint& segment) {
  const std::uint64_t payload = payloadOf(segment);
  const bool isUnique = segment.kind == SegmentKind::newData || segment.kind == SegmentKind::outOfOrder ||
                        segment.kind == SegmentKind::filledHole;
  return {payload, isUnique ? payload : 0};
}

void DirectionSeries::noteOrigin(StreamOffset offset) {
  if (isEmpty()) m_origin = offset;
}

void DirectionSeries::addSegment(RetransmissionCause cause) {
  SegmentPoint& point = m_segments.next();
  noteOrigin(point.begin);
  point.time = inOrder(m_segments, point.time);
  if (!isPlain(point)) m_marks.append({static_cast<std::uint32_t>(m_segments.size()), cause});
  m_segments.keepNext();
  if (m_segments.size() % kBlockPoints == 0) closeSegmentBlock(m_segments.size());
}

void DirectionSeries::closeSegmentBlock(std::size_t end) {
  SegmentBlock block;
  block.payloadBefore = m_bytes.payload;
  block.uniqueBefore = m_bytes.unique;
  m_segments.forEach(end - kBlockPoints, end, [&](const SegmentPoint& point, std::size_t) {
    if (isPlain(point)) {
      block.stream.add(point.begin);
      block.stream.add(point.end());
    }
    if (point.inFlightBytes != kUnknownFlight) block.inFlight.add(point.inFlightBytes);
    const StreamBytes bytes = bytesOf(point);
    m_bytes.payload += bytes.payload;
    m_bytes.unique += bytes.unique;
  });
  m_segmentBlocks.append(block);
}

void DirectionSeries::addAcknowledgment(std::span<const SequenceRange> sack) {
  AcknowledgmentPoint& point = m_acknowledgments.next();
  point.time = inOrder(m_acknowledgments, point.time);
  addSack(point.time, sack);
  if (!m_acknowledgments.empty()) {
    const AcknowledgmentPoint& last = m_acknowledgments.back();
    const bool saysMore = point.number != last.number || point.window != last.window || point.isDuplicate ||
                          point.hasWindow != last.hasWindow || !std::isnan(point.rttUs);
    if (!saysMore) return;
  }
  noteOrigin(point.number);
  if (point.isDuplicate || point.isZeroWindow())
    m_oddAcknowledgments.append(static_cast<std::uint32_t>(m_acknowledgments.size()));
  m_acknowledgments.keepNext();
  if (m_acknowledgments.size() % kBlockPoints == 0) closeAcknowledgmentBlock(m_acknowledgments.size());
}

void DirectionSeries::closeAcknowledgmentBlock(std::size_t end) {
  AcknowledgmentBlock block;
  m_acknowledgments.forEach(end - kBlockPoints, end, [&](const AcknowledgmentPoint& point, std::size_t) {
    block.numbers.add(point.number);
    if (point.hasWindow) block.windows.add(point.window);
    if (point.inFlightBytes != kUnknownFlight) block.inFlight.add(point.inFlightBytes);
    if (!std::isnan(point.rttUs)) block.rttsUs.add(point.rttUs);
  });
  m_ackBlocks.append(block);
}

/// A receiver repeats its blocks (RFC 2018 §4): only what is new of them is a point.
void DirectionSeries::addSack(Moment time, std::span<const SequenceRange> sack) {
  if (sack.empty()) return;
  std::array<SequenceRange, kRememberedBlocks> newest{};
  std::size_t count = 0;
  for (const SequenceRange& block : sack.first(std::min(sack.size(), kRememberedBlocks))) {
    newest.at(count++) = block;
    SequenceRange fresh = block;
    for (const SequenceRange& known : m_newestSack) {
      if (known.begin <= fresh.begin && known.end > fresh.begin) fresh.begin = std::min(known.end, fresh.end);
      if (known.end >= fresh.end && known.begin < fresh.end) fresh.end = std::max(known.begin, fresh.begin);
    }
    if (!fresh.isEmpty()) m_sacks.append({inOrder(m_sacks, time), fresh.begin, fresh.end});
  }
  m_newestSack = newest;
}

DirectionSeries DirectionSeries::since(Moment from) const {
  DirectionSeries copy;
  const std::size_t firstSegment = firstFrom(m_segments, from);
  std::size_t mark = firstMarkFrom(*this, firstSegment);
  m_segments.forEach(firstSegment, m_segments.size(), [&](const SegmentPoint& point, std::size_t index) {
    const bool isMarked = mark < m_marks.size() && m_marks[mark].index == index;
    copy.nextSegment() = point;
    copy.addSegment(isMarked ? m_marks[mark].cause : RetransmissionCause::unknown);
    if (isMarked) ++mark;
  });
  m_acknowledgments.forEach(firstFrom(m_acknowledgments, from), m_acknowledgments.size(),
                            [&](const AcknowledgmentPoint& point, std::size_t) {
                              copy.nextAcknowledgment() = point;
                              copy.addAcknowledgment({});
                            });
  m_sacks.forEach(firstFrom(m_sacks, from), m_sacks.size(),
                  [&](const SackPoint& point, std::size_t) { copy.m_sacks.append(point); });
  copy.m_newestSack = m_newestSack;
  copy.m_origin = m_origin;
  copy.m_windowScale = m_windowScale;
  return copy;
}

void DirectionSeries::adoptCauses(std::span<const Retransmission> retransmissions, const ClockPair& clock) {
  std::size_t next = 0;
  for (std::size_t number = 0; number < m_marks.size(); ++number) {
    SegmentMark& mark = m_marks[number];
    const SegmentPoint& point = m_segments[mark.index];
    if (point.kind != SegmentKind::retransmission && point.kind != SegmentKind::filledHole) continue;
    const auto momentOf = [&](const Retransmission& of) { return clock.monotonic + (of.time - clock.wall); };
    while (next < retransmissions.size() && momentOf(retransmissions[next]) < point.time) ++next;
    for (std::size_t at = next; at < retransmissions.size() && momentOf(retransmissions[at]) == point.time; ++at) {
      if (retransmissions[at].begin == point.begin) mark.cause = retransmissions[at].cause();
    }
  }
}

StreamBytes DirectionSeries::bytesBefore(std::size_t segment) const {
  segment = std::min(segment, m_segments.size());
  const std::size_t block = segment / kBlockPoints;
  StreamBytes bytes = m_bytes;
  if (block < m_segmentBlocks.size())
    bytes = {m_segmentBlocks[block].payloadBefore, m_segmentBlocks[block].uniqueBefore};
  m_segments.forEach(block * kBlockPoints, segment, [&bytes](const SegmentPoint& point, std::size_t) {
    const StreamBytes own = bytesOf(point);
    bytes.payload += own.payload;
    bytes.unique += own.unique;
  });
  return bytes;
}

std::size_t DirectionSeries::residentBytes() const {
  return m_segments.residentBytes() + m_acknowledgments.residentBytes() + m_sacks.residentBytes() +
         m_marks.residentBytes() + m_oddAcknowledgments.residentBytes() + m_segmentBlocks.residentBytes() +
         m_ackBlocks.residentBytes();
}

}  // namespace tcpscope
