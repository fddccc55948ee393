#include "core/session/seed_comparison.h"

#include <gtest/gtest.h>

namespace tcpscope::lab {
namespace {

SampleSummary summaryOf(double mean, double half) {
  return {5, mean, mean, half, Interval{mean - half, mean + half}};
}

LabCell cellWith(const SeedExperiment& experiment, const std::string& window, SampleSummary utilization,
                 SampleSummary fairness) {
  LabCell cell;
  cell.settings = {{"window_two", window}};
  cell.runs = 5;
  cell.figures = {{"utilization_ratio", utilization}, {"jain_fairness_ratio", fairness}};
  return comparedCell(experiment, cell);
}

StatementOutcome outcomeOf(const std::vector<SeedStatement>& statements, std::string_view bottleneck,
                           std::string_view figure, std::string_view higher, std::string_view lower) {
  for (const SeedStatement& one : statements) {
    if (one.bottleneck == bottleneck && one.figure == figure && one.higher == higher && one.lower == lower) {
      return one.outcome;
    }
  }
  ADD_FAILURE() << "no such statement";
  return StatementOutcome::notMeasured;
}

TEST(SeedComparison, EachExperimentStandsOnceInItsScenario) {
  ASSERT_EQ(kGentleExperiments.size(), 8);
  for (std::size_t i = 0; i < kGentleExperiments.size(); ++i) {
    EXPECT_EQ(kGentleExperiments[i].number, i + 1);
    EXPECT_EQ(kGentleExperiments[i].bottleneck, i < 4 ? "100 Mbit/s" : "200 Mbit/s");
    EXPECT_EQ(kGentleExperiments[i].flow, kGentleExperiments[(i + 4) % 8].flow);
  }
}

TEST(SeedComparison, ACellHasTheSettingsOfItsExperiment) {
  const LabCell cell = cellWith(kGentleExperiments[3], "64k", summaryOf(0.9, 0.01), summaryOf(0.9, 0.01));
  ASSERT_EQ(cell.settings.size(), kGentleAxes.size());
  EXPECT_EQ(cell.settings[0].value, "100 Mbit/s");
  EXPECT_EQ(cell.settings[1].value, "gHSTCP");
  EXPECT_EQ(cell.settings[2].key, "window_of_flow_2");
  EXPECT_EQ(cell.settings[2].value, "64 KB");
}

TEST(SeedComparison, JudgesByIntervalsThatAreApart) {
  const std::vector<LabCell> cells = {
      cellWith(kGentleExperiments[4], "512k", summaryOf(0.90, 0.01), summaryOf(0.99, 0.01)),
      cellWith(kGentleExperiments[5], "512k", summaryOf(0.95, 0.01), summaryOf(0.88, 0.01)),
      cellWith(kGentleExperiments[7], "512k", summaryOf(0.955, 0.01), summaryOf(0.98, 0.01)),
      // With the small window nothing is stated.
      cellWith(kGentleExperiments[6], "64k", summaryOf(0.99, 0.001), summaryOf(0.5, 0.001)),
  };
  const auto statements = judgeGentleStatements(cells);
  EXPECT_EQ(statements.size(), 12);
  constexpr std::string_view kAt = "200 Mbit/s";
  EXPECT_EQ(outcomeOf(statements, kAt, "utilization_ratio", "gHSTCP", "Reno"), StatementOutcome::confirmed);
  EXPECT_EQ(outcomeOf(statements, kAt, "utilization_ratio", "gHSTCP", "HSTCP"), StatementOutcome::undecided);
  EXPECT_EQ(outcomeOf(statements, kAt, "jain_fairness_ratio", "gHSTCP", "HSTCP"), StatementOutcome::confirmed);
  EXPECT_EQ(outcomeOf(statements, kAt, "jain_fairness_ratio", "gHSTCP", "parallel Reno"),
            StatementOutcome::notMeasured);
  EXPECT_EQ(outcomeOf(statements, "100 Mbit/s", "utilization_ratio", "gHSTCP", "Reno"), StatementOutcome::notMeasured);
}

TEST(SeedComparison, TheOtherOrderContradicts) {
  const auto statements =
      judgeGentleStatements({cellWith(kGentleExperiments[5], "512k", summaryOf(0.9, 0.01), summaryOf(0.99, 0.01)),
                             cellWith(kGentleExperiments[7], "512k", summaryOf(0.9, 0.01), summaryOf(0.9, 0.01))});
  EXPECT_EQ(outcomeOf(statements, "200 Mbit/s", "jain_fairness_ratio", "gHSTCP", "HSTCP"),
            StatementOutcome::contradicted);
}

TEST(SeedComparison, OneRunDecidesNothing) {
  SampleSummary once;
  once.count = 1;
  once.mean = 0.9;
  SampleSummary other = once;
  other.mean = 0.1;
  const auto statements = judgeGentleStatements(
      {cellWith(kGentleExperiments[4], "512k", other, other), cellWith(kGentleExperiments[7], "512k", once, once)});
  EXPECT_EQ(outcomeOf(statements, "200 Mbit/s", "utilization_ratio", "gHSTCP", "Reno"), StatementOutcome::undecided);
}

}  // namespace
}  // namespace tcpscope::lab
