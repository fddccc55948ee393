#include "core/present/html/paper_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/paper_catalogue.h"

namespace tcpscope::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The four flows over 200 Mbit/s with windows of 512 KB, all alike.
PaperComparison comparisonWith(std::size_t lateRuns) {
  PaperComparison comparison;
  comparison.paper = gentlePaper();
  comparison.conditions = "Linux 6.18 <b>";
  comparison.sections.resize(comparison.paper.sections.size());
  MeasuredSection& measured = comparison.sections[2];
  measured.commands = {"tcpscope-cli lab run gentle_against_reno_200mbit --for 30"};
  measured.notes = {"Experiment 8: a note"};
  const SampleSummary summary{5, 0.962, 0.96, 0.01, Interval{0.952, 0.972}};
  for (const PaperExperiment& experiment : comparison.paper.sections[2].experiments) {
    LabCell cell;
    cell.settings = {{"window_two", "512k"}};
    cell.runs = 5;
    cell.lateRuns = lateRuns;
    if (lateRuns < cell.runs)
      cell.figures = {{"utilization_ratio", summary}, {"lateness_p999_us", {4, 210, 210, {}, {}}}};
    measured.cells.push_back(comparedCell(comparison.paper.sections[2], experiment, cell));
  }
  return comparison;
}

/// Drops in pairs 0.001 RTT apart, one pair every 5 RTTs.
PaperComparison drawnLosses() {
  PaperComparison comparison;
  comparison.paper = lossBurstPaper();
  comparison.sections.resize(comparison.paper.sections.size());
  LabCell cell;
  cell.settings = {{"paths", "merged"}};
  cell.runs = 2;
  cell.figures = {{"drops_within_hundredth_rtt_ratio", {2, 0.5, 0.5, 0.0, Interval{0.5, 0.5}}}};
  for (int pair = 0; pair < 100; ++pair) cell.dropIntervalsRtt.insert(cell.dropIntervalsRtt.end(), {0.001, 5.0});
  comparison.sections[0].cells = {cell};
  return comparison;
}

TEST(PaperPage, HasFiguresStatementsLatenessAndCommands) {
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

TEST(PaperPage, WithoutRunsInTimeQuotesNoFigure) {
  const std::string page = toHtml(comparisonWith(5));
  EXPECT_THAT(page, HasSubstr("0 of 5"));
  EXPECT_THAT(page, Not(HasSubstr("0.962")));
  EXPECT_THAT(page, HasSubstr("not measured"));
  EXPECT_THAT(page, HasSubstr("Nothing was measured."));
}

TEST(PaperPage, DrawsTheIntervalsBetweenDropsBesidePoisson) {
  const std::string page = toHtml(drawnLosses());
  EXPECT_THAT(page, HasSubstr("200 intervals, merged: 50.0 % within 0.01 RTT"));
  EXPECT_THAT(page, HasSubstr("Poisson process"));
}

TEST(PaperPage, OfSeveralPapersListsWhatIsRedoneAndWhatIsNot) {
  const std::vector<PaperComparison> both = {comparisonWith(0), drawnLosses()};
  const std::string page = toHtml(both);
  EXPECT_THAT(page, HasSubstr("redone; 3 undecided"));
  EXPECT_THAT(page, HasSubstr("redone; 1 contradicted"));
  EXPECT_THAT(page, HasSubstr("not repeated: a drawing of the topology"));
  EXPECT_THAT(page, HasSubstr("href=\"#p004-Figure-2\""));
  EXPECT_THAT(page, HasSubstr("id=\"p004-Figure-2\""));
}

/// Runs of the tuned client of Web100's paper, from 40 Mbit/s on, one of them late.
PaperComparison tunedRuns(std::size_t count) {
  PaperComparison comparison;
  comparison.paper = web100Paper();
  comparison.sections.resize(1);
  std::vector<LabFigures> runs(count);
  for (std::size_t run = 0; run < count; ++run) {
    runs[run].goodput = BitsPerSecond(40e6 + 1e6 * static_cast<double>(run % 5));
  }
  runs[1].lateness.p999 = std::chrono::milliseconds(5);
  const PaperSection& section = comparison.paper.sections[0];
  comparison.sections[0].cells = {comparedCell(section, section.experiments[1], cellOf({}, runs))};
  return comparison;
}

TEST(PaperPage, DrawsEachRunAndTheSummariesHereAndPrinted) {
  const PaperComparison comparison = tunedRuns(5);
  const std::string page = toHtml(comparison);
  EXPECT_THAT(page, HasSubstr("<th>n</th><th>Mean (Mbit/s)</th><th>SD</th><th>95 % CI of mean</th><th>Median</th>"));
  EXPECT_THAT(page, HasSubstr("<td>tuned</td><td>here</td><td>4</td><td>42.250</td>"));
  EXPECT_THAT(page, HasSubstr("<td>tuned</td><td>printed</td><td>601</td><td>41.340</td><td>9.075</td><td>40.613 to "
                              "42.067</td><td>41.578</td>"));
  EXPECT_THAT(page, HasSubstr("4 of 5"));
  const std::string picture = toSvg(comparison);
  EXPECT_THAT(picture, HasSubstr(">here<"));
  EXPECT_THAT(picture, HasSubstr(">printed<"));
  EXPECT_THAT(picture, HasSubstr(">40.613 to 42.067<"));
}

TEST(PaperPage, SixHundredRunsAreOneFigureOfBoundedSize) {
  constexpr std::size_t kLargest = 100'000;
  EXPECT_LT(toHtml(tunedRuns(601)).size(), kLargest);
}

TEST(PaperPage, TheTableHasEachRunOfWhatIsDrawnRunByRun) {
  const std::string table = toCsv(tunedRuns(5));
  EXPECT_THAT(table, HasSubstr("runs_left_out,run\n"));
  EXPECT_THAT(table, HasSubstr("goodput_bps,1,40000000,,,,40000000,,1\n"));
  EXPECT_THAT(table, Not(HasSubstr("goodput_bps,1,41000000,,,,41000000,,2\n"))) << "late";
  EXPECT_THAT(table, HasSubstr("goodput_bps,1,44000000,,,,44000000,,5\n"));
  EXPECT_THAT(table, Not(HasSubstr("drops,1,")));
}

TEST(PaperPage, ShowsPacedFlowsBesideWindowBasedOnesWithoutADifferenceThatHasNoInterval) {
  PaperComparison comparison;
  comparison.paper = lossBurstPaper();
  comparison.sections.resize(comparison.paper.sections.size());
  LabCell cell;
  cell.settings = {{"condition", "as printed"}};
  cell.runs = 5;
  cell.figures = {{"goodput_bps.paced", {5, 41.5e6, 41.5e6, {}, {}}}, {"goodput_bps.window", {5, 50e6, 50e6, {}, {}}}};
  comparison.sections[2].cells = {cell};
  const std::string page = toHtml(comparison);
  EXPECT_THAT(page, HasSubstr("<th>paced</th><th>window-based</th>"));
  EXPECT_THAT(page, Not(HasSubstr("-17 %")));
}

TEST(PaperPage, DrawsMemoryAndProcessorTimeOfEachHost) {
  PaperComparison comparison;
  comparison.paper = bufferTuningPaper();
  comparison.sections.resize(comparison.paper.sections.size());
  LabCell cell;
  cell.settings = {{"receive buffer", "autotuning on"}, {"streams", "8"}};
  cell.runs = 1;
  cell.figures = {{"socket_memory_peak_bytes.sender", {1, 8388608.0, 8388608.0, {}, {}}},
                  {"cpu_ratio.sender", {1, 0.251, 0.251, {}, {}}}};
  comparison.sections[0].cells = {cell};
  const std::string page = toHtml(comparison);
  EXPECT_THAT(page, HasSubstr("Figure 2: Memory of the sockets"));
  EXPECT_THAT(page, HasSubstr("<th>Memory of the sockets, sender</th>"));
  EXPECT_THAT(page, HasSubstr("<td>8.00 MiB</td>"));
  EXPECT_THAT(page, HasSubstr("<th>Processor time, sender</th>"));
  EXPECT_THAT(page, HasSubstr("<td>0.251</td>"));
}

TEST(PaperPage, ThePictureHasEveryFigure) {
  const std::string picture = toSvg(comparisonWith(0));
  EXPECT_THAT(picture, HasSubstr("Figure 8: Link utilization"));
  EXPECT_THAT(picture, HasSubstr("Figure 8: Throughput of Flow-1"));
  // No line joins what has no order.
  EXPECT_THAT(picture, Not(HasSubstr("<polyline")));
}

TEST(PaperPage, DrawsTheWindowsOfFlowsOverTime) {
  PaperComparison comparison;
  comparison.paper = gentlePaper();
  comparison.sections.resize(comparison.paper.sections.size());
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
  // One line a plot, although only every second step has a sample.
  std::size_t lines = 0;
  for (std::size_t at = picture.find("<polyline"); at != std::string::npos; at = picture.find("<polyline", at + 1))
    ++lines;
  EXPECT_EQ(lines, 2U);
}

TEST(PaperPage, NamesTheBestNumberOfStreams) {
  PaperComparison comparison;
  comparison.paper = gentlePaper();
  comparison.sections.resize(comparison.paper.sections.size());
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

TEST(PaperPage, TheTableHasSectionAndSettings) {
  const std::string table = toCsv(comparisonWith(0));
  EXPECT_THAT(table, HasSubstr("section,settings,figure,n,mean"));
  EXPECT_THAT(table, HasSubstr("Figure 8,\"Flow-1=gHSTCP; window of Flow-2=512 KB\",utilization_ratio,5,0.962"));
}

}  // namespace
}  // namespace tcpscope::lab
