// One setting of a scenario by its full key: what a line of the file, a `--set` and a value of a sweep come down to.
#pragma once

#include "app/lab/scenario/scenario.h"
#include "core/base/expected.h"
#include "core/session/scenario_error.h"

namespace tcpscope::lab {

/// The head of a section ("host.receiver"): declares hosts, traffic and the truth.
Expected<void, ScenarioError> openSection(Scenario& scenario, std::string_view key);

/// A key without a direction ("path.delay") sets both. The line of an error is 0: the caller knows it.
Expected<void, ScenarioError> assign(Scenario& scenario, const Assignment& assignment);

}  // namespace tcpscope::lab
