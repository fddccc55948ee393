#include "core/present/html/paper_distribution.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/present/svg/axis_scale.h"

namespace tcpscope::lab {

namespace {

std::string cellName(const LabCell& cell) {
  std::string label;
  for (const LabSetting& setting : cell.settings) label += (label.empty() ? "" : ", ") + setting.value;
  return label;
}

/// What the paper prints of the cell.
const SampleSummary* printedOf(const PaperSection& section, const LabCell& cell, const std::string& figure) {
  if (cell.settings.empty()) return nullptr;
  for (const LabCell& printed : section.printedCells) {
    if (printed.settings.front().value == cell.settings.front().value) return printed.figure(figure);
  }
  return nullptr;
}

/// Rates in the unit that fits the largest of them; other figures as they are.
AxisUnit unitOfTable(const std::string& figure, const PaperSection& section, const MeasuredSection& measured) {
  constexpr AxisUnit kNone;
  if (figure.find("_bps") == std::string::npos) return kNone;
  double largest = 0.0;
  for (const LabCell& cell : measured.cells) {
    const SampleSummary* const ours = cell.figure(figure);
    const SampleSummary* const printed = printedOf(section, cell, figure);
    largest = std::max({largest, ours == nullptr ? 0.0 : ours->mean, printed == nullptr ? 0.0 : printed->mean});
  }
  return axisUnit(PlotQuantity::rate, largest);
}

std::vector<std::string> tableRow(const std::string& cell, std::string_view source, const SampleSummary& summary,
                                  double unit) {
  const std::string unknown = "–";
  const auto number = [&](double value) { return fmt::format("{:.3f}", value / unit); };
  return {cell,
          std::string(source),
          fmt::format("{}", summary.count),
          number(summary.mean),
          summary.standardDeviation ? number(*summary.standardDeviation) : unknown,
          summary.meanInterval95
              ? fmt::format("{} to {}", number(summary.meanInterval95->low), number(summary.meanInterval95->high))
              : unknown,
          number(summary.median)};
}

}  // namespace

DistributionPlot distributionOf(const PaperSection& section, const PaperPlot& drawn, const MeasuredSection& measured) {
  const std::string& figure = drawn.figures.front().first;
  DistributionPlot plot;
  plot.title = fmt::format("{}: {}", section.name, drawn.title);
  plot.xLabel = "Run";
  plot.yLabel = drawn.yLabel;
  for (const LabCell& cell : measured.cells) {
    DistributionSeries series;
    series.label = cellName(cell);
    for (const RunValue& one : cell.valuesOf(figure)) {
      series.points.push_back({static_cast<double>(one.run), one.value / drawn.unit});
    }
    if (const SampleSummary* const printed = printedOf(section, cell, figure)) {
      series.printed = scaled(*printed, 1.0 / drawn.unit);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::vector<std::vector<std::string>> distributionTable(const PaperSection& section, const PaperPlot& drawn,
                                                        const MeasuredSection& measured) {
  const std::string& figure = drawn.figures.front().first;
  const AxisUnit unit = unitOfTable(figure, section, measured);
  const std::string inUnit = unit.name.empty() ? std::string() : fmt::format(" ({})", unit.name);
  std::vector<std::vector<std::string>> rows = {
      {section.xLabel, "", "n", "Mean" + inUnit, "SD", "95 % CI of mean", "Median"}};
  for (const LabCell& cell : measured.cells) {
    const SampleSummary* const ours = cell.figure(figure);
    const SampleSummary* const printed = printedOf(section, cell, figure);
    if (ours != nullptr) rows.push_back(tableRow(cellName(cell), "here", *ours, unit.factor));
    if (printed != nullptr) rows.push_back(tableRow(cellName(cell), "printed", *printed, unit.factor));
  }
  return rows;
}

}  // namespace tcpscope::lab
