// Reads a scenario from its text: `key = value` lines in sections, described in README.md. Text from anywhere is fine:
// it is bounded in length, and every mistake is told with its line and what would be right.
#pragma once

#include <span>
#include <string_view>

#include "app/lab/scenario/scenario.h"
#include "core/base/expected.h"
#include "core/lab/scenario_error.h"

namespace tcpscope::lab {

/// `changes` are applied after the text, in their order, as `--set` does; the axis of a variant is a key, too.
Expected<Scenario, ScenarioError> parseScenario(std::string_view text, std::span<const Assignment> changes = {});

}  // namespace tcpscope::lab
