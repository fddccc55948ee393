// What the experiments of the papers run, without running it.
#include "app/lab/run/paper_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "core/advice/calculation.h"
#include "core/session/paper_catalogue.h"

namespace tcpscope::lab {
namespace {

using testing::HasSubstr;

std::vector<PaperCampaign> planOf(std::string_view number, const PaperRunOptions& options) {
  auto campaigns = planPaper(*findPaper(number), options);
  EXPECT_TRUE(campaigns.has_value());
  return campaigns ? *campaigns : std::vector<PaperCampaign>();
}

TEST(PaperPlan, EveryExperimentOfEveryPaperHasAScenario) {
  for (const Paper& paper : paperCatalogue()) {
    for (const PaperSection& section : paper.sections) {
      for (const PaperExperiment& experiment : section.experiments) {
        EXPECT_NE(findScenario(experiment.scenario), nullptr) << experiment.scenario;
      }
    }
    EXPECT_FALSE(planOf(paper.number, {}).empty()) << paper.number;
    EXPECT_FALSE(planOf(paper.number, {2.0, 3}).empty()) << paper.number;
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
std::vector<LabCell> plannedCells(const Paper& paper, const std::string& sectionName) {
  std::vector<LabCell> cells;
  for (const PaperCampaign& campaign : planOf(paper.number, {})) {
    const PaperSection& section = paper.sections[campaign.section];
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

TEST(PaperPlan, EveryPlaceOfAStatementIsOneCellThatHasItsFigure) {
  for (const Paper& paper : paperCatalogue()) {
    for (const PaperStatement& statement : paper.statements) {
      const std::vector<LabCell> cells = plannedCells(paper, statement.section);
      std::vector<PaperTerm> terms = {statement.higher, statement.lower};
      if (statement.ceiling) terms.push_back(*statement.ceiling);
      for (const PaperTerm& term : terms) {
        if (term.printed) continue;
        std::vector<LabCell> found;
        std::copy_if(cells.begin(), cells.end(), std::back_inserter(found),
                     [&](const LabCell& cell) { return isAt(cell, term.where); });
        ASSERT_EQ(found.size(), 1U) << paper.number << " " << statement.text;
        EXPECT_NE(found.front().figure(term.figure), nullptr) << paper.number << " " << term.figure;
      }
    }
  }
}

TEST(PaperPlan, EveryFigureThatASectionDrawsIsOneThatItsScenariosMeasure) {
  for (const Paper& paper : paperCatalogue()) {
    for (const PaperSection& section : paper.sections) {
      for (const LabCell& cell : plannedCells(paper, section.name)) {
        for (const PaperPlot& plot : section.plots) {
          for (const auto& [key, label] : plot.figures) {
            EXPECT_NE(cell.figure(key), nullptr) << paper.number << " " << section.name << " " << key;
          }
        }
      }
    }
  }
}

TEST(PaperPlan, TheTunedClientOfWeb100LosesWhatEquationOneNeedsForThePrintedRate) {
  const auto scenario = parseScenario(findScenario("web100_tuned_loss")->text);
  ASSERT_TRUE(scenario);
  const BudgetCalculation printed = computeBudget(BitsPerSecond(41.34e6), 0.02, Bytes(1448));
  const auto* const loss = std::get_if<BernoulliLoss>(&scenario->path.path.forward.loss);
  ASSERT_NE(loss, nullptr);
  EXPECT_NEAR(loss->ratio, printed.budget.lossEventRatio, 0.002 * loss->ratio);
}

TEST(PaperPlan, TheTransfersOfWeb100MayBeAsManyAsInThePaper) {
  for (const PaperCampaign& campaign : planOf("002", {2.0, 601})) {
    EXPECT_EQ(campaign.scenarios.front().repeats, 601U);
  }
}

TEST(PaperPlan, LengthAndNumberOfRunsAreOptionsButTransfersOf64MbRunToTheirEnd) {
  for (const PaperCampaign& campaign : planOf("004", {2.0, 3})) {
    const bool isParallel = campaign.experiment.scenario == "parallel_64mb";
    for (const Scenario& scenario : campaign.scenarios) {
      EXPECT_EQ(scenario.duration, isParallel ? Nanoseconds(std::chrono::seconds(120)) : std::chrono::seconds(2));
    }
    EXPECT_EQ(campaign.scenarios.front().repeats, campaign.experiment.pathDraw != PathDraw::none ? 1U : 3U);
    EXPECT_EQ(campaign.commands.front().find("--for") == std::string::npos, isParallel);
  }
}

TEST(PaperPlan, RandomPathsAreOneRunEachOverAPathOfItsOwnWhichItsCommandRepeats) {
  const std::vector<PaperCampaign> campaigns = planOf("004", {2.0, 3});
  const PaperCampaign& drawn = campaigns.front();
  ASSERT_EQ(drawn.scenarios.size(), 3U);
  ASSERT_EQ(drawn.commands.size(), 3U);
  EXPECT_EQ(drawn.scenarios[0].repeats, 1U);
  EXPECT_EQ(drawn.scenarios[2].path.seed, 3U);
  EXPECT_NE(drawn.scenarios[0].path.hosts, drawn.scenarios[1].path.hosts);
  const std::vector<LabSetting> second = drawnPath(PathDraw::randomRtts, 2);
  EXPECT_THAT(drawn.commands[1], HasSubstr(fmt::format("--set '{}={}'", second[0].key, second[0].value)));
  EXPECT_THAT(drawn.commands[1], HasSubstr("--for 2 --repeat 1"));
}

TEST(PaperPlan, AFigureRunsOnlyItsPartOfTheGrid) {
  const std::vector<PaperCampaign> campaigns = planOf("000", {});
  // Figure 2: untuned at 0.5 ms, autotuning off and on, 1 to 8 streams.
  EXPECT_EQ(sweepCells(campaigns.front().scenarios.front()).size(), 8U);
  EXPECT_THAT(campaigns.front().commands.front(),
              HasSubstr("lab run message_matrix --set 'tuning=untuned' --set 'path.delay=0.25 ms'"));
}

TEST(PaperPlan, APaperThatIsNotRunSaysWhy) {
  const PaperComparison comparison = notRun(*findPaper("003"), "no congestion control hstcp");
  EXPECT_EQ(comparison.sections.size(), comparison.paper.sections.size());
  EXPECT_EQ(comparison.sections[0].notes.front(), "Not run: no congestion control hstcp");
}

/// Paths of one run each; the wait of this one, counted from 1, is interrupted.
MeasuredSection drawnPathsInterruptedIn(std::size_t interrupted) {
  const Paper& paper = *findPaper("004");
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
  const PaperComparison comparison = runPaper(
      paper, {planOf("004", {2.0, 4}).front()}, [&](Moment) { return path != interrupted; }, {}, fakeRun);
  EXPECT_EQ(path, std::min<std::size_t>(interrupted, 4));
  return comparison.sections[0];
}

TEST(PaperRun, AnInterruptionKeepsThePathsBeforeIt) {
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

TEST(PaperRun, AnInterruptionOfTheLastPathLeavesOutOnlyThisOne) {
  const MeasuredSection section = drawnPathsInterruptedIn(4);
  ASSERT_EQ(section.cells.size(), 1U);
  EXPECT_EQ(section.cells[0].runs, 3U);
  EXPECT_THAT(section.notes, testing::Contains("Random paths: path 4 of 4 was interrupted, and is left out"));
}

TEST(PaperRun, AnInterruptionOfTheFirstPathLeavesNothing) {
  const MeasuredSection section = drawnPathsInterruptedIn(1);
  EXPECT_TRUE(section.cells.empty());
  EXPECT_THAT(section.notes, testing::Contains("Random paths was interrupted, and is left out"));
}

TEST(PaperRun, WithoutAnInterruptionEveryPathIsThere) {
  const MeasuredSection section = drawnPathsInterruptedIn(5);
  ASSERT_EQ(section.cells.size(), 1U);
  EXPECT_EQ(section.cells[0].runs, 4U);
}

TEST(PaperPlan, PapersThatAnInterruptionKeptFromRunningAreListed) {
  const std::vector<PaperComparison> reached = {notRun(paperCatalogue()[0], ""), notRun(paperCatalogue()[1], "")};
  const std::vector<PaperComparison> rest = notReached(reached, "interrupted");
  ASSERT_EQ(rest.size(), paperCatalogue().size() - 2);
  for (std::size_t number = 0; number < rest.size(); ++number) {
    EXPECT_EQ(rest[number].paper.number, paperCatalogue()[number + 2].number);
    for (const MeasuredSection& section : rest[number].sections) {
      EXPECT_EQ(section.notes, std::vector<std::string>{"Not run: interrupted"});
    }
  }
}

}  // namespace
}  // namespace tcpscope::lab
