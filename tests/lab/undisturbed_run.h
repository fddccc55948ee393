// Runs that the machine had the time for: where it had not, the path was another one than was asked for, and so is the
// verdict about it.
#pragma once

#include <functional>
#include <string>

#include "app/lab/run/scenario_run.h"

namespace tcpscope::lab {

/// A WaitUntil that nothing interrupts.
bool waitUntil(Moment moment);

/// This machine gives no namespaces or no devices.
bool isWithoutLab(const LabError& error);

/// Why a run is no ground to judge on, after the lateness of one packet in a thousand and of the worst: packets that
/// are late are reordered, bunched, and sent twice. Empty where the path was in time.
std::string disturbanceOf(Nanoseconds lateness999, Nanoseconds worst);
std::string disturbanceOf(const ScenarioRun& run);

using RunCondition = std::function<bool(const ScenarioRun&)>;

/// A watched run that the machine did not disturb, or one that is `goodEnough` although it did, or the last of three;
/// says on standard output what is repeated.
Expected<ScenarioRun, LabError> runUndisturbed(const Scenario& scenario, const RunCondition& goodEnough = {});

}  // namespace tcpscope::lab
