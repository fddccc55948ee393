// One direction of a connection as the graphs draw it: the segments of one end, what the other end acknowledges, SACKs
// and advertises, in the order of the capture.
//
// Blocks of 64 points know their extremes, so that what lies within one column of pixels is drawn without looking at
// each. Times that go back are taken for the newest before them: a plot needs an order to search in.
#pragma once

#include <optional>
#include <span>

#include "core/wire/series/chunked_series.h"
#include "core/wire/series/packet_points.h"

namespace tcpscope {

inline constexpr std::size_t kBlockPoints = 64;

/// Smallest and largest of what is known; the other way round where nothing is.
template <class Value>
struct Extremes {
  Value smallest = std::numeric_limits<Value>::max();
  Value largest = std::numeric_limits<Value>::lowest();

  void add(Value value) {
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  [[nodiscard]] bool isEmpty() const { return smallest > largest; }
};

struct SegmentBlock {
  /// Of the new data alone: everything else is a mark.
  Extremes<StreamOffset> stream;
  Extremes<std::uint32_t> inFlight;
  /// Of all segments before the block.
  std::uint64_t payloadBefore = 0;
  std::uint64_t uniqueBefore = 0;
};

struct AcknowledgmentBlock {
  Extremes<StreamOffset> numbers;
  Extremes<std::uint32_t> inFlight;
  Extremes<std::uint16_t> windows;
  Extremes<float> rttsUs;
};

struct StreamBytes {
  /// On the wire, retransmissions included.
  std::uint64_t payload = 0;
  /// Each byte of the stream once.
  std::uint64_t unique = 0;
};

class DirectionSeries {
public:
  /// To be filled in, every field: a point is large enough for a copy to cost as much as all the rest.
  [[nodiscard]] SegmentPoint& nextSegment() { return m_segments.next(); }
  /// Takes what nextSegment() was filled with.
  void addSegment(RetransmissionCause cause);
  /// To be filled in, every field.
  [[nodiscard]] AcknowledgmentPoint& nextAcknowledgment() { return m_acknowledgments.next(); }
  /// Takes what nextAcknowledgment() was filled with, where it says something that the one before did not.
  void addAcknowledgment(std::span<const SequenceRange> sack);
  /// The causes as they stand at the end: the first of several repairs learns late that it was not alone, and a
  /// spurious one that it was not needed. In the order of the capture.
  void adoptCauses(std::span<const Retransmission> retransmissions, const ClockPair& clock);
  /// The window scale of the peer; nothing if unknown.
  void setWindowScale(std::optional<std::uint8_t> scale) { m_windowScale = scale; }

  /// A copy of what is not older than `from`, on the same sequence axis; with nothing of this series shared.
  [[nodiscard]] DirectionSeries since(Moment from) const;

  [[nodiscard]] const ChunkedSeries<SegmentPoint>& segments() const { return m_segments; }
  [[nodiscard]] const ChunkedSeries<AcknowledgmentPoint>& acknowledgments() const { return m_acknowledgments; }
  [[nodiscard]] const ChunkedSeries<SackPoint>& sacks() const { return m_sacks; }
  /// Segments that are not simply new data, in order.
  [[nodiscard]] const ChunkedSeries<SegmentMark>& marks() const { return m_marks; }
  /// Indices of the acknowledgments that are duplicates or close the window.
  [[nodiscard]] const ChunkedSeries<std::uint32_t>& oddAcknowledgments() const { return m_oddAcknowledgments; }
  /// Of whole blocks; the last points are in none until it is full.
  [[nodiscard]] const ChunkedSeries<SegmentBlock>& segmentBlocks() const { return m_segmentBlocks; }
  [[nodiscard]] const ChunkedSeries<AcknowledgmentBlock>& acknowledgmentBlocks() const { return m_ackBlocks; }

  [[nodiscard]] std::optional<std::uint8_t> windowScale() const { return m_windowScale; }
  /// What the window on the wire means; without a known scale as it stands.
  [[nodiscard]] std::uint64_t windowBytes(std::uint16_t window) const {
    return std::uint64_t{window} << m_windowScale.value_or(0);
  }
  /// Where the sequence axis has its zero: the first number that was seen. 0 where nothing was.
  [[nodiscard]] StreamOffset origin() const { return m_origin; }
  [[nodiscard]] bool isEmpty() const { return m_segments.empty() && m_acknowledgments.empty(); }
  /// Payload of the segments before this one.
  [[nodiscard]] StreamBytes bytesBefore(std::size_t segment) const;
  [[nodiscard]] std::size_t residentBytes() const;

private:
  void closeSegmentBlock(std::size_t end);
  void closeAcknowledgmentBlock(std::size_t end);
  void addSack(Moment time, std::span<const SequenceRange> sack);
  void noteOrigin(StreamOffset offset);

  static constexpr std::size_t kRememberedBlocks = 4;

  ChunkedSeries<SegmentPoint> m_segments;
  ChunkedSeries<AcknowledgmentPoint> m_acknowledgments;
  ChunkedSeries<SackPoint> m_sacks;
  ChunkedSeries<SegmentMark> m_marks;
  ChunkedSeries<std::uint32_t> m_oddAcknowledgments;
  ChunkedSeries<SegmentBlock> m_segmentBlocks;
  ChunkedSeries<AcknowledgmentBlock> m_ackBlocks;

  /// Blocks of the newest acknowledgment that had some.
  std::array<SequenceRange, kRememberedBlocks> m_newestSack{};
  StreamBytes m_bytes;
  StreamOffset m_origin = 0;
  std::optional<std::uint8_t> m_windowScale;
};

/// Payload of a segment that was not seen before it.
StreamBytes bytesOf(const SegmentPoint& segment);

/// Index of the first point at or after this moment.
template <class Point>
std::size_t firstFrom(const ChunkedSeries<Point>& series, Moment time) {
  return countBefore(series, [time](const Point& point) { return point.time < time; });
}

/// Number of the first mark whose segment is not before this one.
inline std::size_t firstMarkFrom(const DirectionSeries& series, std::size_t segment) {
  return countBefore(series.marks(), [segment](const SegmentMark& mark) { return mark.index < segment; });
}

/// Number of the first odd acknowledgment that is not before this one.
inline std::size_t firstOddFrom(const DirectionSeries& series, std::size_t acknowledgment) {
  return countBefore(series.oddAcknowledgments(),
                     [acknowledgment](std::uint32_t index) { return index < acknowledgment; });
}

}  // namespace tcpscope
