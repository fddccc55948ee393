#include "core/present/html/paper_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/present/html/paper_distribution.h"
#include "core/present/json/lab_document.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope::lab {

namespace {

/// The paper's figures as one more series; of cells with one setting.
void addPrinted(SvgPlot& plot, const std::vector<LabCell>& printed, const std::string& key) {
  if (printed.empty()) return;
  for (SvgSeries& series : plot.series) series.label += series.label.empty() ? "here" : ", here";
  SvgSeries paper{"printed", std::vector<std::optional<SampleSummary>>(plot.categories.size())};
  for (const LabCell& cell : printed) {
    const auto place = std::find(plot.categories.begin(), plot.categories.end(), cell.settings.front().value);
    const SampleSummary* const summary = cell.figure(key);
    if (place == plot.categories.end() || summary == nullptr) continue;
    paper.values[static_cast<std::size_t>(place - plot.categories.begin())] = *summary;
  }
  plot.series.push_back(std::move(paper));
}

SvgPlot plotFor(const PaperSection& section, const PaperPlot& drawn, const std::vector<LabCell>& cells) {
  SvgPlot plot;
  for (const auto& [key, label] : drawn.figures) {
    SvgPlot one = plotOf("", cells, key);
    for (SvgSeries& series : one.series) {
      if (!label.empty()) series.label = series.label.empty() ? label : label + ", " + series.label;
      plot.series.push_back(std::move(series));
    }
    plot.categories = std::move(one.categories);
  }
  for (const auto& [key, label] : drawn.figures) addPrinted(plot, section.printedCells, key);
  for (SvgSeries& series : plot.series) {
    for (auto& value : series.values) {
      if (value) value = scaled(*value, 1.0 / drawn.unit);
    }
  }
  plot.title = fmt::format("{}: {}", section.name, drawn.title);
  plot.xLabel = section.xLabel;
  plot.yLabel = drawn.yLabel;
  plot.joinsPoints = drawn.joinsPoints;
  plot.showsDeviation = drawn.showsDeviation;
  if (drawn.bound) plot.bound = SvgBound{drawn.bound->value, drawn.bound->label};
  return plot;
}

SampleSummary pointAt(double value) {
  SampleSummary point;
  point.count = 1;
  point.mean = value;
  point.median = value;
  return point;
}

/// As the paper draws it: bins of 0.02 RTT up to 2 RTTs, on a logarithmic axis.
SvgPlot densityPlot(const PaperSection& section, const std::vector<double>& intervals) {
  constexpr std::size_t kBinsBetweenLabels = 25;
  const IntervalDensity density = intervalDensity(intervals);
  SvgPlot plot;
  plot.title = fmt::format("{}: {}", section.name, section.title);
  plot.xLabel = "Interval between drops (RTT)";
  plot.yLabel = "Probability density (per RTT)";
  plot.isLogarithmic = true;
  plot.series = {{"measured", {}}, {"Poisson process", {}}};
  // The line of a high rate falls by hundreds of decades: it ends a decade below what was measured.
  double smallest = std::numeric_limits<double>::infinity();
  for (const std::optional<double>& measured : density.density)
    smallest = std::min(smallest, measured.value_or(smallest));
  for (std::size_t bin = 0; bin < density.density.size(); ++bin) {
    plot.categories.push_back(bin % kBinsBetweenLabels == 0
                                  ? fmt::format("{:g}", static_cast<double>(bin) * kIntervalBinRtt)
                                  : std::string());
    const std::optional<double>& measured = density.density[bin];
    plot.series[0].values.push_back(measured ? std::optional(pointAt(*measured)) : std::nullopt);
    const double poisson = bin < density.poissonDensity.size() ? density.poissonDensity[bin] : 0.0;
    plot.series[1].values.push_back(poisson >= smallest / 10.0 ? std::optional(pointAt(poisson)) : std::nullopt);
  }
  return plot;
}

/// Each trace is a series of its last samples in so many steps.
constexpr std::size_t kTraceSteps = 180;

SvgSeries seriesOf(const WindowTrace& trace, double seconds, double WindowPoint::*figure, double unit) {
  SvgSeries series{trace.label, std::vector<std::optional<SampleSummary>>(kTraceSteps)};
  std::optional<SampleSummary> held;
  std::size_t next = 0;
  for (const WindowPoint& point : trace.points) {
    const double at = point.seconds / seconds * static_cast<double>(kTraceSteps);
    const std::size_t step = std::min(static_cast<std::size_t>(at), kTraceSteps - 1);
    // Between samples that are farther apart than a step, what was sampled last.
    for (; held && next < step; ++next) series.values[next] = held;
    held = pointAt(point.*figure / unit);
    series.values[step] = held;
    next = step + 1;
  }
  return series;
}

SvgPlot tracePlot(const PaperSection& section, const MeasuredSection& measured, std::string_view title,
                  std::string_view yLabel, double WindowPoint::*figure, double unit) {
  constexpr std::size_t kStepsBetweenLabels = 30;
  double seconds = 1.0;
  for (const WindowTrace& trace : measured.traces) {
    if (!trace.points.empty()) seconds = std::max(seconds, trace.points.back().seconds);
  }
  SvgPlot plot;
  plot.title = fmt::format("{}: {}", section.name, title);
  plot.xLabel = "Time (s)";
  plot.yLabel = yLabel;
  plot.marksPoints = false;
  for (std::size_t step = 0; step < kTraceSteps; ++step) {
    const double at = static_cast<double>(step) * seconds / static_cast<double>(kTraceSteps);
    plot.categories.push_back(step % kStepsBetweenLabels == 0 ? fmt::format("{:.3g}", at) : std::string());
  }
  for (const WindowTrace& trace : measured.traces) plot.series.push_back(seriesOf(trace, seconds, figure, unit));
  return plot;
}

}  // namespace

std::vector<SvgPlot> plotsOf(const PaperSection& section, const MeasuredSection& measured) {
  std::vector<SvgPlot> plots;
  if (measured.cells.empty()) return plots;
  for (const PaperPlot& drawn : section.plots) {
    if (drawn.kind == PaperPlotKind::means) plots.push_back(plotFor(section, drawn, measured.cells));
  }
  const std::vector<double> intervals = dropIntervalsOf(measured);
  if (section.drawsLossIntervals && !intervals.empty()) plots.push_back(densityPlot(section, intervals));
  if (!measured.traces.empty()) {
    plots.push_back(tracePlot(section, measured, "Congestion window", "Congestion window (segments)",
                              &WindowPoint::cwndSegments, 1.0));
    plots.push_back(tracePlot(section, measured, "RTT", "Smoothed RTT (ms)", &WindowPoint::rttSeconds, 1e-3));
  }
  return plots;
}

std::string optimumSentence(const PaperSection& section, const MeasuredOptimum& optimum) {
  std::string where;
  for (const LabSetting& setting : optimum.where) where += fmt::format("; {} {}", setting.key, setting.value);
  std::string figure = fmt::format("{:.3f}", optimum.figure.mean);
  if (optimum.figure.meanInterval95) {
    figure += fmt::format(" ± {:.3f}", optimum.figure.meanInterval95->high - optimum.figure.mean);
  }
  std::string text = fmt::format("Best by {}: {} {} ({}{})", section.optimum->name, optimum.best, section.optimum->axis,
                                 figure, where);
  for (std::size_t number = 0; number < optimum.notApart.size(); ++number) {
    text += fmt::format("{}{}", number == 0 ? "; not apart from it: " : ", ", optimum.notApart[number]);
  }
  return text + ".";
}

std::vector<PaperPicture> picturesOf(const PaperSection& section, const MeasuredSection& measured, PictureTable table) {
  constexpr double kHeightOfMeans = 480;
  std::vector<PaperPicture> pictures;
  if (measured.cells.empty()) return pictures;
  for (const PaperPlot& drawn : section.plots) {
    if (drawn.kind != PaperPlotKind::runs) continue;
    DistributionPlot plot = distributionOf(section, drawn, measured);
    if (table == PictureTable::drawn) plot.table = distributionTable(section, drawn, measured);
    pictures.push_back({tcpscope::toSvg(plot), heightOf(plot)});
  }
  for (const SvgPlot& plot : plotsOf(section, measured)) pictures.push_back({tcpscope::toSvg(plot), kHeightOfMeans});
  return pictures;
}

std::string dropIntervalSentence(const MeasuredSection& measured) {
  constexpr double kHundredth = 0.01;
  const std::vector<double> intervals = dropIntervalsOf(measured);
  const auto rate = lossesPerRtt(intervals);
  if (!rate) return {};
  return fmt::format(
      "{} intervals, merged: {} within 0.01 RTT (Poisson process of the same rate: {}), {} within 1 RTT ({}).",
      intervals.size(), formatRatio(*ratioWithin(intervals, kHundredth)),
      formatRatio(poissonRatioWithin(*rate, kHundredth)), formatRatio(*ratioWithin(intervals, 1.0)),
      formatRatio(poissonRatioWithin(*rate, 1.0)));
}

}  // namespace tcpscope::lab
