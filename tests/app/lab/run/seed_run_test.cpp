// What the experiments of the papers run, without running it.
#include "app/lab/run/seed_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "core/advice/calculation.h"
#include "core/session/seed_catalogue.h"

namespace tcpscope::lab {
namespace {

using testing::HasSubstr;

std::vector<SeedCampaign> planOf(std::string_view number, const SeedRunOptions& options) {
  auto campaigns = planSeed(*findSeed(number), options);
  EXPECT_TRUE(campaigns.has_value());
  return campaigns ? *campaigns : std::vector<SeedCampaign>();
}

TEST(SeedPlan, EveryExperimentOfEveryPaperHasAScenario) {
  for (const Seed& seed : seedCatalogue()) {
    for (const SeedSection& section : seed.sections) {
      for (const SeedExperiment& experiment : section.experiments) {
        EXPECT_NE(findScenario(experiment.scenario), nullptr) << experiment.scenario;
      }
    }
    EXPECT_FALSE(planOf(seed.number, {}).empty()) << seed.number;
    EXPECT_FALSE(planOf(seed.number, {2.0, 3}).empty()) << seed.number;
  }
}

/// With every figure that runs of the scenario can have.
std::vector<std::pair<std::string, SampleSummary>> plannedFigures(const Scenario& scenario) {
  LabFigures figures;
  if (scenario.path.path.forward.rate) figures.utilizationRatio = 1.0;
  figures.jainFairnessRatio = 1.0;
  const bool hasEnd = std::all_of(scenario.traffic.begin(), scenario.traffic.end(),
                                  [](const TrafficSettings& traffic) { return traffic.bytes.has_value(); });
  if (hasEnd) figures.completionSeconds = 1.0;
  figures.dropIntervalsRtt = {1.0};
  for (const TrafficSettings& traffic : scenario.traffic) {
    figures.traffic.emplace_back();
    figures.traffic.back().name = traffic.name;
  }
  for (const AttachedHost& host : scenario.path.hosts) figures.hosts.push_back({host.name, 0.5, 2.0, Bytes(1)});
  return cellOf({}, {figures}).figures;
}

/// The cells that the section will show, without a run.
std::vector<LabCell> plannedCells(const Seed& seed, const std::string& sectionName) {
  std::vector<LabCell> cells;
  for (const SeedCampaign& campaign : planOf(seed.number, {})) {
    const SeedSection& section = seed.sections[campaign.section];
    if (section.name != sectionName) continue;
    // Drawn paths are one cell.
    const Scenario& scenario = campaign.scenarios.front();
    for (const std::vector<Assignment>& point : sweepCells(scenario)) {
      LabCell cell;
      for (const Assignment& one : point) cell.settings.push_back({one.key, one.value});
      cell.figures = plannedFigures(scenario);
      cells.push_back(comparedCell(section, campaign.experiment, std::move(cell)));
    }
  }
  return cells;
}

bool isAt(const LabCell& cell, const std::vector<LabSetting>& where) {
  return std::all_of(where.begin(), where.end(), [&](const LabSetting& expected) {
    return std::any_of(cell.settings.begin(), cell.settings.end(), [&](const LabSetting& setting) {
      return setting.key == expected.key && setting.value == expected.value;
    });
  });
}

TEST(SeedPlan, EveryPlaceOfAStatementIsOneCellThatHasItsFigure) {
  for (const Seed& seed : seedCatalogue()) {
    for (const SeedStatement& statement : seed.statements) {
      const std::vector<LabCell> cells = plannedCells(seed, statement.section);
      std::vector<SeedTerm> terms = {statement.higher, statement.lower};
      if (statement.ceiling) terms.push_back(*statement.ceiling);
      for (const SeedTerm& term : terms) {
        if (term.printed) continue;
        std::vector<LabCell> found;
        std::copy_if(cells.begin(), cells.end(), std::back_inserter(found),
                     [&](const LabCell& cell) { return isAt(cell, term.where); });
        ASSERT_EQ(found.size(), 1U) << seed.number << " " << statement.text;
        EXPECT_NE(found.front().figure(term.figure), nullptr) << seed.number << " " << term.figure;
      }
    }
  }
}

TEST(SeedPlan, EveryFigureThatASectionDrawsIsOneThatItsScenariosMeasure) {
  for (const Seed& seed : seedCatalogue()) {
    for (const SeedSection& section : seed.sections) {
      for (const LabCell& cell : plannedCells(seed, section.name)) {
        for (const SeedPlot& plot : section.plots) {
          for (const auto& [key, label] : plot.figures) {
            EXPECT_NE(cell.figure(key), nullptr) << seed.number << " " << section.name << " " << key;
          }
        }
      }
    }
  }
}

TEST(SeedPlan, TheTunedClientOfWeb100LosesWhatEquationOneNeedsForThePrintedRate) {
  const auto scenario = parseScenario(findScenario("web100_tuned_loss")->text);
  ASSERT_TRUE(scenario);
  const BudgetCalculation printed = computeBudget(BitsPerSecond(41.34e6), 0.02, Bytes(1448));
  const auto* const loss = std::get_if<BernoulliLoss>(&scenario->path.path.forward.loss);
  ASSERT_NE(loss, nullptr);
  EXPECT_NEAR(loss->ratio, printed.budget.lossEventRatio, 0.002 * loss->ratio);
}

TEST(SeedPlan, TheTransfersOfWeb100MayBeAsManyAsInThePaper) {
  for (const SeedCampaign& campaign : planOf("002", {2.0, 601})) {
    EXPECT_EQ(campaign.scenarios.front().repeats, 601U);
  }
}

TEST(SeedPlan, LengthAndNumberOfRunsAreOptionsButTransfersOf64MbRunToTheirEnd) {
  for (const SeedCampaign& campaign : planOf("004", {2.0, 3})) {
    const bool isParallel = campaign.experiment.scenario == "parallel_64mb";
    for (const Scenario& scenario : campaign.scenarios) {
      EXPECT_EQ(scenario.duration, isParallel ? Nanoseconds(std::chrono::seconds(120)) : std::chrono::seconds(2));
    }
    EXPECT_EQ(campaign.scenarios.front().repeats, campaign.experiment.pathDraw != PathDraw::none ? 1U : 3U);
    EXPECT_EQ(campaign.commands.front().find("--for") == std::string::npos, isParallel);
  }
}

TEST(SeedPlan, RandomPathsAreOneRunEachOverAPathOfItsOwnWhichItsCommandRepeats) {
  const std::vector<SeedCampaign> campaigns = planOf("004", {2.0, 3});
  const SeedCampaign& drawn = campaigns.front();
  ASSERT_EQ(drawn.scenarios.size(), 3U);
  ASSERT_EQ(drawn.commands.size(), 3U);
  EXPECT_EQ(drawn.scenarios[0].repeats, 1U);
  EXPECT_EQ(drawn.scenarios[2].path.seed, 3U);
  EXPECT_NE(drawn.scenarios[0].path.hosts, drawn.scenarios[1].path.hosts);
  const std::vector<LabSetting> second = drawnPath(PathDraw::randomRtts, 2);
  EXPECT_THAT(drawn.commands[1], HasSubstr(fmt::format("--set '{}={}'", second[0].key, second[0].value)));
  EXPECT_THAT(drawn.commands[1], HasSubstr("--for 2 --repeat 1"));
}

TEST(SeedPlan, AFigureRunsOnlyItsPartOfTheGrid) {
  const std::vector<SeedCampaign> campaigns = planOf("000", {});
  // Figure 2: untuned at 0.5 ms, autotuning off and on, 1 to 8 streams.
  EXPECT_EQ(sweepCells(campaigns.front().scenarios.front()).size(), 8U);
  EXPECT_THAT(campaigns.front().commands.front(),
              HasSubstr("lab run message_matrix --set 'tuning=untuned' --set 'path.delay=0.25 ms'"));
}

TEST(SeedPlan, APaperThatIsNotRunSaysWhy) {
  const SeedComparison comparison = notRun(*findSeed("003"), "no congestion control hstcp");
  EXPECT_EQ(comparison.sections.size(), comparison.seed.sections.size());
  EXPECT_EQ(comparison.sections[0].notes.front(), "Not run: no congestion control hstcp");
}

/// Paths of one run each; the wait of this one, counted from 1, is interrupted.
MeasuredSection drawnPathsInterruptedIn(std::size_t interrupted) {
  const Seed& seed = *findSeed("004");
  std::size_t path = 0;
  const CampaignRun fakeRun = [&path](const Scenario&, const WaitUntil& waitUntil,
                                      const RunEnded&) -> Expected<LabRunDocument, LabError> {
    ++path;
    waitUntil(Moment());
    LabRunDocument document;
    document.figures = LabFigures();
    document.figures->drops = path;
    return document;
  };
  const SeedComparison comparison = runSeed(
      seed, {planOf("004", {2.0, 4}).front()}, [&](Moment) { return path != interrupted; }, {}, fakeRun);
  EXPECT_EQ(path, std::min<std::size_t>(interrupted, 4));
  return comparison.sections[0];
}

TEST(SeedRun, AnInterruptionKeepsThePathsBeforeIt) {
  const MeasuredSection section = drawnPathsInterruptedIn(3);
  ASSERT_EQ(section.cells.size(), 1U);
  EXPECT_EQ(section.cells[0].runs, 2U);
  const SampleSummary* const drops = section.cells[0].figure("drops");
  ASSERT_NE(drops, nullptr);
  EXPECT_EQ(drops->mean, 1.5);
  EXPECT_THAT(section.notes,
              testing::Contains("Random paths: path 3 of 4 was interrupted, and is left out; the paths after it were "
                                "not run"));
}

TEST(SeedRun, AnInterruptionOfTheLastPathLeavesOutOnlyThisOne) {
  const MeasuredSection section = drawnPathsInterruptedIn(4);
  ASSERT_EQ(section.cells.size(), 1U);
  EXPECT_EQ(section.cells[0].runs, 3U);
  EXPECT_THAT(section.notes, testing::Contains("Random paths: path 4 of 4 was interrupted, and is left out"));
}

TEST(SeedRun, AnInterruptionOfTheFirstPathLeavesNothing) {
  const MeasuredSection section = drawnPathsInterruptedIn(1);
  EXPECT_TRUE(section.cells.empty());
  EXPECT_THAT(section.notes, testing::Contains("Random paths was interrupted, and is left out"));
}

TEST(SeedRun, WithoutAnInterruptionEveryPathIsThere) {
  const MeasuredSection section = drawnPathsInterruptedIn(5);
  ASSERT_EQ(section.cells.size(), 1U);
  EXPECT_EQ(section.cells[0].runs, 4U);
}

TEST(SeedPlan, PapersThatAnInterruptionKeptFromRunningAreListed) {
  const std::vector<SeedComparison> reached = {notRun(seedCatalogue()[0], ""), notRun(seedCatalogue()[1], "")};
  const std::vector<SeedComparison> rest = notReached(reached, "interrupted");
  ASSERT_EQ(rest.size(), seedCatalogue().size() - 2);
  for (std::size_t number = 0; number < rest.size(); ++number) {
    EXPECT_EQ(rest[number].seed.number, seedCatalogue()[number + 2].number);
    for (const MeasuredSection& section : rest[number].sections) {
      EXPECT_EQ(section.notes, std::vector<std::string>{"Not run: interrupted"});
    }
  }
}

}  // namespace
}  // namespace tcpscope::lab
