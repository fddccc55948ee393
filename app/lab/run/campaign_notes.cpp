#include "app/lab/run/campaign_notes.h"

#include <fmt/format.h>

#include <map>

#include "app/lab/scenario/scenario_values.h"
#include "core/base/proportional_fit.h"
#include "core/present/text/lab_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope::lab {

namespace {

constexpr std::string_view kStreamsAxis = "flows";
constexpr std::string_view kDelayAxis = "path.delay";

std::string valueOf(const LabCell& cell, std::string_view key) {
  for (const LabSetting& setting : cell.settings) {
    if (setting.key == key) return setting.value;
  }
  return {};
}

/// Streams divided by the RTT in milliseconds, and the rate in Mbit/s: the units of the published equations.
std::optional<FitPoint> fitPoint(const LabCell& cell) {
  constexpr double kShortestRttMs = 25.0;
  const auto streams = readCount(valueOf(cell, kStreamsAxis));
  const auto delay = readTime(valueOf(cell, kDelayAxis));
  const SampleSummary* const rate = cell.figure("goodput_bps");
  if (!streams || !delay || rate == nullptr) return std::nullopt;
  const double rttMs = 2.0 * toSeconds(*delay) * 1000.0;
  if (rttMs < kShortestRttMs) return std::nullopt;
  return FitPoint{static_cast<double>(*streams) / rttMs, rate->mean / 1e6};
}

}  // namespace

std::string cellLabel(const std::vector<LabSetting>& settings) {
  std::string label;
  for (const LabSetting& setting : settings) {
    label += fmt::format("{}{} {}", label.empty() ? "" : ", ", setting.key, setting.value);
  }
  return label.empty() ? label : label + ": ";
}

void addRunNotes(const Scenario& scenario, const ScenarioRun& run, const std::string& label,
                 std::vector<std::string>& notes) {
  for (const SkippedTraffic& skipped : run.skipped) {
    notes.push_back(fmt::format("{}{} was left out: {}", label, skipped.traffic, sentence(skipped.reason)));
  }
  if (run.census.events == 0 || scenario.truth) return;
  for (const CensusRow& row : run.census.rows) {
    notes.push_back(fmt::format(
        "{}{} loss events of {:.1f} drops on average hit {:.1f} of {} flows of {} ({:.1f} drops); perfectly spread "
        "packets would be hit in {:.1f}, perfectly bunched ones in {:.1f} flows",
        label, run.census.events, run.census.dropsMean, row.flowsHitMean, row.flows, row.traffic, row.dropsMean,
        row.expectedPaced, row.expectedBunched));
  }
}

void addLatenessNotes(const std::vector<LabCell>& cells, bool isCampaign, std::vector<std::string>& notes) {
  for (const LabCell& cell : cells) {
    if (cell.lateRuns == 0) continue;
    const std::string late =
        fmt::format("one packet in a thousand was late by {} or more, the worst by {}",
                    formatTime(toSeconds(cell.lateness.p999)), formatTime(toSeconds(cell.lateness.worst)));
    notes.push_back(isCampaign ? fmt::format("{}{} of {} run{} left out, the machine was too slow: {}",
                                             cellLabel(cell.settings), cell.lateRuns, cell.runs,
                                             cell.runs == 1 ? "" : "s", late)
                               : "the machine was too slow: " + late);
  }
}

void addFitNotes(const std::vector<LabCell>& cells, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<FitPoint>> groups;
  for (const LabCell& cell : cells) {
    const auto point = fitPoint(cell);
    if (!point) continue;
    std::vector<LabSetting> others;
    for (const LabSetting& setting : cell.settings) {
      if (setting.key != kStreamsAxis && setting.key != kDelayAxis) others.push_back(setting);
    }
    groups[cellLabel(others)].push_back(*point);
  }
  constexpr std::size_t kFewestPoints = 3;
  for (const auto& [label, points] : groups) {
    const auto fit = fitProportional(points);
    if (!fit || points.size() < kFewestPoints) continue;
    const std::string interval =
        fit->factorInterval95
            ? fmt::format(" (95 % interval {:.0f} to {:.0f})", fit->factorInterval95->low, fit->factorInterval95->high)
            : std::string();
    // Mbit/s times ms are kilobits.
    notes.push_back(fmt::format(
        "{}rate in Mbit/s = streams × {:.0f}{} / RTT in ms fits with errors of up to {}: a window of {} a stream",
        label, fit->factor, interval, formatRatio(fit->worstRelativeError), formatBytes(fit->factor * 1000.0 / 8.0)));
  }
}

}  // namespace tcpscope::lab
