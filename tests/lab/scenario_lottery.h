// Random scenarios of which the truth is known by construction: one limit is built in, and the next is at least 1.5
// times wider.
#pragma once

#include <random>
#include <span>

#include "app/lab/scenario/scenario.h"

namespace tcpscope::lab {

using Lottery = std::mt19937_64;

struct ScenarioClass {
  /// "network/loss".
  std::string_view name;
  Limit limit;
  Cause cause;
  Scenario (*draw)(Lottery& lottery);
};

/// At least one row a limit and cause that the verdict can name.
std::span<const ScenarioClass> scenarioClasses();

/// A scenario of the class, with its truth, ready to run.
Scenario draw(const ScenarioClass& drawn, Lottery& lottery);

}  // namespace tcpscope::lab
