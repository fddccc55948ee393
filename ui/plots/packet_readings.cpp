#include "ui/plots/packet_readings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/downsample.h"
#include "ui/plots/packet_screen.h"
#include "ui/plots/series_walk.h"

namespace tcpscope {

namespace {

/// A crowd under the mouse is not searched to its end.
constexpr std::size_t kSearchedAtMost = 2'000;

struct Tally {
  std::array<ItemReading, kGraphItemCount> readings;

  ItemReading& of(GraphItem item) { return readings.at(static_cast<std::size_t>(item)); }
  void add(GraphItem item, double smallest, double largest) {
    auto& range = of(item).range;
    if (!range) range = ValueRange{smallest, largest};
    range->from = std::min(range->from, smallest);
    range->to = std::max(range->to, largest);
  }
};

void countMarks(const DirectionSeries& series, std::size_t from, std::size_t to, Tally& tally) {
  const std::size_t end = firstMarkFrom(series, to);
  for (std::size_t number = firstMarkFrom(series, from); number < end; ++number) {
    const SegmentMark& mark = series.marks()[number];
    if (const auto item = itemOf(series.segments()[mark.index], mark.cause)) ++tally.of(*item).count;
  }
}

/// Both ends of what is in flight: most right after a segment, least right after an acknowledgment.
template <class Block>
void addFlightOfBlock(const Block& block, Tally& tally) {
  if (!block.inFlight.isEmpty()) tally.add(GraphItem::inFlight, block.inFlight.smallest, block.inFlight.largest);
}

template <class Point>
void addFlight(const Point& point, Tally& tally) {
  if (point.inFlightBytes != kUnknownFlight) tally.add(GraphItem::inFlight, point.inFlightBytes, point.inFlightBytes);
}

void readSegments(const DirectionSeries& series, TimeSpan span, Tally& tally) {
  const auto& segments = series.segments();
  const std::size_t from = firstFrom(segments, span.from);
  const std::size_t to = firstFrom(segments, span.to + Nanoseconds(1));
  tally.of(GraphItem::segment).count = to - from;
  countMarks(series, from, to, tally);
  const StreamBytes before = series.bytesBefore(from);
  const StreamBytes until = series.bytesBefore(to);
  const double seconds = toSeconds(span.to - span.from);
  if (seconds > 0.0) {
    tally.of(GraphItem::throughput).mean = 8.0 * static_cast<double>(until.payload - before.payload) / seconds;
    tally.of(GraphItem::goodput).mean = 8.0 * static_cast<double>(until.unique - before.unique) / seconds;
  }
  walkSeries(
      segments, series.segmentBlocks(), from, to, Nanoseconds::max(),
      [&](const SegmentBlock& block, const SegmentPoint&, const SegmentPoint&) { addFlightOfBlock(block, tally); },
      [&](const SegmentPoint& point) { addFlight(point, tally); });
}

void readAcknowledgments(const DirectionSeries& series, TimeSpan span, Tally& tally) {
  const auto& points = series.acknowledgments();
  const std::size_t from = firstFrom(points, span.from);
  const std::size_t to = firstFrom(points, span.to + Nanoseconds(1));
  tally.of(GraphItem::acknowledgment).count = to - from;
  const bool knowsWindows = series.windowScale().has_value();
  const auto bytes = [&series](std::uint16_t window) { return static_cast<double>(series.windowBytes(window)); };
  walkSeries(
      points, series.acknowledgmentBlocks(), from, to, Nanoseconds::max(),
      [&](const AcknowledgmentBlock& block, const AcknowledgmentPoint&, const AcknowledgmentPoint&) {
        addFlightOfBlock(block, tally);
        if (knowsWindows && !block.windows.isEmpty())
          tally.add(GraphItem::window, bytes(block.windows.smallest), bytes(block.windows.largest));
        if (!block.rttsUs.isEmpty())
          tally.add(GraphItem::rtt, double{block.rttsUs.smallest}, double{block.rttsUs.largest});
      },
      [&](const AcknowledgmentPoint& point) {
        addFlight(point, tally);
        if (knowsWindows && point.hasWindow) tally.add(GraphItem::window, bytes(point.window), bytes(point.window));
        if (!std::isnan(point.rttUs)) tally.add(GraphItem::rtt, double{point.rttUs}, double{point.rttUs});
      });
  const auto& odd = series.oddAcknowledgments();
  const std::size_t end = firstOddFrom(series, to);
  for (std::size_t number = firstOddFrom(series, from); number < end; ++number) {
    if (points[odd[number]].isDuplicate) ++tally.of(GraphItem::duplicateAck).count;
    if (points[odd[number]].isZeroWindow()) ++tally.of(GraphItem::zeroWindow).count;
  }
  const auto& sacks = series.sacks();
  tally.of(GraphItem::sack).count = firstFrom(sacks, span.to + Nanoseconds(1)) - firstFrom(sacks, span.from);
}

RetransmissionCause causeOf(const DirectionSeries& series, std::size_t segment) {
  const std::size_t number = firstMarkFrom(series, segment);
  if (number == series.marks().size() || series.marks()[number].index != segment) return RetransmissionCause::unknown;
  return series.marks()[number].cause;
}

template <class Point>
std::optional<std::size_t> findNumber(const ChunkedSeries<Point>& points, std::uint32_t number) {
  const std::size_t index = countBefore(points, [number](const Point& point) { return point.packet < number; });
  if (index < points.size() && points[index].packet == number) return index;
  return std::nullopt;
}

/// The nearest packet so far to a point of a graph.
class Nearest {
public:
  Nearest(const DirectionSeries& series, PacketGraph graph, Moment time, double value, Nanoseconds slack,
          double valueSlack)
      : m_series(series), m_graph(graph), m_time(time), m_value(value), m_slack(slack), m_valueSlack(valueSlack) {}

  /// From now on packets stand where their symbols do; see packetAt().
  void offerSymbolsAt(double bottom) { m_bottom = bottom; }
  void offerSegment(std::size_t index) {
    PointedPacket packet;
    packet.segment = m_series.segments()[index];
    if (!isNearer(packet)) return;
    packet.cause = causeOf(m_series, index);
    m_found = packet;
  }
  void offerAcknowledgment(std::size_t index) {
    PointedPacket packet;
    packet.acknowledgment = m_series.acknowledgments()[index];
    if (isNearer(packet)) m_found = packet;
  }
  /// Of a point in time order: it, and all behind it, lie too late.
  [[nodiscard]] bool isBeyond(Moment time) const { return time > m_time + m_slack; }
  [[nodiscard]] const PointedPacket& found() const { return m_found; }

private:
  bool isNearer(const PointedPacket& packet) {
    const bool isOnStream = m_graph == PacketGraph::sequence || m_graph == PacketGraph::stevens;
    std::optional<ValueRange> place;
    if (isOnStream || m_graph == PacketGraph::rtt) place = placeOf(m_series, m_graph, packet);
    if (!place && m_graph == PacketGraph::rtt && packet.acknowledgment) return false;
    if (m_bottom && !isOnStream) place = packet.segment ? ValueRange{*m_bottom, *m_bottom} : ValueRange{0.0, 0.0};
    double away = 0.0;
    if (place && m_value < place->from) away = place->from - m_value;
    if (place && m_value > place->to) away = m_value - place->to;
    const auto slack = static_cast<double>(std::max<std::int64_t>(m_slack.count(), 1));
    const double distance =
        std::hypot(static_cast<double>((packet.time() - m_time).count()) / slack, away / std::max(m_valueSlack, 1e-9));
    if (distance >= m_best) return false;
    m_best = distance;
    return true;
  }

  const DirectionSeries& m_series;
  PacketGraph m_graph;
  Moment m_time;
  double m_value;
  Nanoseconds m_slack;
  double m_valueSlack;
  std::optional<double> m_bottom;
  double m_best = 1.0;
  PointedPacket m_found;
};

/// Those that the graph draws with a symbol of their own.
PointedPacket symbolNear(const DirectionSeries& series, PacketGraph graph, Moment time, double value, Nanoseconds slack,
                         double valueSlack, double bottom) {
  const auto isDrawn = [items = itemsOf(graph)](GraphItem item) {
    return std::find(items.begin(), items.end(), item) != items.end();
  };
  Nearest nearest(series, graph, time, value, slack, valueSlack);
  nearest.offerSymbolsAt(bottom);
  std::size_t mark = firstMarkFrom(series, firstFrom(series.segments(), time - slack));
  for (std::size_t end = mark + kSearchedAtMost; mark < std::min(series.marks().size(), end); ++mark) {
    const std::size_t index = series.marks()[mark].index;
    if (nearest.isBeyond(series.segments()[index].time)) break;
    const auto item = itemOf(series.segments()[index], series.marks()[mark].cause);
    if (item && isDrawn(*item)) nearest.offerSegment(index);
  }
  const bool hasDuplicates = isDrawn(GraphItem::duplicateAck);
  if (!hasDuplicates && !isDrawn(GraphItem::zeroWindow)) return nearest.found();
  std::size_t odd = firstOddFrom(series, firstFrom(series.acknowledgments(), time - slack));
  for (std::size_t end = odd + kSearchedAtMost; odd < std::min(series.oddAcknowledgments().size(), end); ++odd) {
    const std::size_t index = series.oddAcknowledgments()[odd];
    const AcknowledgmentPoint& point = series.acknowledgments()[index];
    if (nearest.isBeyond(point.time)) break;
    if (hasDuplicates || point.isZeroWindow()) nearest.offerAcknowledgment(index);
  }
  return nearest.found();
}

}  // namespace

std::vector<ItemReading> readingsOf(const DirectionSeries& series, PacketGraph graph, TimeSpan span,
                                    const KernelSide& kernel) {
  Tally tally;
  readSegments(series, span, tally);
  readAcknowledgments(series, span, tally);
  std::vector<ItemReading> readings;
  for (const GraphItem item : itemsOf(graph)) {
    readings.push_back(tally.of(item));
    readings.back().item = item;
    const auto metric = kernel.history != nullptr ? kernelMetric(item, kernel.side) : std::nullopt;
    if (!metric) continue;
    if (const auto summary = summarize(*kernel.history, *metric, span.from, span.to))
      readings.back().range = ValueRange{summary->smallest, summary->largest};
  }
  return readings;
}

PointedPacket packetNear(const DirectionSeries& series, PacketGraph graph, Moment time, double value, Nanoseconds slack,
                         double valueSlack) {
  Nearest nearest(series, graph, time, value, slack, valueSlack);
  if (graph != PacketGraph::rtt && graph != PacketGraph::window) {
    const auto& segments = series.segments();
    const std::size_t from = firstFrom(segments, time - slack);
    for (std::size_t index = from; index < std::min(segments.size(), from + kSearchedAtMost); ++index) {
      if (nearest.isBeyond(segments[index].time)) break;
      nearest.offerSegment(index);
    }
  }
  if (nearest.found().segment || graph == PacketGraph::stevens) return nearest.found();
  const auto& points = series.acknowledgments();
  const std::size_t from = firstFrom(points, time - slack);
  for (std::size_t index = from; index < std::min(points.size(), from + kSearchedAtMost); ++index) {
    if (nearest.isBeyond(points[index].time)) break;
    nearest.offerAcknowledgment(index);
  }
  return nearest.found();
}

PointedPacket packetAt(const DirectionSeries& series, PacketGraph graph, Moment time, double value, Nanoseconds slack,
                       double valueSlack, double bottom) {
  const PointedPacket symbol = symbolNear(series, graph, time, value, slack, valueSlack, bottom);
  return symbol.isEmpty() ? packetNear(series, graph, time, value, slack, valueSlack) : symbol;
}

std::optional<ValueRange> placeOf(const DirectionSeries& series, PacketGraph graph, const PointedPacket& packet) {
  const auto at = [](double value) { return ValueRange{value, value}; };
  switch (graph) {
    case PacketGraph::sequence:
    case PacketGraph::stevens:
      if (!packet.segment) return at(relativeTo(series, packet.acknowledgment->number));
      if (graph == PacketGraph::stevens) return at(relativeTo(series, packet.segment->begin));
      return ValueRange{relativeTo(series, packet.segment->begin), relativeTo(series, packet.segment->end())};
    case PacketGraph::rtt:
      if (!packet.acknowledgment || std::isnan(packet.acknowledgment->rttUs)) return std::nullopt;
      return at(double{packet.acknowledgment->rttUs});
    case PacketGraph::inFlight: {
      const std::uint32_t bytes = packet.segment ? packet.segment->inFlightBytes : packet.acknowledgment->inFlightBytes;
      return bytes == kUnknownFlight ? std::nullopt : std::optional(at(static_cast<double>(bytes)));
    }
    case PacketGraph::window:
      if (!packet.acknowledgment || !packet.acknowledgment->hasWindow || !series.windowScale()) return std::nullopt;
      return at(static_cast<double>(series.windowBytes(packet.acknowledgment->window)));
    case PacketGraph::rates:
      break;
  }
  return std::nullopt;
}

PointedPacket packetNumbered(const DirectionSeries& series, std::uint32_t number) {
  PointedPacket found;
  if (const auto segment = findNumber(series.segments(), number)) {
    found.segment = series.segments()[*segment];
    found.cause = causeOf(series, *segment);
  } else if (const auto acknowledgment = findNumber(series.acknowledgments(), number)) {
    found.acknowledgment = series.acknowledgments()[*acknowledgment];
  }
  return found;
}

}  // namespace tcpscope
