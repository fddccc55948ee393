#include "ui/plots/packet_lines.h"

#include <cmath>

#include "ui/plots/packet_screen.h"
#include "ui/plots/series_walk.h"

namespace tcpscope {

namespace {

/// About so many averages over the width of the screen.
constexpr int kRateBins = 160;
constexpr double kRoom = 0.04;
/// The right edge of the window does not count for autoscaling where it would take more than this share of the rest.
constexpr double kEdgeShare = 0.5;
/// A window so many times above what is in flight would flatten it.
constexpr double kFarAbove = 3.0;

/// The shortest 1-2-5 step of time that is not below.
Nanoseconds niceSpan(Nanoseconds least) {
  std::int64_t step = 1'000;
  for (int turn = 0; step < least.count() && step < std::int64_t{1} << 60; ++turn)
    step = turn % 3 == 1 ? step / 2 * 5 : step * 2;
  return Nanoseconds(step);
}

/// The same with the point before, which a line that holds its value begins with.
template <class Point>
Indices withOneBefore(const ChunkedSeries<Point>& points, TimeSpan screen) {
  Indices found = onScreen(points, screen);
  if (found.from > 0) --found.from;
  return found;
}

void include(ValueRange& range, double value) {
  if (std::isnan(value)) return;
  range.from = std::min(range.from, value);
  range.to = std::max(range.to, value);
}

ValueRange withRoom(ValueRange range) {
  if (!(range.to > range.from)) range.to = range.from + 1.0;
  const double room = (range.to - range.from) * kRoom;
  return {range.from - room, range.to + room};
}

}  // namespace

MetricUnit unitOf(PacketGraph graph) {
  switch (graph) {
    case PacketGraph::rtt:
      return MetricUnit::microseconds;
    case PacketGraph::rates:
      return MetricUnit::bitsPerSecond;
    default:
      return MetricUnit::bytes;
  }
}

PacketLines::PacketLines(const DirectionSeries& series, const KernelSide& kernel, PacketGraph graph, TimeSpan screen,
                         int columns)
    : m_series(series), m_graph(graph), m_screen(screen), m_columns(columns), m_heldUntil(screen.from) {
  if (!series.segments().empty()) m_heldUntil = std::max(m_heldUntil, series.segments().back().time);
  if (!series.acknowledgments().empty()) m_heldUntil = std::max(m_heldUntil, series.acknowledgments().back().time);
  gather();
  gatherKernel(kernel);
}

void PacketLines::gatherKernel(const KernelSide& kernel) {
  if (kernel.history == nullptr || kernel.history->empty()) return;
  for (const GraphItem item : itemsOf(m_graph)) {
    const auto metric = kernelMetric(item, kernel.side);
    if (!metric) continue;
    SceneLine line{item, StepColumns(m_columns, m_screen), *kernel.history->lastTime()};
    for (const auto& chunk : kernel.history->chunks()) {
      if (chunk->times().front() > m_screen.to) break;
      gatherKernel(*chunk, *metric, line.columns);
    }
    m_lines.push_back(std::move(line));
  }
}

void PacketLines::gatherKernel(const HistoryChunk& chunk, Metric metric, StepColumns& columns) const {
  const auto [smallest, largest] = chunk.range(metric);
  if (std::isnan(smallest)) return;
  const std::size_t newest = chunk.size() - 1;
  const double last = chunk.value(metric, newest);
  const Moment from = chunk.times().front();
  const Moment to = chunk.times().back();
  if (to < m_screen.from && !std::isnan(last)) return columns.add(to, last);
  if (from >= m_screen.from && to <= m_screen.to && to - from < perColumn() && !std::isnan(last))
    return columns.addBlock(from, to, smallest, largest, last);
  for (std::size_t index = 0; index <= newest; ++index) {
    const double value = chunk.value(metric, index);
    if (!std::isnan(value)) columns.add(chunk.time(index), value);
  }
}

void PacketLines::gather() {
  const auto line = [this](GraphItem item) {
    m_lines.push_back({item, StepColumns(m_columns, m_screen), m_heldUntil});
  };
  switch (m_graph) {
    case PacketGraph::sequence:
      line(GraphItem::windowEdge);
      line(GraphItem::acknowledgment);
      gatherAcknowledged(&m_lines[1].columns, m_series.windowScale() ? &m_lines[0].columns : nullptr, nullptr, nullptr);
      break;
    case PacketGraph::inFlight:
      line(GraphItem::window);
      line(GraphItem::inFlight);
      gatherAcknowledged(nullptr, nullptr, m_series.windowScale() ? &m_lines[0].columns : nullptr, &m_lines[1].columns);
      gatherFlight(m_lines[1].columns);
      break;
    case PacketGraph::window:
      line(GraphItem::window);
      gatherAcknowledged(nullptr, nullptr, m_series.windowScale() ? &m_lines[0].columns : nullptr, nullptr);
      break;
    case PacketGraph::rates:
      gatherRates();
      break;
    case PacketGraph::stevens:
    case PacketGraph::rtt:
      break;
  }
}

void PacketLines::gatherAcknowledged(StepColumns* numbers, StepColumns* edges, StepColumns* windows,
                                     StepColumns* flight) const {
  const auto& points = m_series.acknowledgments();
  const auto lastFlight = [](const AcknowledgmentPoint& point) { return static_cast<double>(point.inFlightBytes); };
  const auto onPoint = [&](const AcknowledgmentPoint& point) {
    const double number = relativeTo(m_series, point.number);
    const auto window = static_cast<double>(m_series.windowBytes(point.window));
    if (numbers != nullptr) numbers->add(point.time, number);
    if (edges != nullptr && point.hasWindow) edges->add(point.time, number + window);
    if (windows != nullptr && point.hasWindow) windows->add(point.time, window);
    if (flight != nullptr && point.inFlightBytes != kUnknownFlight) flight->add(point.time, lastFlight(point));
  };
  const auto onBlock = [&](const AcknowledgmentBlock& block, const AcknowledgmentPoint& first,
                           const AcknowledgmentPoint& last) {
    const double low = relativeTo(m_series, block.numbers.smallest);
    const double high = relativeTo(m_series, block.numbers.largest);
    const double number = relativeTo(m_series, last.number);
    if (numbers != nullptr) numbers->addBlock(first.time, last.time, low, high, number);
    if (flight != nullptr && !block.inFlight.isEmpty() && last.inFlightBytes != kUnknownFlight)
      flight->addBlock(first.time, last.time, block.inFlight.smallest, block.inFlight.largest, lastFlight(last));
    if (block.windows.isEmpty() || !last.hasWindow) return;
    const auto smallest = static_cast<double>(m_series.windowBytes(block.windows.smallest));
    const auto largest = static_cast<double>(m_series.windowBytes(block.windows.largest));
    const auto window = static_cast<double>(m_series.windowBytes(last.window));
    if (windows != nullptr) windows->addBlock(first.time, last.time, smallest, largest, window);
    if (edges != nullptr) edges->addBlock(first.time, last.time, low + smallest, high + largest, number + window);
  };
  const Indices shown = withOneBefore(points, m_screen);
  walkSeries(points, m_series.acknowledgmentBlocks(), shown.from, shown.to, perColumn(), onBlock, onPoint);
}

void PacketLines::gatherFlight(StepColumns& flight) const {
  const Indices shown = withOneBefore(m_series.segments(), m_screen);
  walkSeries(
      m_series.segments(), m_series.segmentBlocks(), shown.from, shown.to, perColumn(),
      [&](const SegmentBlock& block, const SegmentPoint& first, const SegmentPoint& last) {
        if (block.inFlight.isEmpty() || last.inFlightBytes == kUnknownFlight) return;
        flight.addBlock(first.time, last.time, block.inFlight.smallest, block.inFlight.largest, last.inFlightBytes);
      },
      [&](const SegmentPoint& point) {
        if (point.inFlightBytes != kUnknownFlight) flight.add(point.time, point.inFlightBytes);
      });
}

std::optional<Nanoseconds> PacketLines::averagedOver() const {
  if (m_graph != PacketGraph::rates) return std::nullopt;
  return rateSpan(m_screen);
}

Nanoseconds rateSpan(TimeSpan screen) {
  return niceSpan((screen.to - screen.from) / kRateBins);
}

void PacketLines::gatherRates() {
  m_lines.push_back({GraphItem::throughput, StepColumns(m_columns, m_screen), m_heldUntil});
  m_lines.push_back({GraphItem::goodput, StepColumns(m_columns, m_screen), m_heldUntil});
  const auto& segments = m_series.segments();
  if (segments.empty()) return;
  const Nanoseconds bin = *averagedOver();
  // On a grid that does not move with the screen, so that a panned line does not shimmer.
  const Moment origin = segments[0].time;
  Moment from = origin + (m_screen.from - origin) / bin * bin - bin;
  const Moment end = std::min(m_screen.to, segments.back().time);
  StreamBytes before = m_series.bytesBefore(firstFrom(segments, from));
  for (; from <= end; from = from + bin) {
    const StreamBytes until = m_series.bytesBefore(firstFrom(segments, from + bin));
    const double perSecond = 8.0 / toSeconds(bin);
    if (from + bin > m_screen.from || from < m_screen.from) {
      m_lines[0].columns.add(from, static_cast<double>(until.payload - before.payload) * perSecond);
      m_lines[1].columns.add(from, static_cast<double>(until.unique - before.unique) * perSecond);
    }
    before = until;
  }
  for (SceneLine& line : m_lines) line.columns.add(std::min(from, m_screen.to), 0.0);
}

ValueRange PacketLines::streamRange() const {
  ValueRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const Indices shown = onScreen(m_series.segments(), m_screen);
  const auto onPoint = [&](const SegmentPoint& point) {
    if (point.kind == SegmentKind::stray) return;
    include(range, relativeTo(m_series, point.begin));
    include(range, relativeTo(m_series, point.end()));
  };
  walkSeries(
      m_series.segments(), m_series.segmentBlocks(), shown.from, shown.to, perColumn(),
      [&](const SegmentBlock& block, const SegmentPoint&, const SegmentPoint&) {
        if (block.stream.isEmpty()) return;
        include(range, relativeTo(m_series, block.stream.smallest));
        include(range, relativeTo(m_series, block.stream.largest));
      },
      onPoint);
  const Indices marks = marksOnScreen(m_series, m_screen);
  m_series.marks().forEach(marks.from, marks.to,
                           [&](const SegmentMark& mark, std::size_t) { onPoint(m_series.segments()[mark.index]); });
  if (m_graph == PacketGraph::sequence) {
    include(range, m_lines[1].columns.smallest());
    include(range, m_lines[1].columns.largest());
    const double edge = m_lines[0].columns.largest();
    if (edge - range.to <= (range.to - range.from) * kEdgeShare) include(range, edge);
  }
  if (range.from > range.to) return {};
  return withRoom(range);
}

ValueRange PacketLines::rttRange() const {
  ValueRange range{0.0, 0.0};
  const auto& points = m_series.acknowledgments();
  const Indices shown = onScreen(points, m_screen);
  walkSeries(
      points, m_series.acknowledgmentBlocks(), shown.from, shown.to, perColumn(),
      [&](const AcknowledgmentBlock& block, const AcknowledgmentPoint&, const AcknowledgmentPoint&) {
        if (!block.rttsUs.isEmpty()) include(range, double{block.rttsUs.largest});
      },
      [&](const AcknowledgmentPoint& point) { include(range, double{point.rttUs}); });
  for (const SceneLine& line : m_lines) include(range, line.columns.largest());
  return withRoom(range);
}

ValueRange PacketLines::fittingValues() const {
  switch (m_graph) {
    case PacketGraph::sequence:
    case PacketGraph::stevens:
      return streamRange();
    case PacketGraph::rtt:
      return rttRange();
    default:
      break;
  }
  ValueRange range{0.0, 0.0};
  const auto isWindow = [this](const SceneLine& line) {
    return m_graph == PacketGraph::inFlight &&
           (line.item == GraphItem::window || line.item == GraphItem::kernelCongestionWindow);
  };
  for (const SceneLine& line : m_lines) {
    if (!isWindow(line)) include(range, line.columns.largest());
  }
  const double flight = range.to;
  for (const SceneLine& line : m_lines) {
    const double window = line.columns.largest();
    if (isWindow(line) && (flight == 0.0 || window <= kFarAbove * flight)) include(range, window);
  }
  if (m_graph == PacketGraph::window && range.to >= kUnscaledLimit / 4.0) include(range, kUnscaledLimit);
  return withRoom(range);
}

}  // namespace tcpscope
