#include "ui/plots/packet_scene.h"

#include <QPoint>
#include <array>
#include <cmath>

#include "ui/plots/packet_screen.h"
#include "ui/plots/series_walk.h"

namespace tcpscope {

namespace {

/// Retransmissions of graphs without a sequence axis stand so many pixels above the bottom.
constexpr int kBottomMarks = 8;
/// More RTT samples than these are drawn as the range of each column.
constexpr std::size_t kDotsAtMost = 1'000'000;

/// Is the line drawn here, where it is dashed or dotted? In pixels of the screen.
bool isInked(Qt::PenStyle style, int x) {
  switch (style) {
    case Qt::DashLine:
      return x % 9 < 6;
    case Qt::DotLine:
      return x % 4 < 2;
    case Qt::DashDotLine:
      return x % 14 < 8 || x % 14 == 10 || x % 14 == 11;
    default:
      return true;
  }
}

}  // namespace

/// Values and moments on the canvas.
struct PacketScene::Pixels {
  PixelCanvas& canvas;
  const DirectionSeries& series;
  TimeSpan screen;
  ValueRange values;
  Appearance appearance;

  [[nodiscard]] int x(Moment time) const {
    const double share =
        static_cast<double>((time - screen.from).count()) / static_cast<double>((screen.to - screen.from).count());
    return static_cast<int>(std::clamp(std::floor(share * canvas.width()), -1e5, 1e5));
  }
  [[nodiscard]] int y(double value) const {
    const double share = (value - values.from) / (values.to - values.from);
    return static_cast<int>(std::clamp(std::floor((1.0 - share) * (canvas.height() - 1) + 0.5), -1e5, 1e5));
  }
  [[nodiscard]] int y(StreamOffset offset) const { return y(relativeTo(series, offset)); }
  /// Few bars stand better on two columns of pixels than on one.
  [[nodiscard]] bool isSparse(std::size_t points) const { return points < static_cast<std::size_t>(canvas.width()); }
  void bar(int left, int top, int bottom, QRgb ink, bool isWide) const {
    canvas.bar(left, top, bottom, ink);
    if (isWide) canvas.bar(left + canvas.scale(), top, bottom, ink);
  }
  [[nodiscard]] QRgb color(GraphItem item) const { return itemColor(item, appearance); }
};

PacketScene::PacketScene(const DirectionSeries& series, const KernelSide& kernel, PacketGraph graph, TimeSpan screen,
                         int columns)
    : m_series(series),
      m_graph(graph),
      m_screen(screen),
      m_columns(std::max(columns, 1)),
      m_lines(series, kernel, graph, screen, m_columns) {}

void PacketScene::paint(PixelCanvas& canvas, ValueRange values, Appearance appearance) const {
  const Pixels pixels{canvas, m_series, m_screen, values, appearance};
  if (m_graph == PacketGraph::sequence) {
    paintLine(pixels, m_lines.lines()[0]);
    paintSacks(pixels);
    paintSegments(pixels);
    paintLine(pixels, m_lines.lines()[1]);
    paintOddAcknowledgments(pixels);
    return paintMarks(pixels);
  }
  if (m_graph == PacketGraph::stevens) paintSegments(pixels);
  if (m_graph == PacketGraph::rtt) paintRtts(pixels);
  if (m_graph == PacketGraph::window) {
    SceneLine limit{GraphItem::unscaledLimit, StepColumns(m_columns, m_screen), m_screen.to};
    limit.columns.add(m_screen.from - Nanoseconds(1), kUnscaledLimit);
    paintLine(pixels, limit);
  }
  for (const SceneLine& line : m_lines.lines()) paintLine(pixels, line);
  if (m_graph != PacketGraph::window) paintMarks(pixels);
  if (m_graph == PacketGraph::window || m_graph == PacketGraph::inFlight) paintOddAcknowledgments(pixels);
}

void PacketScene::paintSegments(const Pixels& pixels) const {
  const QRgb color = pixels.color(GraphItem::segment);
  const int scale = pixels.canvas.scale();
  const bool asDots = m_graph == PacketGraph::stevens;
  const Indices shown = onScreen(m_series.segments(), m_screen);
  const bool isSparse = pixels.isSparse(shown.to - shown.from);
  walkSeries(
      m_series.segments(), m_series.segmentBlocks(), shown.from, shown.to, perColumn(),
      [&](const SegmentBlock& block, const SegmentPoint& first, const SegmentPoint& last) {
        if (block.stream.isEmpty()) return;
        const int top = pixels.y(block.stream.largest);
        const int bottom = pixels.y(block.stream.smallest);
        pixels.canvas.bar(pixels.x(first.time), top, bottom, color);
        if (pixels.x(last.time) != pixels.x(first.time)) pixels.canvas.bar(pixels.x(last.time), top, bottom, color);
      },
      [&](const SegmentPoint& point) {
        if (point.kind != SegmentKind::newData && point.kind != SegmentKind::none) return;
        const int x = pixels.x(point.time);
        const int bottom = pixels.y(point.begin);
        if (asDots) return pixels.canvas.dot(x, bottom, color);
        const int top = pixels.y(point.end());
        pixels.bar(x, top, bottom, color, isSparse);
        // Feet and heads where there is room, as on a ladder.
        if (bottom - top < 6 * scale) return;
        pixels.canvas.run(x - scale, x + 2 * scale - 1, top, color);
        pixels.canvas.run(x - scale, x + 2 * scale - 1, bottom, color);
      });
}

void PacketScene::paintSacks(const Pixels& pixels) const {
  const QRgb color = pixels.color(GraphItem::sack);
  const Indices shown = onScreen(m_series.sacks(), m_screen);
  const bool isSparse = pixels.isSparse(shown.to - shown.from);
  m_series.sacks().forEach(shown.from, shown.to, [&](const SackPoint& point, std::size_t) {
    pixels.bar(pixels.x(point.time), pixels.y(point.end), pixels.y(point.begin), color, isSparse);
  });
}

void PacketScene::paintMarks(const Pixels& pixels) const {
  const bool onStream = m_graph == PacketGraph::sequence || m_graph == PacketGraph::stevens;
  const int bottom = pixels.canvas.height() - kBottomMarks * pixels.canvas.scale();
  const Indices shown = marksOnScreen(m_series, m_screen);
  // Where marks of one kind stand in the same place, one is enough.
  std::array<int, kGraphItemCount> lastX{};
  std::array<int, kGraphItemCount> lastY{};
  lastX.fill(std::numeric_limits<int>::min());
  m_series.marks().forEach(shown.from, shown.to, [&](const SegmentMark& mark, std::size_t) {
    const SegmentPoint& point = m_series.segments()[mark.index];
    const auto item = itemOf(point, mark.cause);
    if (!item || (!onStream && (*item == GraphItem::outOfOrder || *item == GraphItem::probe))) return;
    const QRgb color = pixels.color(*item);
    const int x = pixels.x(point.time);
    const int low = onStream ? pixels.y(point.begin) : bottom;
    const int high = onStream ? pixels.y(point.end()) : bottom;
    if (m_graph == PacketGraph::sequence) pixels.canvas.bar(x, high, low, color);
    const auto number = static_cast<std::size_t>(*item);
    const int y = (low + high) / 2;
    if (lastX.at(number) == x && lastY.at(number) == y) return;
    lastX.at(number) = x;
    lastY.at(number) = y;
    pixels.canvas.marker(graphItemRow(*item).marker, x, y, color);
  });
}

void PacketScene::paintOddAcknowledgments(const Pixels& pixels) const {
  const auto& acknowledgments = m_series.acknowledgments();
  const Indices shown = onScreen(acknowledgments, m_screen);
  const auto& odd = m_series.oddAcknowledgments();
  const std::size_t end = firstOddFrom(m_series, shown.to);
  // As with marks: one in the same place is enough.
  QPoint last(-1, -1);
  bool lastWasZero = false;
  for (std::size_t number = firstOddFrom(m_series, shown.from); number < end; ++number) {
    const AcknowledgmentPoint& point = acknowledgments[odd[number]];
    const int x = pixels.x(point.time);
    const int y = m_graph == PacketGraph::sequence ? pixels.y(point.number) : pixels.y(0.0);
    if (last == QPoint(x, y) && point.isZeroWindow() == lastWasZero) continue;
    last = QPoint(x, y);
    lastWasZero = point.isZeroWindow();
    const auto draw = [&](GraphItem item) {
      pixels.canvas.marker(graphItemRow(item).marker, x, y, pixels.color(item));
    };
    if (point.isZeroWindow()) draw(GraphItem::zeroWindow);
    if (point.isDuplicate && m_graph == PacketGraph::sequence) draw(GraphItem::duplicateAck);
  }
}

void PacketScene::paintRtts(const Pixels& pixels) const {
  const QRgb color = pixels.color(GraphItem::rtt);
  const auto& points = m_series.acknowledgments();
  const Indices shown = onScreen(points, m_screen);
  const Nanoseconds narrow = shown.to - shown.from > kDotsAtMost ? perColumn() : Nanoseconds(0);
  walkSeries(
      points, m_series.acknowledgmentBlocks(), shown.from, shown.to, narrow,
      [&](const AcknowledgmentBlock& block, const AcknowledgmentPoint& first, const AcknowledgmentPoint&) {
        if (block.rttsUs.isEmpty()) return;
        pixels.canvas.bar(pixels.x(first.time), pixels.y(double{block.rttsUs.largest}),
                          pixels.y(double{block.rttsUs.smallest}), color);
      },
      [&](const AcknowledgmentPoint& point) {
        if (std::isnan(point.rttUs)) return;
        pixels.canvas.dot(pixels.x(point.time), pixels.y(double{point.rttUs}), color);
      });
}

void PacketScene::paintLine(const Pixels& pixels, const SceneLine& line) const {
  const QRgb color = pixels.color(line.item);
  const Qt::PenStyle style = graphItemRow(line.item).line;
  const int scale = pixels.canvas.scale();
  double held = line.columns.before();
  const int end = std::min(pixels.x(line.heldUntil) + 1, pixels.canvas.width());
  for (int x = 0; x < end; ++x) {
    const StepColumn& column = line.columns.columns()[static_cast<std::size_t>(x)];
    if (std::isnan(column.last)) {
      if (!std::isnan(held) && isInked(style, x / scale)) pixels.canvas.run(x, x, pixels.y(held), color);
      continue;
    }
    const double low = std::isnan(held) ? column.smallest : std::min(held, column.smallest);
    const double high = std::isnan(held) ? column.largest : std::max(held, column.largest);
    pixels.canvas.bar(x, pixels.y(high), pixels.y(low) + scale - 1, color);
    held = column.last;
  }
}

}  // namespace tcpscope
