#include "core/present/html/seed_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/seed_catalogue.h"

namespace tcpscope::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The four flows over 200 Mbit/s with windows of 512 KB, all alike.
SeedComparison comparisonWith(std::size_t lateRuns) {
  SeedComparison comparison;
  comparison.seed = gentleSeed();
  comparison.conditions = "Linux 6.18 <b>";
  comparison.sections.resize(comparison.seed.sections.size());
  MeasuredSection& measured = comparison.sections[2];
  measured.commands = {"tcpscope-cli lab run gentle_against_reno_200mbit --for 30"};
  measured.notes = {"Experiment 8: a note"};
  const SampleSummary summary{5, 0.962, 0.96, 0.01, Interval{0.952, 0.972}};
  for (const SeedExperiment& experiment : comparison.seed.sections[2].experiments) {
    LabCell cell;
    cell.settings = {{"window_two", "512k"}};
    cell.runs = 5;
    cell.lateRuns = lateRuns;
    if (lateRuns < cell.runs)
      cell.figures = {{"utilization_ratio", summary}, {"lateness_p999_us", {4, 210, 210, {}, {}}}};
    measured.cells.push_back(comparedCell(comparison.seed.sections[2], experiment, cell));
  }
  return comparison;
}

/// Drops in pairs 0.001 RTT apart, one pair every 5 RTTs.
SeedComparison drawnLosses() {
  SeedComparison comparison;
  comparison.seed = lossBurstSeed();
  comparison.sections.resize(comparison.seed.sections.size());
  LabCell cell;
  cell.settings = {{"paths", "merged"}};
  cell.runs = 2;
  cell.figures = {{"drops_within_hundredth_rtt_ratio", {2, 0.5, 0.5, 0.0, Interval{0.5, 0.5}}}};
  for (int pair = 0; pair < 100; ++pair) cell.dropIntervalsRtt.insert(cell.dropIntervalsRtt.end(), {0.001, 5.0});
  comparison.sections[0].cells = {cell};
  return comparison;
}

TEST(SeedPage, HasFiguresStatementsLatenessAndCommands) {
  const std::string page = toHtml(comparisonWith(1));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy"));
  EXPECT_THAT(page, HasSubstr("4 of 5"));
  EXPECT_THAT(page, HasSubstr("gHSTCP is fairer to Reno than HSTCP."));
  EXPECT_THAT(page, HasSubstr("gentle_against_reno_200mbit --for 30"));
  EXPECT_THAT(page, HasSubstr("0.962 ± 0.010 (SD 0.010)"));
  EXPECT_THAT(page, HasSubstr("210 µs"));
  EXPECT_THAT(page, HasSubstr("Linux 6.18 &lt;b&gt;"));
  EXPECT_THAT(page, HasSubstr("a drawing of the topology"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(SeedPage, WithoutRunsInTimeQuotesNoFigure) {
  const std::string page = toHtml(comparisonWith(5));
  EXPECT_THAT(page, HasSubstr("0 of 5"));
  EXPECT_THAT(page, Not(HasSubstr("0.962")));
  EXPECT_THAT(page, HasSubstr("not measured"));
  EXPECT_THAT(page, HasSubstr("Nothing was measured."));
}

TEST(SeedPage, DrawsTheIntervalsBetweenDropsBesidePoisson) {
  const std::string page = toHtml(drawnLosses());
  EXPECT_THAT(page, HasSubstr("200 intervals, merged: 50.0 % within 0.01 RTT"));
  EXPECT_THAT(page, HasSubstr("Poisson process"));
}

TEST(SeedPage, OfSeveralPapersListsWhatIsRedoneAndWhatIsNot) {
  const std::vector<SeedComparison> both = {comparisonWith(0), drawnLosses()};
  const std::string page = toHtml(both);
  EXPECT_THAT(page, HasSubstr("redone; 3 undecided"));
  EXPECT_THAT(page, HasSubstr("redone; 1 contradicted"));
  EXPECT_THAT(page, HasSubstr("not repeated: a drawing of the topology"));
  EXPECT_THAT(page, HasSubstr("href=\"#p004-Figure-2\""));
  EXPECT_THAT(page, HasSubstr("id=\"p004-Figure-2\""));
}

TEST(SeedPage, DrawsPrintedFiguresBesideOurs) {
  SeedComparison comparison;
  comparison.seed = web100Seed();
  comparison.sections.resize(1);
  LabCell cell;
  cell.settings = {{"client", "tuned"}};
  cell.runs = 5;
  cell.figures = {{"goodput_bps", {5, 96e6, 96e6, 1e5, Interval{95.9e6, 96.1e6}}}};
  comparison.sections[0].cells = {cell};
  const std::string picture = toSvg(comparison);
  EXPECT_THAT(picture, HasSubstr(">here<"));
  EXPECT_THAT(picture, HasSubstr(">printed<"));
}

TEST(SeedPage, ShowsPacedFlowsBesideWindowBasedOnesWithoutADifferenceThatHasNoInterval) {
  SeedComparison comparison;
  comparison.seed = lossBurstSeed();
  comparison.sections.resize(comparison.seed.sections.size());
  LabCell cell;
  cell.settings = {{"condition", "as printed"}};
  cell.runs = 5;
  cell.figures = {{"goodput_bps.paced", {5, 41.5e6, 41.5e6, {}, {}}}, {"goodput_bps.window", {5, 50e6, 50e6, {}, {}}}};
  comparison.sections[2].cells = {cell};
  const std::string page = toHtml(comparison);
  EXPECT_THAT(page, HasSubstr("<th>paced</th><th>window-based</th>"));
  EXPECT_THAT(page, Not(HasSubstr("-17 %")));
}

TEST(SeedPage, ThePictureHasEveryFigure) {
  const std::string picture = toSvg(comparisonWith(0));
  EXPECT_THAT(picture, HasSubstr("Figure 8: Link utilization"));
  EXPECT_THAT(picture, HasSubstr("Figure 8: Throughput of Flow-1"));
  // No line joins what has no order.
  EXPECT_THAT(picture, Not(HasSubstr("<polyline")));
}

TEST(SeedPage, DrawsTheWindowsOfFlowsOverTime) {
  SeedComparison comparison;
  comparison.seed = gentleSeed();
  comparison.sections.resize(comparison.seed.sections.size());
  WindowTrace trace{"gHSTCP, refined", {}};
  for (int second = 0; second <= 90; ++second) trace.points.push_back({second * 1.0, 10.0 * second, 0.046});
  comparison.sections[0].traces = {trace};
  LabCell cell;
  cell.figures = {{"utilization_ratio", {1, 0.9, 0.9, {}, {}}}};
  comparison.sections[0].cells = {cell};
  const std::string picture = toSvg(comparison);
  EXPECT_THAT(picture, HasSubstr("Congestion window (segments)"));
  EXPECT_THAT(picture, HasSubstr("Smoothed RTT (ms)"));
  EXPECT_THAT(picture, HasSubstr(">gHSTCP, refined<"));
  EXPECT_THAT(picture, HasSubstr(">75<"));
  EXPECT_THAT(picture, HasSubstr("<polyline"));
}

TEST(SeedPage, NamesTheBestNumberOfStreams) {
  SeedComparison comparison;
  comparison.seed = gentleSeed();
  comparison.sections.resize(comparison.seed.sections.size());
  const auto cellOfStreams = [](const std::string& streams, double mean) {
    LabCell cell;
    cell.settings = {{"link", "100 Mbit/s"}, {"streams", streams}};
    cell.runs = 5;
    cell.figures = {{"utilization_fairness_ratio", {5, mean, mean, 0.01, Interval{mean - 0.01, mean + 0.01}}}};
    return cell;
  };
  comparison.sections[3].cells = {cellOfStreams("2", 0.4), cellOfStreams("8", 0.8), cellOfStreams("16", 0.79)};
  EXPECT_THAT(toHtml(comparison),
              HasSubstr("Best by link utilization × Jain&#39;s fairness index: 8 streams (0.800 ± 0.010; link 100 "
                        "Mbit/s); not apart from it: 16."));
}

TEST(SeedPage, TheTableHasSectionAndSettings) {
  const std::string table = toCsv(comparisonWith(0));
  EXPECT_THAT(table, HasSubstr("section,settings,figure,n,mean"));
  EXPECT_THAT(table, HasSubstr("Figure 8,\"Flow-1=gHSTCP; window of Flow-2=512 KB\",utilization_ratio,5,0.962"));
}

}  // namespace
}  // namespace tcpscope::lab
