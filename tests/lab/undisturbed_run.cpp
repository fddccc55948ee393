#include "tests/lab/undisturbed_run.h"

#include <fmt/format.h>

#include <thread>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope::lab {

using namespace std::chrono_literals;

bool waitUntil(Moment moment) {
  std::this_thread::sleep_for(std::max<Nanoseconds>(moment - monotonicNow(), 0ns));
  return true;
}

bool isWithoutLab(const LabError& error) {
  return error.kind == LabErrorKind::noUserNamespaces || error.kind == LabErrorKind::noDevice;
}

std::string disturbanceOf(Nanoseconds lateness999, Nanoseconds worst) {
  constexpr Nanoseconds kLate = 10ms;
  constexpr Nanoseconds kVeryLate = 100ms;
  if (lateness999 < kLate && worst < kVeryLate) return {};
  return fmt::format("one packet in a thousand {:.1f} ms late, one {:.1f}", toSeconds(lateness999) * 1e3,
                     toSeconds(worst) * 1e3);
}

std::string disturbanceOf(const ScenarioRun& run) {
  return disturbanceOf(run.figures.lateness.p999, run.figures.lateness.worst);
}

Expected<ScenarioRun, LabError> runUndisturbed(const Scenario& scenario, const RunCondition& goodEnough) {
  constexpr int kMostRuns = 3;
  auto run = runOnce(scenario, Watch::yes, waitUntil);
  for (int runs = 1; runs < kMostRuns && run; ++runs) {
    const std::string disturbance = disturbanceOf(*run);
    if (disturbance.empty() || (goodEnough && goodEnough(*run))) break;
    fmt::print("  {}: {}, again\n", scenario.name, disturbance);
    run = runOnce(scenario, Watch::yes, waitUntil);
  }
  return run;
}

}  // namespace tcpscope::lab
