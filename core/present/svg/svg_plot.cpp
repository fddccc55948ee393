#include "core/present/svg/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/present/svg/axis_scale.h"
#include "core/present/svg/series_style.h"
#include "core/present/svg/svg_picture.h"

namespace tcpscope {

namespace {

constexpr double kWidth = 800;
constexpr double kHeight = 480;
constexpr double kLeft = 90;
/// Beside the plot: room for the series' names, or none.
constexpr double kLegend = 190;
constexpr double kMargin = 30;
constexpr double kTop = 50;
constexpr double kBottom = 70;
constexpr double kPlotHeight = kHeight - kTop - kBottom;

/// What the bar of a mean spans.
std::optional<Interval> barOf(const SvgPlot& plot, const SampleSummary& value) {
  if (!plot.showsDeviation) return value.meanInterval95;
  if (!value.standardDeviation) return std::nullopt;
  return Interval{value.mean - *value.standardDeviation, value.mean + *value.standardDeviation};
}

/// Each value that has a place on the y axis.
template <class Use>
void forEachValue(const SvgPlot& plot, const Use& use) {
  for (const SvgSeries& series : plot.series) {
    for (const auto& value : series.values) {
      if (value && std::isfinite(value->mean) && (!plot.isLogarithmic || value->mean > 0.0)) use(*value);
    }
  }
}

double largestValue(const SvgPlot& plot) {
  double largest = plot.bound ? plot.bound->value : 0.0;
  forEachValue(plot, [&](const SampleSummary& value) {
    const auto bar = barOf(plot, value);
    largest = std::max({largest, value.mean, bar ? bar->high : 0.0});
  });
  return largest;
}

/// The power of ten at or below it.
double decadeBelow(double value) {
  return std::pow(10.0, std::floor(std::log10(value) + 1e-9));
}

/// Of a logarithmic axis; 1 where nothing has a place on it.
double smallestDecade(const SvgPlot& plot) {
  double smallest = std::numeric_limits<double>::infinity();
  forEachValue(plot, [&](const SampleSummary& value) { smallest = std::min(smallest, value.mean); });
  return std::isfinite(smallest) ? decadeBelow(smallest) : 1.0;
}

bool hasNames(const SvgPlot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(), [](const auto& series) { return !series.label.empty(); });
}

class Drawing {
public:
  explicit Drawing(const SvgPlot& plot)
      : m_plot(plot),
        m_picture(kWidth, kHeight),
        m_width(kWidth - kLeft - (hasNames(plot) ? kLegend : kMargin)),
        m_step(tickStep(largestValue(plot))) {
    m_top = m_step * std::max(1.0, std::ceil(largestValue(plot) / m_step - 1e-9));
    if (!plot.isLogarithmic) return;
    m_bottom = smallestDecade(plot);
    const double largest = std::max(largestValue(plot), m_bottom);
    m_top = std::max(decadeBelow(largest) < largest ? decadeBelow(largest) * 10.0 : largest, m_bottom * 10.0);
  }

  std::string draw() {
    m_picture.text(kWidth / 2, 28, "middle", m_plot.title, " font-size=\"16\"");
    m_picture.text(kLeft + m_width / 2, kHeight - 18, "middle", m_plot.xLabel);
    m_picture.verticalText(kTop + kPlotHeight / 2, m_plot.yLabel);
    drawAxes();
    drawBound();
    for (std::size_t number = 0; number < m_plot.series.size(); ++number) drawSeries(number);
    return m_picture.finish();
  }

private:
  [[nodiscard]] double xOf(std::size_t category) const {
    const double places = static_cast<double>(std::max<std::size_t>(m_plot.categories.size(), 1));
    return kLeft + m_width * (static_cast<double>(category) + 0.5) / places;
  }
  [[nodiscard]] double yOf(double value) const {
    const double height = m_plot.isLogarithmic
                              ? std::log(std::max(value, m_bottom) / m_bottom) / std::log(m_top / m_bottom)
                              : value / m_top;
    return kTop + kPlotHeight * (1.0 - std::clamp(height, 0.0, 1.0));
  }
  void drawTick(double value, bool isAxis) {
    const double y = yOf(value);
    m_picture.line(kLeft, y, kLeft + m_width, y, isAxis ? "#404040" : "#d8d8d8", 1);
    m_picture.text(kLeft - 8, y + 4, "end", seriesTickText(value));
  }
  void drawAxes() {
    if (m_plot.isLogarithmic) {
      for (double tick = m_bottom; tick <= m_top * (1.0 + 1e-9); tick *= 10.0) drawTick(tick, tick == m_bottom);
    } else {
      for (int tick = 0; m_step * tick <= m_top * (1.0 + 1e-9); ++tick) drawTick(m_step * tick, tick == 0);
    }
    for (std::size_t number = 0; number < m_plot.categories.size(); ++number) {
      m_picture.text(xOf(number), kTop + kPlotHeight + 20, "middle", m_plot.categories[number]);
    }
  }
  void drawBound() {
    if (!m_plot.bound) return;
    const double y = yOf(m_plot.bound->value);
    m_picture.add(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#404040\" stroke-width=\"1.5\" "
        "stroke-dasharray=\"8 5\"/>\n",
        kLeft, y, kLeft + m_width, y);
    // Below the line: values stand above a lower bound.
    m_picture.text(kLeft + 8, y + 17, "start", m_plot.bound->label);
  }
  void drawSeries(std::size_t number) {
    const SvgSeries& series = m_plot.series[number];
    const std::string_view color = kSeriesColors[number % kSeriesColors.size()];
    // Colours come again after the seventh series: then the line is dashed.
    const std::string_view dash = number / kSeriesColors.size() % 2 == 1 ? R"( stroke-dasharray="6 4")" : "";
    std::string points;
    // The line ends where nothing was measured.
    const auto addLine = [&] {
      if (m_plot.joinsPoints && !points.empty()) {
        m_picture.add("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", points, color,
                      dash);
      }
      points.clear();
    };
    for (std::size_t category = 0; category < series.values.size(); ++category) {
      const auto& value = series.values[category];
      if (!value || !std::isfinite(value->mean) || (m_plot.isLogarithmic && value->mean <= 0.0)) {
        addLine();
        continue;
      }
      const double x = xOf(category) + (m_plot.joinsPoints ? 0.0 : besideOf(number));
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x, yOf(value->mean));
      if (const auto bar = barOf(m_plot, *value)) {
        m_picture.line(x, yOf(bar->low), x, yOf(bar->high), color, 1.5);
      }
      if (m_plot.marksPoints) addMark(x, yOf(value->mean), number);
    }
    addLine();
    if (series.label.empty()) return;
    const double y = kTop + 18.0 * static_cast<double>(number);
    const double x = kLeft + m_width + 14;
    if (m_plot.joinsPoints) {
      m_picture.add(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", x, y,
          x + 22, y, color, dash);
    } else {
      addMark(x + 11, y, number);
    }
    m_picture.text(x + 28, y + 4, "start", series.label);
  }

  /// From the middle of a category.
  [[nodiscard]] double besideOf(std::size_t number) const {
    constexpr double kApart = 16;
    return kApart * (static_cast<double>(number) - (static_cast<double>(m_plot.series.size()) - 1) / 2);
  }
  /// A circle; of every second series whose points are not joined a square, so that colour alone does not
  /// separate them.
  void addMark(double x, double y, std::size_t number) {
    const std::string_view color = kSeriesColors[number % kSeriesColors.size()];
    if (m_plot.joinsPoints || number % 2 == 0) {
      m_picture.add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x, y,
                    m_plot.joinsPoints ? 3.5 : 5.0, color);
    } else {
      m_picture.add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"9\" height=\"9\" fill=\"{}\"/>\n", x - 4.5, y - 4.5,
                    color);
    }
  }

  const SvgPlot& m_plot;
  SvgPicture m_picture;
  double m_width;
  double m_step;
  double m_bottom = 0.0;
  double m_top = 1.0;
};

}  // namespace

std::string toSvg(const SvgPlot& plot) {
  return Drawing(plot).draw();
}

}  // namespace tcpscope
