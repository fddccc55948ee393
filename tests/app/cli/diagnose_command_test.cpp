// `diagnose` of a file with more connections than may be held in detail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/json_schema.h"
#include "tests/support/many_sockets.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kMostDetails = 20'000;

std::string recordingOf(const test::TemporaryFile& file, std::size_t sockets) {
  test::writeManySockets(file.path(), sockets);
  return file.path();
}

TEST(DiagnoseCommand, CountsTheConnectionsOfARecordingThatHaveNoDetails) {
  const test::TemporaryFile file{""};
  const auto outcome = test::runCommandLine({"diagnose", "--from", recordingOf(file, kMostDetails + 123)});
  EXPECT_THAT(outcome.out, HasSubstr("incomplete: connections beyond the memory budget, without details"));
  EXPECT_THAT(outcome.out, HasSubstr(": 123\n"));
}

TEST(DiagnoseCommand, LeavesOutNoDetailsWhereTheyFit) {
  const test::TemporaryFile file{""};
  const auto outcome = test::runCommandLine({"diagnose", "--from", recordingOf(file, 12)});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, Not(HasSubstr("incomplete")));
}

}  // namespace
}  // namespace tcpscope
