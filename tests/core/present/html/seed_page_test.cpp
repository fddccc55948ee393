#include "core/present/html/seed_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

SeedComparison comparisonWith(std::size_t lateRuns) {
  SeedComparison comparison;
  comparison.conditions = "Linux 6.18 <b>";
  comparison.commands = {"sudo tcpscope-cli lab run gentle_against_reno_200mbit --for 30"};
  LabCell cell;
  cell.settings = {{"window_two", "512k"}};
  cell.runs = 5;
  cell.lateRuns = lateRuns;
  const SampleSummary summary{5, 0.962, 0.96, 0.01, Interval{0.952, 0.972}};
  if (lateRuns < cell.runs) cell.figures = {{"utilization_ratio", summary}, {"jain_fairness_ratio", summary}};
  comparison.cells = {comparedCell(kGentleExperiments[7], cell)};
  comparison.statements = judgeGentleStatements(comparison.cells);
  return comparison;
}

TEST(SeedPage, HasFiguresStatementsAndCommands) {
  const std::string page = toHtml(comparisonWith(1));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy"));
  EXPECT_THAT(page, HasSubstr("4 of 5"));
  EXPECT_THAT(page, HasSubstr("gHSTCP is fairer to Reno than HSTCP."));
  EXPECT_THAT(page, HasSubstr("gentle_against_reno_200mbit --for 30"));
  EXPECT_THAT(page, HasSubstr("Linux 6.18 &lt;b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(SeedPage, WithoutRunsInTimeQuotesNoFigure) {
  const std::string page = toHtml(comparisonWith(5));
  EXPECT_THAT(page, HasSubstr("0 of 5"));
  EXPECT_THAT(page, Not(HasSubstr("0.962")));
  EXPECT_THAT(page, HasSubstr("not measured"));
}

TEST(SeedPage, ThePictureHasUtilizationAndFairnessOfBothLinks) {
  const std::string picture = toSvg(comparisonWith(0));
  EXPECT_THAT(picture, HasSubstr("Link utilization, 100 Mbit/s"));
  EXPECT_THAT(picture, HasSubstr("max-min shares, 200 Mbit/s"));
  // No line joins what has no order.
  EXPECT_THAT(picture, Not(HasSubstr("<polyline")));
}

}  // namespace
}  // namespace tcpscope::lab
