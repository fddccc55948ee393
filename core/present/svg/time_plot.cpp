#include "core/present/svg/time_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/present/svg/time_axis.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

constexpr double kPlotLeft = 62;
constexpr double kPlotRight = 14;
constexpr double kInnerWidth = kPlotWidth - kPlotLeft - kPlotRight;
constexpr double kLegendLine = 18;
constexpr double kLegendSample = 26;
constexpr double kAboveAxes = 20;
constexpr double kBelowAxes = 36;
constexpr double kTracesHeight = 170;
constexpr double kStripHeight = 70;
/// Of a single point, and of the sample of bars in the legend.
constexpr double kPointSize = 5;
constexpr double kBarSample = 9;
/// A bound stretches the axis by so much at most.
constexpr double kMostStretched = 4.0;
/// Of a letter, in the fonts that pages are shown in; wide enough for all of them.
constexpr double kLetterWidth = 6.6;

constexpr std::array<double, 2> kDashed = {7, 4};
constexpr std::array<double, 2> kDotted = {2, 3};
constexpr std::array<double, 4> kDashDotted = {8, 3, 2, 3};
constexpr std::array<double, 2> kMarkDash = {1, 3};

/// Each trace is identified by its line style as well as by its colour.
std::span<const double> dashOf(std::size_t trace) {
  switch (trace % kPlotTraces) {
    case 1:
      return kDashed;
    case 2:
      return kDotted;
    case 3:
      return kDashDotted;
    default:
      return {};
  }
}

/// Smallest and largest value; nothing of a trace without any.
std::optional<std::pair<double, double>> rangeOf(const PlotTrace& trace) {
  std::optional<std::pair<double, double>> range;
  for (const PlotPoint& point : trace.points) {
    if (!std::isfinite(point.value)) continue;
    if (!range) range = {point.value, point.value};
    range = {std::min(range->first, point.value), std::max(range->second, point.value)};
  }
  return range;
}

/// Of what is no bound; 0 without any.
double measuredOf(const TimePlot& plot) {
  double measured = 0.0;
  for (const PlotTrace& trace : plot.traces) {
    const auto range = rangeOf(trace);
    if (range && !trace.isBound) measured = std::max(measured, range->second);
  }
  return measured;
}

/// What the axis may reach for the sake of bounds.
double mostOf(const TimePlot& plot) {
  const double measured = measuredOf(plot);
  return measured > 0.0 ? measured * kMostStretched : std::numeric_limits<double>::infinity();
}

/// Where the axis ends, before it is rounded up.
double largestOf(const TimePlot& plot) {
  if (plot.isStrip()) return 1.0;
  double largest = measuredOf(plot);
  const double most = mostOf(plot);
  for (const PlotTrace& trace : plot.traces) {
    for (const PlotPoint& point : trace.points) {
      if (std::isfinite(point.value) && point.value <= most) largest = std::max(largest, point.value);
    }
  }
  return largest;
}

/// The end of the vertical axis: a whole number of steps.
struct AxisEnd {
  AxisUnit unit;
  double step = 1.0;
  /// In the unit.
  double largest = 1.0;

  explicit AxisEnd(const TimePlot& plot) : unit(axisUnit(plot.quantity, largestOf(plot))) {
    const double least = largestOf(plot) / unit.factor;
    step = tickStep(least, plot.isStrip() ? 2.0 : 4.0);
    largest = step * std::max(1.0, std::ceil(least / step - 1e-9));
  }
  [[nodiscard]] bool shows(double value) const { return value / unit.factor <= largest * (1.0 + 1e-9); }
};

/// A bound of which the axis shows nothing.
bool isAbove(const PlotTrace& trace, const TimePlot& plot) {
  const auto range = rangeOf(trace);
  return trace.isBound && range && range->first > mostOf(plot);
}

/// In place of a line.
constexpr char kAboveSign = '^';

struct LegendEntry {
  std::string label;
  PlotStroke stroke;
  /// A letter that stands in the strip, too; 0 for a trace.
  char letter = 0;
  PlotTraceStyle style = PlotTraceStyle::line;
};

/// What the strip calls a limit where it has room.
char letterOf(Limit limit) {
  constexpr std::array<char, kLimitCount> kLetters = {'R', 'S', 'N', 'L', 'T', 'A', 'I', '?'};
  return kLetters[static_cast<std::size_t>(limit)];
}

std::vector<LegendEntry> legendOf(const TimePlot& plot) {
  std::vector<LegendEntry> entries;
  for (std::size_t trace = 0; trace < plot.traces.size(); ++trace) {
    if (isAbove(plot.traces[trace], plot)) {
      const auto range = rangeOf(plot.traces[trace]);
      entries.push_back(
          {fmt::format("{} {}, above this plot", plot.traces[trace].label, formatQuantity(plot.quantity, range->first)),
           {},
           kAboveSign});
      continue;
    }
    std::string label = plot.traces[trace].label;
    const auto range = rangeOf(plot.traces[trace]);
    if (range && !AxisEnd(plot).shows(range->second)) {
      label += fmt::format(", up to {} above this plot", formatQuantity(plot.quantity, range->second));
    }
    entries.push_back({std::move(label), {traceInk(trace), 2.0, dashOf(trace)}, 0, plot.traces[trace].style});
  }
  const LimitShares shares = sharesOf(plot);
  for (const Limit limit : kLimits) {
    if (plot.isStrip() && shares.ratio(limit) >= 0.0005) {
      entries.push_back({fmt::format("{} {}", shortName(limit), formatRatio(shares.ratio(limit))),
                         {limitInk(limit), 12.0},
                         letterOf(limit)});
    }
  }
  return entries;
}

double widthOf(const LegendEntry& entry) {
  // Bytes, not letters: what is left over is a little room.
  constexpr std::size_t kLetterAndBlank = 2;
  const std::size_t letters = entry.label.size() + (entry.letter == 0 ? 0 : kLetterAndBlank);
  return kLegendSample + 20 + kLetterWidth * static_cast<double>(letters);
}

/// The position of each entry, line by line.
std::vector<PlotPosition> placed(const std::vector<LegendEntry>& entries) {
  std::vector<PlotPosition> positions;
  PlotPosition next{kPlotLeft, 12};
  for (const LegendEntry& entry : entries) {
    if (next.x > kPlotLeft && next.x + widthOf(entry) > kPlotWidth) next = {kPlotLeft, next.y + kLegendLine};
    positions.push_back(next);
    next.x += widthOf(entry);
  }
  return positions;
}

double legendHeight(const TimePlot& plot) {
  const std::vector<PlotPosition> positions = placed(legendOf(plot));
  return positions.empty() ? 0.0 : positions.back().y + 8;
}

class PlotDrawing {
public:
  PlotDrawing(const TimePlot& plot, PlotCanvas& canvas)
      : m_plot(plot),
        m_canvas(canvas),
        m_top(legendHeight(plot) + kAboveAxes),
        m_height(axesHeight(plot)),
        m_end(plot) {}

  void draw() {
    drawLegend();
    if (m_plot.isStrip()) drawStrip();
    drawBands();
    drawAxes();
    drawMarks();
    for (std::size_t trace = 0; trace < m_plot.traces.size(); ++trace) drawTrace(trace);
  }

private:
  [[nodiscard]] double bottom() const { return m_top + m_height; }
  [[nodiscard]] double xOf(double seconds) const {
    return kPlotLeft + (m_plot.seconds > 0.0 ? kInnerWidth * std::clamp(seconds / m_plot.seconds, 0.0, 1.0) : 0.0);
  }
  [[nodiscard]] double yOf(double value) const {
    return m_top + m_height * (1.0 - std::clamp(value / m_end.unit.factor / m_end.largest, 0.0, 1.0));
  }

  void drawLegend() {
    const std::vector<LegendEntry> entries = legendOf(m_plot);
    const std::vector<PlotPosition> positions = placed(entries);
    for (std::size_t index = 0; index < entries.size(); ++index) {
      const auto [x, y] = positions[index];
      drawSample(entries[index], {x, y - 4});
      const char letter = entries[index].letter;
      const bool isLimit = letter != 0 && letter != kAboveSign;
      const std::string label = isLimit ? fmt::format("{} {}", letter, entries[index].label) : entries[index].label;
      m_canvas.text({x + kLegendSample, y}, label, PlotAnchor::start, PlotInk::text);
    }
  }

  void drawSample(const LegendEntry& entry, PlotPosition from) {
    const double width = kLegendSample - 6;
    const double size = entry.style == PlotTraceStyle::bars ? kBarSample : kPointSize;
    if (entry.letter == kAboveSign) {
      m_canvas.polyline(
          std::array<PlotPosition, 3>{
              {{from.x + width - 10, from.y + 4}, {from.x + width - 5, from.y - 4}, {from.x + width, from.y + 4}}},
          {PlotInk::mark, 1.5});
    } else if (entry.style == PlotTraceStyle::line) {
      m_canvas.line(from, {from.x + width, from.y}, entry.stroke);
    } else {
      m_canvas.rectangle({from.x + (width - size) / 2, from.y - size / 2}, size, size, entry.stroke.ink);
    }
  }

  void drawAxes() {
    m_canvas.text({kPlotLeft - 6, m_top - 8}, m_end.unit.name, PlotAnchor::end, PlotInk::quietText);
    for (int tick = 0; m_end.step * tick <= m_end.largest * (1.0 + 1e-9); ++tick) {
      const double y = yOf(m_end.step * tick * m_end.unit.factor);
      if (tick > 0 && !m_plot.isStrip()) {
        m_canvas.line({kPlotLeft, y}, {kPlotLeft + kInnerWidth, y}, {PlotInk::grid, 1.0});
      }
      m_canvas.text({kPlotLeft - 6, y + 4}, tickLabel(m_end.step * tick), PlotAnchor::end, PlotInk::quietText);
    }
    m_canvas.line({kPlotLeft, bottom()}, {kPlotLeft + kInnerWidth, bottom()}, {PlotInk::axis, 1.0});
    const HorizontalAxis axis = horizontalAxis(m_plot);
    for (const AxisTick& tick : axis.ticks) {
      const double x = xOf(tick.position);
      m_canvas.line({x, bottom()}, {x, bottom() + 4}, {PlotInk::axis, 1.0});
      // Half a label must not stand beside the plot.
      const double half = kLetterWidth / 2 * static_cast<double>(tick.label.size());
      const bool endsHere = x + half > kPlotWidth;
      m_canvas.text({endsHere ? kPlotWidth : x, bottom() + 17}, tick.label,
                    endsHere ? PlotAnchor::end : PlotAnchor::middle, PlotInk::quietText);
    }
    m_canvas.text({kPlotLeft + kInnerWidth, bottom() + 32}, axis.caption, PlotAnchor::end, PlotInk::quietText);
  }

  void drawMarks() {
    double free = kPlotLeft;
    for (const PlotMark& mark : m_plot.marks) {
      const double x = xOf(mark.seconds);
      m_canvas.line({x, m_top}, {x, bottom()}, {PlotInk::mark, 1.5, kMarkDash});
      const double width = kLetterWidth * static_cast<double>(mark.label.size());
      const bool endsHere = x + width > kPlotLeft + kInnerWidth;
      const double begin = endsHere ? x - width : x;
      if (begin < free) continue;
      m_canvas.text({x, m_top - 6}, mark.label, endsHere ? PlotAnchor::end : PlotAnchor::start, PlotInk::text);
      free = begin + width;
    }
  }

  void drawBands() {
    constexpr double kLeastHeight = 4;
    for (const PlotBand& band : m_plot.bands) {
      const double x = xOf(band.fromSeconds);
      const double top = yOf(band.high);
      const double height = std::max(yOf(band.low) - top, kLeastHeight);
      m_canvas.rectangle({x, std::min(top, bottom() - height)}, xOf(band.toSeconds) - x, height, PlotInk::grid);
    }
  }

  void drawPoints(std::size_t index) {
    for (const PlotPoint& point : m_plot.traces[index].points) {
      if (!std::isfinite(point.value)) continue;
      m_canvas.rectangle({xOf(point.seconds) - kPointSize / 2, yOf(point.value) - kPointSize / 2}, kPointSize,
                         kPointSize, traceInk(index));
    }
  }

  void drawBars(std::size_t index) {
    const std::vector<PlotPoint>& points = m_plot.traces[index].points;
    for (std::size_t bar = 0; bar + 1 < points.size(); ++bar) {
      const double y = yOf(points[bar].value);
      const double x = xOf(points[bar].seconds);
      if (y < bottom()) m_canvas.rectangle({x, y}, xOf(points[bar + 1].seconds) - x, bottom() - y, traceInk(index));
    }
  }

  void drawTrace(std::size_t index) {
    if (isAbove(m_plot.traces[index], m_plot)) return;
    if (m_plot.traces[index].style == PlotTraceStyle::points) return drawPoints(index);
    if (m_plot.traces[index].style == PlotTraceStyle::bars) return drawBars(index);
    std::vector<PlotPosition> points;
    for (const PlotPoint& point : m_plot.traces[index].points) {
      if (!std::isfinite(point.value)) continue;
      if (m_end.shows(point.value)) {
        points.push_back({xOf(point.seconds), yOf(point.value)});
      } else {
        // A line along the top would stand for a value that it has not.
        drawLine(index, std::exchange(points, {}));
      }
    }
    drawLine(index, std::move(points));
  }

  void drawLine(std::size_t index, std::vector<PlotPosition> points) {
    if (points.size() == 1) points.push_back({points.front().x + 2, points.front().y});
    if (!points.empty()) m_canvas.polyline(points, {traceInk(index), 2.0, dashOf(index)});
  }

  void drawStrip() {
    for (const LimitSlice& slice : m_plot.limits) {
      double share = 0.0;
      const double x = xOf(slice.fromSeconds);
      // A hair more, so that no gap shines through between neighbours.
      const double width = xOf(slice.toSeconds) - x + 0.3;
      for (const Limit limit : kLimits) {
        const double ratio = slice.shares.ratio(limit);
        if (ratio <= 0.0) continue;
        m_canvas.rectangle({x, m_top + m_height * share}, width, m_height * ratio, limitInk(limit));
        share += ratio;
      }
    }
    drawLetters();
  }

  /// The letter of the limit below each stretch in which one limit held for most of the time.
  void drawLetters() {
    constexpr double kRoom = 14;
    std::size_t begin = 0;
    while (begin < m_plot.limits.size()) {
      const Limit limit = m_plot.limits[begin].shares.largest();
      std::size_t end = begin + 1;
      while (end < m_plot.limits.size() && m_plot.limits[end].shares.largest() == limit) ++end;
      const double from = xOf(m_plot.limits[begin].fromSeconds);
      const double to = xOf(m_plot.limits[end - 1].toSeconds);
      if (to - from >= kRoom) {
        m_canvas.text({(from + to) / 2, m_top - 5}, std::string(1, letterOf(limit)), PlotAnchor::middle, PlotInk::text);
      }
      begin = end;
    }
  }

  const TimePlot& m_plot;
  PlotCanvas& m_canvas;
  double m_top;
  double m_height;
  AxisEnd m_end;
};

}  // namespace

double axesHeight(const TimePlot& plot) {
  if (plot.axesHeight > 0.0) return plot.axesHeight;
  return plot.isStrip() ? kStripHeight : kTracesHeight;
}

double plotHeight(const TimePlot& plot) {
  return legendHeight(plot) + kAboveAxes + axesHeight(plot) + kBelowAxes;
}

void draw(const TimePlot& plot, PlotCanvas& canvas) {
  PlotDrawing(plot, canvas).draw();
}

std::optional<double> valueAt(const PlotTrace& trace, double seconds) {
  std::optional<double> value;
  for (const PlotPoint& point : trace.points) {
    if (point.seconds > seconds) break;
    if (std::isfinite(point.value)) value = point.value;
  }
  return value;
}

std::optional<double> meanWithin(const PlotTrace& trace, double from, double to) {
  const std::vector<PlotPoint>& totals = trace.totals;
  if (totals.empty()) return std::nullopt;
  const double begin = std::max(from, totals.front().seconds);
  const double end = std::min(to, totals.back().seconds);
  if (end <= begin) return std::nullopt;
  const auto totalAt = [&](double seconds) {
    const auto after = std::lower_bound(totals.begin(), totals.end(), seconds,
                                        [](const PlotPoint& point, double value) { return point.seconds < value; });
    if (after == totals.begin()) return after->value;
    const auto before = after - 1;
    const double share = (seconds - before->seconds) / (after->seconds - before->seconds);
    return before->value + share * (after->value - before->value);
  };
  return (totalAt(end) - totalAt(begin)) / (end - begin);
}

LimitShares sharesOf(const TimePlot& plot) {
  LimitShares sum;
  for (const LimitSlice& slice : plot.limits) sum += slice.shares;
  return sum;
}

}  // namespace tcpscope
