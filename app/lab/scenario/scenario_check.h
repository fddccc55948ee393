// What no single line shows: that names meet, that nothing needed is missing, and that every point of the grid can run.
#pragma once

#include "app/lab/scenario/scenario.h"
#include "core/base/expected.h"
#include "core/session/scenario_error.h"

namespace tcpscope::lab {

inline constexpr std::size_t kMostSweepCells = 10'000;

Expected<void, ScenarioError> check(const Scenario& scenario);

}  // namespace tcpscope::lab
