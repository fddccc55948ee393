// Runs the experiments of a paper and puts together what is judged and drawn of them.
#pragma once

#include "app/lab/run/lab_campaign.h"
#include "core/session/paper_comparison.h"
#include "core/session/scenario_error.h"

namespace tcpscope::lab {

struct PaperRunOptions {
  /// Of each run; absent: as the scenarios say. Runs that go to the end of their transfers are not shortened.
  std::optional<double> forSeconds;
  std::optional<std::size_t> repeats;
};

/// An experiment with what it runs.
struct PaperCampaign {
  std::size_t section = 0;
  PaperExperiment experiment;
  /// One, or where each run draws its path one a run.
  std::vector<Scenario> scenarios;
  std::vector<std::string> commands;
};

/// Before the first run, so that no mistake in the options, and no missing right, shows after an hour.
Expected<std::vector<PaperCampaign>, ScenarioError> planPaper(const Paper& paper, const PaperRunOptions& options);

/// As runCampaign.
using CampaignRun =
    std::function<Expected<LabRunDocument, LabError>(const Scenario&, const WaitUntil&, const RunEnded&)>;

/// An experiment that cannot be run is a note. Ends early when `waitUntil` says so: the grid of runs that it cuts short
/// is left out; of drawn paths, only the one that it cuts short.
PaperComparison runPaper(const Paper& paper, const std::vector<PaperCampaign>& campaigns, const WaitUntil& waitUntil,
                         const RunEnded& runEnded, const CampaignRun& campaignRun = runCampaign);

/// A comparison without any run, each section with this note.
PaperComparison notRun(const Paper& paper, const std::string& reason);

/// The papers of the catalogue that these comparisons did not reach, as not run. `reached` are its first ones.
std::vector<PaperComparison> notReached(std::span<const PaperComparison> reached, const std::string& reason);

}  // namespace tcpscope::lab
