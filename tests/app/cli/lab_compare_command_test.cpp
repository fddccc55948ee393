// `lab compare`, `lab paper` and `lab congestion-controls` as far as they run nothing and load nothing.
#include <gtest/gtest.h>

#include "tests/app/cli/exit_codes.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

TEST(LabComparison, KnowsThePapersThatItCanRun) {
  const test::Outcome outcome = test::runCommandLine({"lab", "compare", "005"});
  EXPECT_EQ(outcome.code, test::kWrongUsage) << outcome.error;
}

TEST(LabComparison, RefusesAnUnknownFormatBeforeItRuns) {
  const test::Outcome outcome = test::runCommandLine({"lab", "compare", "003", "-o", "/tmp/page.txt"});
  EXPECT_EQ(outcome.code, test::kWrongUsage);
  EXPECT_NE(outcome.error.find(".html"), std::string::npos) << outcome.error;
}

TEST(LabPaper, NeedsAPageToWrite) {
  EXPECT_EQ(test::runCommandLine({"lab", "paper"}).code, test::kWrongUsage);
  const test::Outcome outcome = test::runCommandLine({"lab", "paper", "-o", "/tmp/page.csv"});
  EXPECT_EQ(outcome.code, test::kWrongUsage);
  EXPECT_NE(outcome.error.find(".html"), std::string::npos) << outcome.error;
}

TEST(CongestionControlsCommand, ListsThemWithoutRights) {
  const test::Outcome outcome = test::runCommandLine({"lab", "congestion-controls", "list"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  for (const char* const name : {"hstcp", "ghstcp_orig", "ghstcp"}) {
    EXPECT_NE(outcome.out.find(name), std::string::npos) << outcome.out;
  }
}

TEST(CongestionControlsCommand, NeedsAnAction) {
  EXPECT_EQ(test::runCommandLine({"lab", "congestion-controls"}).code, test::kWrongUsage);
  EXPECT_EQ(test::runCommandLine({"lab", "congestion-controls", "reload"}).code, test::kWrongUsage);
}

}  // namespace
}  // namespace tcpscope
