// Runs a scenario as often as it says, over every point of its grid, and puts together the document that people and
// scripts get.
#pragma once

#include "app/lab/run/scenario_run.h"
#include "core/present/json/lab_document.h"

namespace tcpscope::lab {

/// One run has ended: which of how many, and the settings of its cell. For a line of progress.
using RunEnded = std::function<void(std::size_t run, std::size_t runs, const LabCell& cell)>;

/// Fails only where no run can work here; the notes report what one cell lacks, and a scenario whose main traffic
/// this machine cannot carry is skipped with the reason. Ends early with what there is when `waitUntil` says so.
Expected<LabRunDocument, LabError> runCampaign(const Scenario& scenario, const WaitUntil& waitUntil,
                                               const RunEnded& runEnded);

}  // namespace tcpscope::lab
