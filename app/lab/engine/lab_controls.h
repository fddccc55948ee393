// The congestion controls of tcpscope that a scenario names, loaded as long as its lab runs.
#pragma once

#include <optional>

#include "app/lab/scenario/scenario.h"
#include "collectors/bpf/registered_controls.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// None where the scenario names no such control, or where others keep them loaded and this process may not. Otherwise
/// fails with noCongestionControl and the control's name.
Expected<std::optional<RegisteredControls>, LabError> holdControls(const Scenario& scenario);

}  // namespace tcpscope::lab
