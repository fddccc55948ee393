// The JSON document `tcpscope.lab`: the list of scenarios, and the results of a run or a grid of runs. The table of a
// grid also as CSV and as a plot.
#pragma once

#include "core/present/json/connections_document.h"
#include "core/present/svg/svg_plot.h"
#include "core/session/agreement.h"
#include "core/session/lab_figures.h"

namespace tcpscope::lab {

struct LabListEntry {
  std::string name;
  std::string title;
  /// Absent for a sweep.
  std::optional<Truth> truth;
};

struct LabRunDocument {
  WallTime time;
  std::string scenario;
  std::string title;
  std::optional<Truth> truth;
  /// Settings of the path under keys with their unit ("rate_bps").
  std::vector<std::pair<std::string, double>> path;
  /// Of the only run, or of the last of several whose path was not late.
  std::optional<LabFigures> figures;
  /// One a run that could be judged.
  std::vector<Agreement> agreements;
  /// Several runs were asked for, however many were made.
  bool isCampaign = false;
  /// Why the machine cannot run it, or a run of the grid: of that there are no figures.
  std::optional<std::string> skipped;
  /// What a reader must know of the run: settings that were refused, a machine too slow.
  std::vector<std::string> notes;
  /// One a point of the grid; one for a scenario that was repeated.
  std::vector<LabCell> cells;
  std::vector<Place> places;
  std::vector<std::shared_ptr<const ConnectionDetail>> connections;

  /// Absent where there is no truth, or nothing was judged.
  [[nodiscard]] std::optional<bool> agrees() const;
};

std::string toJson(std::span<const LabListEntry> scenarios);
std::string toJson(const LabRunDocument& run);
/// The JSON Schema of both, as installed and tested.
std::string_view labSchema();

/// One line a cell and figure; with `listed` also one a single run that a cell has kept, its number in one more column.
enum class CsvRuns : std::uint8_t { leftOut, listed };
std::string toCsv(const std::vector<LabCell>& cells, CsvRuns runs = CsvRuns::leftOut);

/// One figure over the axis with most values; every combination of the others is a series.
SvgPlot plotOf(std::string_view title, const std::vector<LabCell>& cells, std::string_view figure);

}  // namespace tcpscope::lab
