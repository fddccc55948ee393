// Runs the experiments of a paper and puts together what is judged and drawn of them.
#pragma once

#include "app/lab/run/lab_campaign.h"
#include "core/session/scenario_error.h"
#include "core/session/seed_comparison.h"

namespace tcpscope::lab {

struct SeedRunOptions {
  /// Of each run; absent: as the scenarios say. Runs that go to the end of their transfers are not shortened.
  std::optional<double> forSeconds;
  std::optional<std::size_t> repeats;
};

/// An experiment with what it runs.
struct SeedCampaign {
  std::size_t section = 0;
  SeedExperiment experiment;
  /// One, or where each run draws its path one a run.
  std::vector<Scenario> scenarios;
  std::vector<std::string> commands;
};

/// Before the first run, so that no mistake in the options, and no missing right, shows after an hour.
Expected<std::vector<SeedCampaign>, ScenarioError> planSeed(const Seed& seed, const SeedRunOptions& options);

/// As runCampaign.
using CampaignRun =
    std::function<Expected<LabRunDocument, LabError>(const Scenario&, const WaitUntil&, const RunEnded&)>;

/// An experiment that cannot be run is a note. Ends early when `waitUntil` says so: the grid of runs that it cuts short
/// is left out; of drawn paths, only the one that it cuts short.
SeedComparison runSeed(const Seed& seed, const std::vector<SeedCampaign>& campaigns, const WaitUntil& waitUntil,
                       const RunEnded& runEnded, const CampaignRun& campaignRun = runCampaign);

/// A comparison without any run, each section with this note.
SeedComparison notRun(const Seed& seed, const std::string& reason);

/// The papers of the catalogue that these comparisons did not reach, as not run. `reached` are its first ones.
std::vector<SeedComparison> notReached(std::span<const SeedComparison> reached, const std::string& reason);

}  // namespace tcpscope::lab
