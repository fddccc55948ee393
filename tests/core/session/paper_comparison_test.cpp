#include "core/session/paper_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "core/session/paper_catalogue.h"

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
PaperComparison comparisonOf(std::vector<LabCell> cells, PaperTerm higher, PaperTerm lower) {
  PaperComparison comparison;
  PaperSection section;
  section.name = "Figure 7";
  comparison.paper.sections = {section};
  comparison.paper.statements = {{"Figure 7", "", std::move(higher), std::move(lower)}};
  comparison.sections.resize(1);
  comparison.sections[0].cells = std::move(cells);
  return comparison;
}

PaperTerm flow(const std::string& name, double factor = 1.0) {
  PaperTerm term;
  term.figure = "utilization_ratio";
  term.where = {{"Flow-1", name}};
  term.factor = factor;
  return term;
}

PaperTerm printed(double value) {
  PaperTerm term;
  term.printed = value;
  return term;
}

StatementOutcome judge(std::vector<LabCell> cells, PaperTerm higher, PaperTerm lower) {
  return judgeStatements(comparisonOf(std::move(cells), std::move(higher), std::move(lower))).at(0);
}

TEST(PaperComparison, IntervalsThatAreApartDecide) {
  const std::vector<LabCell> cells = {cellOf("gHSTCP", summaryOf(0.95, 0.01)), cellOf("Reno", summaryOf(0.90, 0.01)),
                                      cellOf("HSTCP", summaryOf(0.945, 0.01))};
  EXPECT_EQ(judge(cells, flow("gHSTCP"), flow("Reno")), StatementOutcome::confirmed);
  EXPECT_EQ(judge(cells, flow("Reno"), flow("gHSTCP")), StatementOutcome::contradicted);
  EXPECT_EQ(judge(cells, flow("gHSTCP"), flow("HSTCP")), StatementOutcome::undecided);
  EXPECT_EQ(judge(cells, flow("gHSTCP"), flow("parallel Reno")), StatementOutcome::notMeasured);
}

TEST(PaperComparison, OneRunDecidesNothing) {
  SampleSummary once;
  once.count = 1;
  once.mean = 0.9;
  EXPECT_EQ(judge({cellOf("Reno", once)}, flow("Reno"), printed(0.1)), StatementOutcome::undecided);
}

TEST(PaperComparison, APrintedValueHasNoWidth) {
  const std::vector<LabCell> cells = {cellOf("Reno", summaryOf(0.90, 0.01))};
  EXPECT_EQ(judge(cells, flow("Reno"), printed(0.88)), StatementOutcome::confirmed);
  EXPECT_EQ(judge(cells, flow("Reno"), printed(0.895)), StatementOutcome::undecided);
  EXPECT_EQ(judge(cells, printed(0.88), flow("Reno")), StatementOutcome::contradicted);
}

TEST(PaperComparison, AFactorScalesTheIntervalToo) {
  const std::vector<LabCell> cells = {cellOf("tuned", summaryOf(40, 1)), cellOf("mistuned", summaryOf(10, 0.1))};
  EXPECT_EQ(judge(cells, flow("tuned"), flow("mistuned", 3.5)), StatementOutcome::confirmed);
  EXPECT_EQ(judge(cells, flow("tuned"), flow("mistuned", 4.0)), StatementOutcome::undecided);
  EXPECT_EQ(judge(cells, flow("tuned"), flow("mistuned", 5.0)), StatementOutcome::contradicted);
}

TEST(PaperComparison, ARangeIsJudgedByBothOfItsEnds) {
  const auto judgeRange = [](double mean, double half) {
    PaperComparison comparison = comparisonOf({cellOf("tuned", summaryOf(mean, half))}, flow("tuned"), printed(11.0));
    comparison.paper.statements[0].ceiling = printed(50.0);
    return judgeStatements(comparison).at(0);
  };
  EXPECT_EQ(judgeRange(30.0, 1.0), StatementOutcome::confirmed);
  EXPECT_EQ(judgeRange(10.0, 0.5), StatementOutcome::contradicted);
  EXPECT_EQ(judgeRange(60.0, 1.0), StatementOutcome::contradicted);
  EXPECT_EQ(judgeRange(11.5, 1.0), StatementOutcome::undecided);
  EXPECT_EQ(judgeRange(49.5, 1.0), StatementOutcome::undecided);
}

TEST(PaperComparison, ARangeWithoutItsFigureIsNotMeasured) {
  PaperComparison comparison = comparisonOf({}, flow("tuned"), printed(11.0));
  comparison.paper.statements[0].ceiling = printed(50.0);
  EXPECT_EQ(judgeStatements(comparison).at(0), StatementOutcome::notMeasured);
}

TEST(PaperComparison, ThePrintedFiguresOfThePaperOnWeb100ConfirmItsStatements) {
  PaperComparison comparison;
  comparison.paper = web100Paper();
  comparison.sections.resize(comparison.paper.sections.size());
  comparison.sections[0].cells = comparison.paper.sections[0].printedCells;
  for (const StatementOutcome outcome : judgeStatements(comparison)) EXPECT_EQ(outcome, StatementOutcome::confirmed);
}

TEST(PaperComparison, ACellShowsTheAxesOfItsSectionUnderTheirTitles) {
  const Paper paper = gentlePaper();
  LabCell cell;
  cell.settings = {{"path.delay", "23 ms"}, {"window_two", "64k"}};
  const LabCell shown = comparedCell(paper.sections[1], paper.sections[1].experiments[3], cell);
  ASSERT_EQ(shown.settings.size(), 2U);
  EXPECT_EQ(shown.settings[0].key, "Flow-1");
  EXPECT_EQ(shown.settings[0].value, "gHSTCP");
  EXPECT_EQ(shown.settings[1].key, "window of Flow-2");
  EXPECT_EQ(shown.settings[1].value, "64 KB");
}

TEST(PaperCatalogue, TheGentlePaperHasEightExperimentsAndSixStatementsOnEachLink) {
  const Paper paper = gentlePaper();
  EXPECT_EQ(paper.sections[1].experiments.size() + paper.sections[2].experiments.size(), 8U);
  EXPECT_EQ(paper.sections[2].experiments[3].scenario, "gentle_against_reno_200mbit");
  EXPECT_EQ(paper.sections[2].experiments[3].name, "Experiment 8");
  for (const std::size_t section : {1U, 2U}) {
    EXPECT_EQ(std::ranges::count(paper.statements, paper.sections[section].name, &PaperStatement::section), 6);
  }
}

/// Numbers of streams over one link, each with its figure.
std::vector<MeasuredOptimum> optimaAmong(const std::vector<std::pair<std::string, SampleSummary>>& streams) {
  PaperSection section;
  section.optimum = {"streams", "utilization_ratio", "link utilization"};
  MeasuredSection measured;
  for (const auto& [count, figure] : streams) {
    LabCell cell;
    cell.settings = {{"link", "100 Mbit/s"}, {"streams", count}};
    cell.figures = {{"utilization_ratio", figure}};
    measured.cells.push_back(std::move(cell));
  }
  return optimaOf(section, measured);
}

TEST(PaperOptimum, IsTheHighestMeanAndNamesWhatIsNotApartFromIt) {
  const auto optima = optimaAmong({{"1", summaryOf(0.30, 0.02)},
                                   {"4", summaryOf(0.80, 0.02)},
                                   {"8", summaryOf(0.82, 0.01)},
                                   {"16", summaryOf(0.78, 0.02)}});
  ASSERT_EQ(optima.size(), 1U);
  EXPECT_EQ(optima[0].best, "8");
  EXPECT_EQ(optima[0].figure.mean, 0.82);
  EXPECT_EQ(optima[0].notApart, std::vector<std::string>{"4"});
  ASSERT_EQ(optima[0].where.size(), 1U);
  EXPECT_EQ(optima[0].where[0].value, "100 Mbit/s");
}

TEST(PaperOptimum, OfOneRunEachIsApartFromNoOther) {
  SampleSummary lone;
  lone.count = 1;
  lone.mean = 0.5;
  SampleSummary higher = lone;
  higher.mean = 0.6;
  const auto optima = optimaAmong({{"1", lone}, {"2", higher}});
  ASSERT_EQ(optima.size(), 1U);
  EXPECT_EQ(optima[0].best, "2");
  EXPECT_EQ(optima[0].notApart, std::vector<std::string>{"1"});
}

TEST(PaperOptimum, IsNotKnownWithoutFigures) {
  EXPECT_TRUE(optimaAmong({}).empty());
}

TEST(WindowTrace, HasTheSamplesThatReportBothFigures) {
  std::array<double, kMetricCount> values{};
  values.fill(std::numeric_limits<double>::quiet_NaN());
  ConnectionHistory history;
  const auto take = [&](int milliseconds, double cwnd, double rttMicroseconds) {
    values[static_cast<std::size_t>(Metric::sndCwnd)] = cwnd;
    values[static_cast<std::size_t>(Metric::rtt)] = rttMicroseconds;
    history.append(Moment() + Milliseconds(milliseconds), values);
  };
  take(1000, 10.0, 46'000.0);
  take(1100, 20.0, std::numeric_limits<double>::quiet_NaN());
  take(1200, 40.0, 48'000.0);
  const WindowTrace trace = windowTraceOf(history, "HSTCP");
  EXPECT_EQ(trace.label, "HSTCP");
  ASSERT_EQ(trace.points.size(), 2U);
  EXPECT_EQ(trace.points[0].seconds, 0.0);
  EXPECT_NEAR(trace.points[1].seconds, 0.2, 1e-9);
  EXPECT_EQ(trace.points[1].cwndSegments, 40.0);
  EXPECT_NEAR(trace.points[1].rttSeconds, 0.048, 1e-9);
  EXPECT_TRUE(windowTraceOf(ConnectionHistory(), "").points.empty());
}

TEST(PaperCatalogue, EachStatementIsOfASectionAndEachPaperFoundByItsNumber) {
  for (const Paper& paper : paperCatalogue()) {
    EXPECT_EQ(findPaper(paper.number), &paper);
    std::set<std::string> sections;
    for (const PaperSection& section : paper.sections)
      EXPECT_TRUE(sections.insert(section.name).second) << section.name;
    for (const PaperStatement& statement : paper.statements) EXPECT_EQ(sections.count(statement.section), 1U);
  }
  EXPECT_EQ(findPaper("001"), nullptr);
}

TEST(DrawnPath, IsTheSameForTheSameNumberAndWithinThePapersRange) {
  std::set<std::string> queues;
  for (std::uint64_t number = 1; number <= 50; ++number) {
    const std::vector<LabSetting> path = drawnPath(PathDraw::randomRtts, number);
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
  EXPECT_EQ(drawnPath(PathDraw::randomRtts, 7)[0].value, drawnPath(PathDraw::randomRtts, 7)[0].value);
  EXPECT_NE(drawnPath(PathDraw::randomRtts, 7)[0].value, drawnPath(PathDraw::randomRtts, 8)[0].value);
}

TEST(DrawnPath, OfFourRttsHasTwoSendersEachAndDrawsTheQueue) {
  std::set<std::string> queues;
  for (std::uint64_t number = 1; number <= 50; ++number) {
    const std::vector<LabSetting> path = drawnPath(PathDraw::fourRtts, number);
    std::multiset<std::string> delays;
    for (std::size_t sender = 0; sender < 8; ++sender) delays.insert(path[sender].value);
    EXPECT_EQ(delays, (std::multiset<std::string>{"1.0 ms", "1.0 ms", "5.0 ms", "5.0 ms", "25.0 ms", "25.0 ms",
                                                  "100.0 ms", "100.0 ms"}));
    queues.insert(path[8].value);
  }
  EXPECT_EQ(queues.size(), 5U);
}

}  // namespace
}  // namespace tcpscope::lab
