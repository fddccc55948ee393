#include "ui/plots/packet_order.h"

#include <algorithm>
#include <array>

namespace tcpscope {

namespace {

constexpr std::array kRetransmissions = {GraphItem::timeout,       GraphItem::fast,      GraphItem::recovery,
                                         GraphItem::tailLossProbe, GraphItem::spurious,  GraphItem::handshakeAgain,
                                         GraphItem::unknownCause,  GraphItem::filledHole};

bool isAmong(std::span<const GraphItem> items, std::optional<GraphItem> item) {
  return item && std::find(items.begin(), items.end(), *item) != items.end();
}

bool isMarkAmong(const DirectionSeries& series, std::span<const GraphItem> items, std::size_t mark) {
  const SegmentMark& one = series.marks()[mark];
  return isAmong(items, itemOf(series.segments()[one.index], one.cause));
}

bool isOddAmong(const DirectionSeries& series, std::span<const GraphItem> items, std::size_t odd) {
  const AcknowledgmentPoint& point = series.acknowledgments()[series.oddAcknowledgments()[odd]];
  return (point.isDuplicate && isAmong(items, GraphItem::duplicateAck)) ||
         (point.isZeroWindow() && isAmong(items, GraphItem::zeroWindow));
}

std::uint32_t numberOfMark(const DirectionSeries& series, std::size_t mark) {
  return series.segments()[series.marks()[mark].index].packet;
}

std::uint32_t numberOfOdd(const DirectionSeries& series, std::size_t odd) {
  return series.acknowledgments()[series.oddAcknowledgments()[odd]].packet;
}

/// Marks and odd acknowledgments whose packets have a smaller number.
std::size_t marksBefore(const DirectionSeries& series, std::uint32_t number) {
  return countBefore(series.marks(),
                     [&](const SegmentMark& mark) { return series.segments()[mark.index].packet < number; });
}

std::size_t oddBefore(const DirectionSeries& series, std::uint32_t number) {
  return countBefore(series.oddAcknowledgments(),
                     [&](std::uint32_t index) { return series.acknowledgments()[index].packet < number; });
}

std::optional<std::uint32_t> firstAmong(const DirectionSeries& series, std::span<const GraphItem> items,
                                        std::size_t mark, std::size_t odd) {
  std::optional<std::uint32_t> found;
  while (mark < series.marks().size() && !isMarkAmong(series, items, mark)) ++mark;
  if (mark < series.marks().size()) found = numberOfMark(series, mark);
  for (; odd < series.oddAcknowledgments().size(); ++odd) {
    if (found && numberOfOdd(series, odd) > *found) break;
    if (isOddAmong(series, items, odd)) return numberOfOdd(series, odd);
  }
  return found;
}

}  // namespace

std::size_t PacketOrder::size() const {
  return m_series->segments().size() + m_series->acknowledgments().size();
}

std::uint32_t PacketOrder::numberAt(std::size_t row) const {
  const auto& segments = m_series->segments();
  const auto& acknowledgments = m_series->acknowledgments();
  // How many of the first `row` packets are segments: the fewest with which the next segment comes behind the last of
  // the acknowledgments.
  std::size_t low = row > acknowledgments.size() ? row - acknowledgments.size() : 0;
  std::size_t high = std::min(row, segments.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (acknowledgments[row - middle - 1].packet < segments[middle].packet) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const std::size_t other = row - low;
  if (low == segments.size()) return acknowledgments[other].packet;
  if (other == acknowledgments.size()) return segments[low].packet;
  return std::min(segments[low].packet, acknowledgments[other].packet);
}

std::size_t PacketOrder::rowOf(std::uint32_t number) const {
  const auto isBefore = [number](const auto& point) { return point.packet < number; };
  return countBefore(m_series->segments(), isBefore) + countBefore(m_series->acknowledgments(), isBefore);
}

std::span<const GraphItem> retransmissionItems() {
  return kRetransmissions;
}

std::optional<std::uint32_t> nextOf(const DirectionSeries& series, std::span<const GraphItem> items,
                                    std::uint32_t number) {
  if (number == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return firstAmong(series, items, marksBefore(series, number + 1), oddBefore(series, number + 1));
}

std::optional<std::uint32_t> previousOf(const DirectionSeries& series, std::span<const GraphItem> items,
                                        std::uint32_t number) {
  std::size_t mark = marksBefore(series, number);
  std::size_t odd = oddBefore(series, number);
  while (mark > 0 && !isMarkAmong(series, items, mark - 1)) --mark;
  std::optional<std::uint32_t> found;
  if (mark > 0) found = numberOfMark(series, mark - 1);
  for (; odd > 0; --odd) {
    if (found && numberOfOdd(series, odd - 1) < *found) break;
    if (isOddAmong(series, items, odd - 1)) return numberOfOdd(series, odd - 1);
  }
  return found;
}

std::vector<std::uint32_t> packetsOf(const DirectionSeries& series, std::span<const GraphItem> items,
                                     std::size_t most) {
  std::vector<std::uint32_t> numbers;
  const std::size_t marks = series.marks().size();
  const std::size_t odds = series.oddAcknowledgments().size();
  std::size_t mark = 0;
  std::size_t odd = 0;
  while (numbers.size() < most) {
    while (mark < marks && !isMarkAmong(series, items, mark)) ++mark;
    while (odd < odds && !isOddAmong(series, items, odd)) ++odd;
    if (mark == marks && odd == odds) break;
    const bool isMark = odd == odds || (mark < marks && numberOfMark(series, mark) <= numberOfOdd(series, odd));
    const std::uint32_t number = isMark ? numberOfMark(series, mark++) : numberOfOdd(series, odd++);
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
  return numbers;
}

std::optional<std::uint32_t> nearestOf(const DirectionSeries& series, std::span<const GraphItem> items, Moment time) {
  const std::size_t segment = firstFrom(series.segments(), time);
  const std::size_t acknowledgment = firstFrom(series.acknowledgments(), time);
  const std::size_t mark = firstMarkFrom(series, segment);
  const std::size_t odd = firstOddFrom(series, acknowledgment);
  const auto after = firstAmong(series, items, mark, odd);
  // What stands at the moment itself is the nearest; so the numbers are compared by their times.
  std::optional<std::uint32_t> before;
  Moment beforeTime;
  Moment afterTime = time;
  for (std::size_t one = mark; one > 0; --one) {
    if (!isMarkAmong(series, items, one - 1)) continue;
    before = numberOfMark(series, one - 1);
    beforeTime = series.segments()[series.marks()[one - 1].index].time;
    break;
  }
  for (std::size_t one = odd; one > 0; --one) {
    if (!isOddAmong(series, items, one - 1)) continue;
    const AcknowledgmentPoint& point = series.acknowledgments()[series.oddAcknowledgments()[one - 1]];
    if (before && point.time <= beforeTime) break;
    before = point.packet;
    beforeTime = point.time;
    break;
  }
  if (!before || !after) return before ? before : after;
  const auto isIt = [&](const auto& point) { return point.packet < *after; };
  const std::size_t atSegment = countBefore(series.segments(), isIt);
  const std::size_t atAcknowledgment = countBefore(series.acknowledgments(), isIt);
  if (atSegment < series.segments().size() && series.segments()[atSegment].packet == *after) {
    afterTime = series.segments()[atSegment].time;
  } else if (atAcknowledgment < series.acknowledgments().size()) {
    afterTime = series.acknowledgments()[atAcknowledgment].time;
  }
  return time - beforeTime < afterTime - time ? before : after;
}

}  // namespace tcpscope
