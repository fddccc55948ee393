// Reads a scenario from its text: `key = value` lines in sections, described in README.md. Text from anywhere is fine:
// it is bounded in length, and every mistake is reported with its line and what would be right.
#pragma once

#include <span>
#include <string_view>

#include "app/lab/scenario/scenario.h"
#include "core/base/expected.h"
#include "core/session/scenario_error.h"

namespace tcpscope::lab {

/// `changes` are applied after the text, in their order, as `--set` does; the axis of a variant is a key, too.
Expected<Scenario, ScenarioError> parseScenario(std::string_view text, std::span<const Assignment> changes = {});

/// The same scenario with some settings changed.
Expected<Scenario, ScenarioError> changed(Scenario scenario, std::span<const Assignment> changes);

/// Every point of the grid, the last axis fastest; one empty cell where there is no grid.
std::vector<std::vector<Assignment>> sweepCells(const Scenario& scenario);
/// The single run that a cell stands for: without grid and variants.
Expected<Scenario, ScenarioError> cellOf(const Scenario& scenario, std::span<const Assignment> cell);

}  // namespace tcpscope::lab
