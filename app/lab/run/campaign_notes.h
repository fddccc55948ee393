// What a reader of a run's document must know beside its figures: what the machine could not do, who was hit by losses,
// and rate equations fitted to a grid of streams and delays.
#pragma once

#include "app/lab/run/scenario_run.h"

namespace tcpscope::lab {

/// "flows 4, path.delay 25 ms: ", empty for a run without grid.
std::string cellLabel(const std::vector<LabSetting>& settings);

void addRunNotes(const Scenario& scenario, const ScenarioRun& run, const std::string& label,
                 std::vector<std::string>& notes);

/// What the machine was too slow for: of a single run that its path was late, of several how many were left out.
void addLatenessNotes(const std::vector<LabCell>& cells, bool isCampaign, std::vector<std::string>& notes);

/// Where the grid has streams and RTTs of 25 ms and more: k of rate = streams × k / RTT, one for each combination of
/// the other axes.
void addFitNotes(const std::vector<LabCell>& cells, std::vector<std::string>& notes);

}  // namespace tcpscope::lab
