#include "core/session/seed_comparison.h"

#include <algorithm>

namespace tcpscope::lab {

namespace {

struct StatementRow {
  std::string_view text;
  std::string_view figure;
  std::string_view higher;
  std::string_view lower;
};

constexpr std::string_view kUtilization = "utilization_ratio";
constexpr std::string_view kFairness = "jain_fairness_ratio";
/// Sections 4.3 and 4.4, of each scenario.
constexpr std::array kStatements = {
    StatementRow{"Parallel TCP utilizes the link better than gHSTCP.", kUtilization, "parallel Reno", "gHSTCP"},
    StatementRow{"gHSTCP utilizes the link better than TCP Reno.", kUtilization, "gHSTCP", "Reno"},
    StatementRow{"gHSTCP utilizes the link better than HSTCP.", kUtilization, "gHSTCP", "HSTCP"},
    StatementRow{"gHSTCP is fairer to Reno than HSTCP.", kFairness, "gHSTCP", "HSTCP"},
    StatementRow{"gHSTCP is fairer to Reno than parallel TCP.", kFairness, "gHSTCP", "parallel Reno"},
    StatementRow{"Parallel TCP is less fair to Reno than HSTCP.", kFairness, "HSTCP", "parallel Reno"},
};
constexpr std::array<std::string_view, 2> kBottlenecks = {"100 Mbit/s", "200 Mbit/s"};
constexpr std::string_view kLargeWindow = "512 KB";

const SampleSummary* figureOf(const std::vector<LabCell>& cells, std::string_view bottleneck, std::string_view flow,
                              std::string_view figure) {
  for (const LabCell& cell : cells) {
    if (cell.settings.size() != kGentleAxes.size()) continue;
    if (cell.settings[0].value == bottleneck && cell.settings[1].value == flow &&
        cell.settings[2].value == kLargeWindow) {
      return cell.figure(figure);
    }
  }
  return nullptr;
}

StatementOutcome outcomeOf(const SampleSummary* higher, const SampleSummary* lower) {
  if (higher == nullptr || lower == nullptr) return StatementOutcome::notMeasured;
  if (!higher->meanInterval95 || !lower->meanInterval95) return StatementOutcome::undecided;
  if (higher->meanInterval95->low > lower->meanInterval95->high) return StatementOutcome::confirmed;
  if (higher->meanInterval95->high < lower->meanInterval95->low) return StatementOutcome::contradicted;
  return StatementOutcome::undecided;
}

}  // namespace

std::string_view name(StatementOutcome outcome) {
  switch (outcome) {
    case StatementOutcome::confirmed:
      return "confirmed";
    case StatementOutcome::contradicted:
      return "contradicted";
    case StatementOutcome::undecided:
      return "undecided";
    case StatementOutcome::notMeasured:
      break;
  }
  return "not measured";
}

LabCell comparedCell(const SeedExperiment& experiment, LabCell cell) {
  std::vector<LabSetting> settings = {{std::string(kGentleAxes[0]), std::string(experiment.bottleneck)},
                                      {std::string(kGentleAxes[1]), std::string(experiment.flow)}};
  for (const LabSetting& setting : cell.settings) {
    settings.push_back({std::string(kGentleAxes[2]), setting.value == "64k" ? "64 KB" : "512 KB"});
  }
  cell.settings = std::move(settings);
  return cell;
}

std::vector<SeedStatement> judgeGentleStatements(const std::vector<LabCell>& cells) {
  std::vector<SeedStatement> statements;
  for (const std::string_view bottleneck : kBottlenecks) {
    for (const StatementRow& row : kStatements) {
      const StatementOutcome outcome = outcomeOf(figureOf(cells, bottleneck, row.higher, row.figure),
                                                 figureOf(cells, bottleneck, row.lower, row.figure));
      statements.push_back({bottleneck, row.text, row.figure, row.higher, row.lower, outcome});
    }
  }
  return statements;
}

}  // namespace tcpscope::lab
