#include "app/lab/scenario/scenario_parser.h"

#include <algorithm>

#include "app/lab/scenario/scenario_assignment.h"
#include "app/lab/scenario/scenario_check.h"
#include "app/lab/scenario/scenario_document.h"

namespace tcpscope::lab {

namespace {

using ScenarioFailure = Unexpected<ScenarioError>;

Expected<Scenario, ScenarioError> readText(std::string_view text) {
  const auto document = readDocument(text);
  if (!document) return ScenarioFailure(document.error());
  Scenario scenario;
  for (const DocumentEntry& entry : *document) {
    auto done = entry.isSection ? openSection(scenario, entry.key) : assign(scenario, {entry.key, entry.value});
    if (done) continue;
    ScenarioError error = done.error();
    error.line = entry.line;
    return ScenarioFailure(std::move(error));
  }
  return scenario;
}

}  // namespace

Expected<Scenario, ScenarioError> parseScenario(std::string_view text, std::span<const Assignment> changes) {
  auto scenario = readText(text);
  if (!scenario) return scenario;
  return changed(*scenario, changes);
}

Expected<Scenario, ScenarioError> changed(Scenario scenario, std::span<const Assignment> changes) {
  for (const Assignment& change : changes) {
    // What the grid varies has one value now, or else the grid's own would win.
    const auto varies = [&](const SweepAxis& axis) { return axis.key == change.key; };
    const bool isAxis = std::any_of(scenario.sweep.begin(), scenario.sweep.end(), varies);
    const Assignment applied = isAxis ? Assignment{"sweep." + change.key, change.value} : change;
    if (auto done = assign(scenario, applied); !done) return ScenarioFailure(done.error());
  }
  // What a grid varies has no one truth.
  if (!scenario.sweep.empty()) scenario.truth.reset();
  if (auto sound = check(scenario); !sound) return ScenarioFailure(sound.error());
  return scenario;
}

std::vector<std::vector<Assignment>> sweepCells(const Scenario& scenario) {
  std::vector<std::vector<Assignment>> cells = {{}};
  for (const SweepAxis& axis : scenario.sweep) {
    std::vector<std::vector<Assignment>> wider;
    for (const auto& cell : cells) {
      for (const std::string& value : axis.values) {
        wider.push_back(cell);
        wider.back().push_back({axis.key, value});
      }
    }
    cells = std::move(wider);
  }
  return cells;
}

Expected<Scenario, ScenarioError> cellOf(const Scenario& scenario, std::span<const Assignment> cell) {
  Scenario single = scenario;
  single.sweep.clear();
  auto chosen = changed(std::move(single), cell);
  if (chosen) chosen->variants.clear();
  return chosen;
}

}  // namespace tcpscope::lab
