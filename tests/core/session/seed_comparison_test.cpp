#include "core/session/seed_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/session/seed_catalogue.h"

namespace tcpscope::lab {
namespace {

SampleSummary summaryOf(double mean, double half) {
  return {5, mean, mean, half, Interval{mean - half, mean + half}};
}

LabCell cellOf(const std::string& flow, SampleSummary figure) {
  LabCell cell;
  cell.settings = {{"Flow-1", flow}};
  cell.runs = 5;
  cell.figures = {{"utilization_ratio", figure}};
  return cell;
}

/// One section, measured as said, and one statement: `higher` is above `lower`.
SeedComparison comparisonOf(std::vector<LabCell> cells, SeedTerm higher, SeedTerm lower) {
  SeedComparison comparison;
  SeedSection section;
  section.name = "Figure 7";
  comparison.seed.sections = {section};
  comparison.seed.statements = {{"Figure 7", "", std::move(higher), std::move(lower)}};
  comparison.sections.resize(1);
  comparison.sections[0].cells = std::move(cells);
  return comparison;
}

SeedTerm flow(const std::string& name, double factor = 1.0) {
  SeedTerm term;
  term.figure = "utilization_ratio";
  term.where = {{"Flow-1", name}};
  term.factor = factor;
  return term;
}

SeedTerm printed(double value) {
  SeedTerm term;
  term.printed = value;
  return term;
}

StatementOutcome judge(std::vector<LabCell> cells, SeedTerm higher, SeedTerm lower) {
  return judgeStatements(comparisonOf(std::move(cells), std::move(higher), std::move(lower))).at(0);
}

TEST(SeedComparison, IntervalsThatAreApartDecide) {
  const std::vector<LabCell> cells = {cellOf("gHSTCP", summaryOf(0.95, 0.01)), cellOf("Reno", summaryOf(0.90, 0.01)),
                                      cellOf("HSTCP", summaryOf(0.945, 0.01))};
  EXPECT_EQ(judge(cells, flow("gHSTCP"), flow("Reno")), StatementOutcome::confirmed);
  EXPECT_EQ(judge(cells, flow("Reno"), flow("gHSTCP")), StatementOutcome::contradicted);
  EXPECT_EQ(judge(cells, flow("gHSTCP"), flow("HSTCP")), StatementOutcome::undecided);
  EXPECT_EQ(judge(cells, flow("gHSTCP"), flow("parallel Reno")), StatementOutcome::notMeasured);
}

TEST(SeedComparison, OneRunDecidesNothing) {
  SampleSummary once;
  once.count = 1;
  once.mean = 0.9;
  EXPECT_EQ(judge({cellOf("Reno", once)}, flow("Reno"), printed(0.1)), StatementOutcome::undecided);
}

TEST(SeedComparison, APrintedValueHasNoWidth) {
  const std::vector<LabCell> cells = {cellOf("Reno", summaryOf(0.90, 0.01))};
  EXPECT_EQ(judge(cells, flow("Reno"), printed(0.88)), StatementOutcome::confirmed);
  EXPECT_EQ(judge(cells, flow("Reno"), printed(0.895)), StatementOutcome::undecided);
  EXPECT_EQ(judge(cells, printed(0.88), flow("Reno")), StatementOutcome::contradicted);
}

TEST(SeedComparison, AFactorScalesTheIntervalToo) {
  const std::vector<LabCell> cells = {cellOf("tuned", summaryOf(40, 1)), cellOf("mistuned", summaryOf(10, 0.1))};
  EXPECT_EQ(judge(cells, flow("tuned"), flow("mistuned", 3.5)), StatementOutcome::confirmed);
  EXPECT_EQ(judge(cells, flow("tuned"), flow("mistuned", 4.0)), StatementOutcome::undecided);
  EXPECT_EQ(judge(cells, flow("tuned"), flow("mistuned", 5.0)), StatementOutcome::contradicted);
}

TEST(SeedComparison, ARangeIsJudgedByBothOfItsEnds) {
  const auto judgeRange = [](double mean, double half) {
    SeedComparison comparison = comparisonOf({cellOf("tuned", summaryOf(mean, half))}, flow("tuned"), printed(11.0));
    comparison.seed.statements[0].ceiling = printed(50.0);
    return judgeStatements(comparison).at(0);
  };
  EXPECT_EQ(judgeRange(30.0, 1.0), StatementOutcome::confirmed);
  EXPECT_EQ(judgeRange(10.0, 0.5), StatementOutcome::contradicted);
  EXPECT_EQ(judgeRange(60.0, 1.0), StatementOutcome::contradicted);
  EXPECT_EQ(judgeRange(11.5, 1.0), StatementOutcome::undecided);
  EXPECT_EQ(judgeRange(49.5, 1.0), StatementOutcome::undecided);
}

TEST(SeedComparison, ARangeWithoutItsFigureIsNotMeasured) {
  SeedComparison comparison = comparisonOf({}, flow("tuned"), printed(11.0));
  comparison.seed.statements[0].ceiling = printed(50.0);
  EXPECT_EQ(judgeStatements(comparison).at(0), StatementOutcome::notMeasured);
}

TEST(SeedComparison, ThePrintedFiguresOfThePaperOnWeb100ConfirmItsStatements) {
  SeedComparison comparison;
  comparison.seed = web100Seed();
  comparison.sections.resize(comparison.seed.sections.size());
  comparison.sections[0].cells = comparison.seed.sections[0].printedCells;
  for (const StatementOutcome outcome : judgeStatements(comparison)) EXPECT_EQ(outcome, StatementOutcome::confirmed);
}

TEST(SeedComparison, ACellShowsTheAxesOfItsSectionUnderTheirTitles) {
  const Seed seed = gentleSeed();
  LabCell cell;
  cell.settings = {{"path.delay", "23 ms"}, {"window_two", "64k"}};
  const LabCell shown = comparedCell(seed.sections[0], seed.sections[0].experiments[3], cell);
  ASSERT_EQ(shown.settings.size(), 2U);
  EXPECT_EQ(shown.settings[0].key, "Flow-1");
  EXPECT_EQ(shown.settings[0].value, "gHSTCP");
  EXPECT_EQ(shown.settings[1].key, "window of Flow-2");
  EXPECT_EQ(shown.settings[1].value, "64 KB");
}

TEST(SeedCatalogue, TheGentlePaperHasEightExperimentsAndTwelveStatements) {
  const Seed seed = gentleSeed();
  std::size_t experiments = 0;
  for (const SeedSection& section : seed.sections) experiments += section.experiments.size();
  EXPECT_EQ(experiments, 8U);
  EXPECT_EQ(seed.sections[1].experiments[3].scenario, "gentle_against_reno_200mbit");
  EXPECT_EQ(seed.sections[1].experiments[3].name, "Experiment 8");
  EXPECT_EQ(seed.statements.size(), 12U);
}

TEST(SeedCatalogue, EachStatementIsOfASectionAndEachPaperFoundByItsNumber) {
  for (const Seed& seed : seedCatalogue()) {
    EXPECT_EQ(findSeed(seed.number), &seed);
    std::set<std::string> sections;
    for (const SeedSection& section : seed.sections) EXPECT_TRUE(sections.insert(section.name).second) << section.name;
    for (const SeedStatement& statement : seed.statements) EXPECT_EQ(sections.count(statement.section), 1U);
  }
  EXPECT_EQ(findSeed("001"), nullptr);
}

TEST(DrawnPath, IsTheSameForTheSameNumberAndWithinThePapersRange) {
  std::set<std::string> queues;
  for (std::uint64_t number = 1; number <= 50; ++number) {
    const std::vector<LabSetting> path = drawnPath(number);
    ASSERT_EQ(path.size(), 10U);
    double sum = 0.0;
    for (std::size_t sender = 0; sender < 8; ++sender) {
      const double delayMs = std::stod(path[sender].value);
      sum += 2.0 * delayMs;
      EXPECT_GE(delayMs, 1.0);
      EXPECT_LE(delayMs, 100.0);
    }
    // In bandwidth-delay products at 12.5 kB a millisecond.
    const double products = std::stod(path[8].value) / (sum / 8.0 * 12.5);
    EXPECT_GT(products, 0.12);
    EXPECT_LT(products, 2.02);
    queues.insert(path[8].value);
    EXPECT_EQ(path[9].value, std::to_string(number));
  }
  EXPECT_GT(queues.size(), 40U);
  EXPECT_EQ(drawnPath(7)[0].value, drawnPath(7)[0].value);
  EXPECT_NE(drawnPath(7)[0].value, drawnPath(8)[0].value);
}

}  // namespace
}  // namespace tcpscope::lab
