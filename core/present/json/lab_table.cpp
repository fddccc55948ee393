// The grid of a sweep as CSV and as a plot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/escape.h"
#include "core/present/json/lab_document.h"

namespace tcpscope::lab {

namespace {

std::string numberText(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
}

template <class Value>
std::size_t placeOf(std::vector<Value>& all, const Value& value) {
  const auto found = std::find(all.begin(), all.end(), value);
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  all.push_back(value);
  return all.size() - 1;
}

/// Values of each axis in the order of the grid.
std::vector<std::vector<std::string>> axesOf(const std::vector<LabCell>& cells) {
  std::vector<std::vector<std::string>> axes(cells.empty() ? 0 : cells.front().settings.size());
  for (const LabCell& cell : cells) {
    for (std::size_t axis = 0; axis < std::min(axes.size(), cell.settings.size()); ++axis) {
      placeOf(axes[axis], cell.settings[axis].value);
    }
  }
  return axes;
}

std::string labelWithout(const LabCell& cell, std::size_t axis) {
  std::string label;
  for (std::size_t number = 0; number < cell.settings.size(); ++number) {
    if (number != axis) label += (label.empty() ? "" : ", ") + cell.settings[number].value;
  }
  return label;
}

}  // namespace

std::string toCsv(const std::vector<LabCell>& cells, CsvRuns runs) {
  const bool listsRuns = runs == CsvRuns::listed;
  const std::string_view endOfSummary = listsRuns ? ",\n" : "\n";
  std::string text;
  if (cells.empty()) return text;
  for (const LabSetting& setting : cells.front().settings) text += forCsv(setting.key) + ",";
  text += "figure,n,mean,standard_deviation,mean_95_low,mean_95_high,median,runs_left_out";
  text += listsRuns ? ",run\n" : "\n";
  for (const LabCell& cell : cells) {
    const auto begin = [&] {
      for (const LabSetting& setting : cell.settings) text += forCsv(setting.value) + ",";
    };
    for (const auto& [key, summary] : cell.figures) {
      begin();
      const auto& interval = summary.meanInterval95;
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}{}", forCsv(key), summary.count,
                     numberText(summary.mean), numberText(summary.standardDeviation),
                     numberText(interval ? std::optional(interval->low) : std::nullopt),
                     numberText(interval ? std::optional(interval->high) : std::nullopt), numberText(summary.median),
                     cell.lateRuns, endOfSummary);
    }
    if (listsRuns) {
      for (const auto& [key, values] : cell.runValues) {
        for (const RunValue& one : values) {
          begin();
          fmt::format_to(std::back_inserter(text), "{},1,{},,,,{},,{}\n", forCsv(key), numberText(one.value),
                         numberText(one.value), one.run);
        }
      }
    }
    if (!cell.figures.empty() || cell.lateRuns == 0) continue;
    // No run of the cell counts: a line that has none of its figures, rather than no line.
    begin();
    fmt::format_to(std::back_inserter(text), "goodput_bps,0,,,,,,{}{}", cell.lateRuns, endOfSummary);
  }
  return text;
}

SvgPlot plotOf(std::string_view title, const std::vector<LabCell>& cells, std::string_view figure) {
  SvgPlot plot;
  plot.title = title;
  plot.yLabel = figure;
  const std::vector<std::vector<std::string>> axes = axesOf(cells);
  const auto widest =
      std::max_element(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const bool hasAxis = widest != axes.end();
  const auto axis = static_cast<std::size_t>(hasAxis ? widest - axes.begin() : 0);
  plot.categories = hasAxis ? *widest : std::vector<std::string>{""};
  if (hasAxis) plot.xLabel = cells.front().settings[axis].key;
  std::vector<std::string> labels;
  for (const LabCell& cell : cells) {
    const std::size_t series = placeOf(labels, labelWithout(cell, axis));
    if (series == plot.series.size()) {
      plot.series.push_back({labels[series], {}});
      plot.series.back().values.resize(plot.categories.size());
    }
    const SampleSummary* const summary = cell.figure(figure);
    const std::size_t category = hasAxis ? placeOf(plot.categories, cell.settings[axis].value) : 0;
    if (summary != nullptr) plot.series[series].values[category] = *summary;
  }
  return plot;
}

}  // namespace tcpscope::lab
