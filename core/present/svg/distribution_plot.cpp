#include "core/present/svg/distribution_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/present/svg/axis_scale.h"
#include "core/present/svg/series_style.h"
#include "core/present/svg/svg_picture.h"

namespace tcpscope {

namespace {

constexpr double kPictureWidth = 800;
constexpr double kPictureHeight = 480;
constexpr double kLeftEdge = 90;
constexpr double kRightEdge = 30;
constexpr double kTopEdge = 72;
constexpr double kBottomEdge = 80;
constexpr double kRunsHeight = kPictureHeight - kTopEdge - kBottomEdge;
/// Of a box, or of what is printed beside it.
constexpr double kColumnWidth = 48;
/// Between two series.
constexpr double kColumnGap = 14;
constexpr double kTableLine = 20;
/// Fewer values have no quartiles worth a box.
constexpr std::size_t kFewestForBox = 4;

std::size_t columnsOf(const DistributionSeries& series) {
  return series.printed ? 2 : 1;
}

double boxesWidth(const DistributionPlot& plot) {
  double width = 0.0;
  for (const DistributionSeries& series : plot.series) {
    width += kColumnGap + kColumnWidth * static_cast<double>(columnsOf(series));
  }
  return width;
}

std::optional<Interval> deviationOf(const SampleSummary& printed) {
  if (!printed.standardDeviation) return std::nullopt;
  return Interval{printed.mean - *printed.standardDeviation, printed.mean + *printed.standardDeviation};
}

class RunDrawing {
public:
  explicit RunDrawing(const DistributionPlot& plot)
      : m_plot(plot),
        m_picture(kPictureWidth, heightOf(plot)),
        m_runsWidth(kPictureWidth - kLeftEdge - kRightEdge - boxesWidth(plot)) {
    double largest = 0.0;
    for (const DistributionSeries& series : plot.series) {
      for (const DistributionPoint& point : series.points) {
        if (!std::isfinite(point.y)) continue;
        largest = std::max(largest, point.y);
        m_lastRun = std::max(m_lastRun, point.x);
      }
      if (!series.printed) continue;
      const auto deviation = deviationOf(*series.printed);
      largest = std::max({largest, series.printed->mean, deviation ? deviation->high : 0.0});
    }
    m_step = tickStep(largest);
    m_topValue = m_step * std::max(1.0, std::ceil(largest / m_step - 1e-9));
  }

  std::string draw() {
    m_picture.text(kPictureWidth / 2, 26, "middle", m_plot.title, " font-size=\"16\"");
    m_picture.text(kLeftEdge + m_runsWidth / 2, kTopEdge + kRunsHeight + 44, "middle", m_plot.xLabel);
    m_picture.verticalText(kTopEdge + kRunsHeight / 2, m_plot.yLabel);
    drawAxes();
    drawLegend();
    double x = kLeftEdge + m_runsWidth;
    for (std::size_t number = 0; number < m_plot.series.size(); ++number) {
      drawRuns(number);
      x += kColumnGap;
      drawSummaries(number, x);
      x += kColumnWidth * static_cast<double>(columnsOf(m_plot.series[number]));
    }
    drawTable();
    return m_picture.finish();
  }

private:
  static std::string_view colorOf(std::size_t number) { return kSeriesColors[number % kSeriesColors.size()]; }
  [[nodiscard]] double xOf(double run) const {
    // From half a run before the first to half a run after the last.
    return kLeftEdge + m_runsWidth * (run - 0.5) / m_lastRun;
  }
  [[nodiscard]] double yOf(double value) const {
    return kTopEdge + kRunsHeight * (1.0 - std::clamp(value / m_topValue, 0.0, 1.0));
  }

  void drawAxes() {
    const double right = kPictureWidth - kRightEdge;
    for (int tick = 0; m_step * tick <= m_topValue * (1.0 + 1e-9); ++tick) {
      const double y = yOf(m_step * tick);
      m_picture.line(kLeftEdge, y, right, y, tick == 0 ? "#404040" : "#d8d8d8", 1);
      m_picture.text(kLeftEdge - 8, y + 4, "end", seriesTickText(m_step * tick));
    }
    const double step = std::max(1.0, std::round(tickStep(m_lastRun)));
    for (double run = step; run <= m_lastRun; run += step) {
      m_picture.text(xOf(run), kTopEdge + kRunsHeight + 20, "middle", fmt::format("{:.0f}", run));
    }
    m_picture.line(kLeftEdge + m_runsWidth, kTopEdge, kLeftEdge + m_runsWidth, kTopEdge + kRunsHeight, "#404040", 1);
  }

  void drawLegend() {
    double x = kLeftEdge;
    for (std::size_t number = 0; number < m_plot.series.size(); ++number) {
      const std::string& label = m_plot.series[number].label;
      std::string mark;
      addPoint(mark, number, x + 5, 50);
      addPoints(number, mark, 1.0);
      m_picture.text(x + 16, 54, "start", label);
      x += 40.0 + 7.0 * static_cast<double>(label.size());
    }
  }

  /// Circles, squares and triangles in turn.
  static void addPoint(std::string& path, std::size_t number, double x, double y) {
    constexpr double kHalf = 2.6;
    switch (number % 3) {
      case 0:
        fmt::format_to(std::back_inserter(path), "M{:.1f},{:.1f}a2.6,2.6 0 1 0 5.2,0a2.6,2.6 0 1 0 -5.2,0", x - kHalf,
                       y);
        break;
      case 1:
        fmt::format_to(std::back_inserter(path), "M{:.1f},{:.1f}h4.6v4.6h-4.6z", x - 2.3, y - 2.3);
        break;
      default:
        fmt::format_to(std::back_inserter(path), "M{:.1f},{:.1f}l3.2,5.6h-6.4z", x, y - 3.4);
    }
  }
  void addPoints(std::size_t number, std::string_view path, double opacity) {
    m_picture.add("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n", path, colorOf(number), opacity);
  }

  void drawRuns(std::size_t number) {
    // One path a series: hundreds of elements would be slow to draw.
    std::string path;
    for (const DistributionPoint& point : m_plot.series[number].points) {
      if (std::isfinite(point.y)) addPoint(path, number, xOf(point.x), yOf(point.y));
    }
    // Where there are many, those behind them show through.
    constexpr std::size_t kMany = 50;
    if (!path.empty()) addPoints(number, path, m_plot.series[number].points.size() > kMany ? 0.7 : 1.0);
  }

  void drawSummaries(std::size_t number, double left) {
    const DistributionSeries& series = m_plot.series[number];
    const double y = kTopEdge + kRunsHeight;
    m_picture.text(left + kColumnWidth / 2, y + 18, "middle", "here");
    drawQuantiles(number, left + kColumnWidth / 2);
    const double width = kColumnWidth * static_cast<double>(columnsOf(series));
    m_picture.text(left + width / 2, y + 36, "middle", series.label);
    if (!series.printed) return;
    m_picture.text(left + kColumnWidth * 1.5, y + 18, "middle", "printed");
    drawPrinted(*series.printed, left + kColumnWidth * 1.5);
  }

  void drawQuantiles(std::size_t number, double x) {
    constexpr double kHalfBox = 14;
    const DistributionSeries& series = m_plot.series[number];
    const std::string_view color = colorOf(number);
    const auto quantiles = quantilesOf(series.points);
    if (!quantiles) return;
    if (series.points.size() >= kFewestForBox) {
      const double top = yOf(quantiles->upperQuartile);
      const double bottom = yOf(quantiles->lowerQuartile);
      m_picture.line(x, yOf(quantiles->fifth), x, bottom, color, 1.5);
      m_picture.line(x, top, x, yOf(quantiles->ninetyFifth), color, 1.5);
      for (const double end : {quantiles->fifth, quantiles->ninetyFifth}) {
        m_picture.line(x - kHalfBox / 2, yOf(end), x + kHalfBox / 2, yOf(end), color, 1.5);
      }
      m_picture.add(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" fill-opacity=\"0.2\" "
          "stroke=\"{}\" stroke-width=\"1.5\"/>\n",
          x - kHalfBox, top, kHalfBox * 2, std::max(bottom - top, 0.5), color, color);
    }
    m_picture.line(x - kHalfBox, yOf(quantiles->median), x + kHalfBox, yOf(quantiles->median), color, 2.5);
  }

  /// Its quartiles are not known: mean and deviation, and the median.
  void drawPrinted(const SampleSummary& printed, double x) {
    constexpr std::string_view kPrintedColor = "#404040";
    if (const auto deviation = deviationOf(printed)) {
      m_picture.line(x, yOf(deviation->low), x, yOf(deviation->high), kPrintedColor, 1.5);
    }
    m_picture.line(x - 12, yOf(printed.median), x + 12, yOf(printed.median), kPrintedColor, 2.5);
    const double y = yOf(printed.mean);
    m_picture.add("<path d=\"M{:.1f},{:.1f}l5,5l-5,5l-5,-5z\" fill=\"white\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", x,
                  y - 5, kPrintedColor);
  }

  /// Columns as wide as their longest texts.
  void drawTable() {
    std::vector<double> widths;
    double sum = 0.0;
    for (const std::vector<std::string>& row : m_plot.table) {
      widths.resize(std::max(widths.size(), row.size()), 1.0);
      for (std::size_t column = 0; column < row.size(); ++column) {
        constexpr double kBetween = 3.0;
        widths[column] = std::max(widths[column], static_cast<double>(row[column].size()) + kBetween);
      }
    }
    for (const double width : widths) sum += width;
    double y = kPictureHeight + 8;
    for (const std::vector<std::string>& row : m_plot.table) {
      const std::string_view weight = &row == &m_plot.table.front() ? " font-weight=\"bold\"" : "";
      double x = kRightEdge;
      for (std::size_t column = 0; column < row.size(); ++column) {
        m_picture.text(x, y, "start", row[column], weight);
        x += (kPictureWidth - kRightEdge * 2) * widths[column] / sum;
      }
      y += kTableLine;
    }
  }

  const DistributionPlot& m_plot;
  SvgPicture m_picture;
  double m_runsWidth;
  double m_lastRun = 1.0;
  double m_step = 1.0;
  double m_topValue = 1.0;
};

double quantileAt(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

std::optional<Quantiles> quantilesOf(std::span<const DistributionPoint> points) {
  std::vector<double> sorted;
  sorted.reserve(points.size());
  for (const DistributionPoint& point : points) {
    if (std::isfinite(point.y)) sorted.push_back(point.y);
  }
  if (sorted.empty()) return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  return Quantiles{quantileAt(sorted, 0.05), quantileAt(sorted, 0.25), quantileAt(sorted, 0.5),
                   quantileAt(sorted, 0.75), quantileAt(sorted, 0.95)};
}

double heightOf(const DistributionPlot& plot) {
  const double rows = static_cast<double>(plot.table.size());
  return kPictureHeight + (plot.table.empty() ? 0.0 : kTableLine * rows);
}

std::string toSvg(const DistributionPlot& plot) {
  return RunDrawing(plot).draw();
}

}  // namespace tcpscope
