// Runs one scenario once: starts the lab, lets it settle, measures, asks both ends what limits the main connection and
// holds the answer against the truth.
#pragma once

#include <functional>
#include <span>

#include "app/lab/engine/lab_process.h"
#include "app/lab/run/lab_watch.h"
#include "app/lab/run/loss_event_census.h"
#include "core/session/agreement.h"
#include "core/session/lab_figures.h"

namespace tcpscope::lab {

/// Waits until a moment; false when the user cancels.
using WaitUntil = std::function<bool(Moment)>;

struct ScenarioRun {
  LabFigures figures;
  /// Absent without truth, and where an end was not seen.
  std::optional<Agreement> agreement;
  std::vector<WatchedTransfer> transfers;
  std::vector<Place> places;
  LossEventCensus census;
  /// Traffic that was left out: what the machine could not do.
  std::vector<SkippedTraffic> skipped;
  bool interrupted = false;
};

/// Whether the connections are observed; without it a run measures only.
enum class Watch : std::uint8_t { no, yes };

/// A run whose traffic has an end may be shorter than the scenario's duration. The scenario has no grid. `captures` as
/// in LabProcess::startCaptured.
Expected<ScenarioRun, LabError> runOnce(const Scenario& scenario, Watch watch, const WaitUntil& waitUntil,
                                        std::span<const int> captures = {});

}  // namespace tcpscope::lab
