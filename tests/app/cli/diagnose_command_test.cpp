// `diagnose` of a file with more connections than may be held in detail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "collectors/trace/recording_output.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kMostDetails = 20'000;

std::string recordingOf(const test::TemporaryFile& file, std::size_t sockets) {
  constexpr std::size_t kAtOnce = 1000;
  const Moment begin = test::exampleHello().clock.monotonic;
  auto output = RecordingOutput::create(file.path(), {[begin] { return begin; }, {}, {}});
  EXPECT_TRUE(output);
  if (!output) return {};
  TraceWriter writer((*output)->buffer());
  writer.write(test::exampleHello());
  ObservationBatch batch;
  for (std::uint64_t cookie = 1; cookie <= sockets; ++cookie) {
    batch.changed.push_back(test::ObservationBuilder().cookie(cookie).build());
    if (batch.changed.size() < kAtOnce && cookie < sockets) continue;
    writer.write(std::exchange(batch, {}));
    EXPECT_TRUE((*output)->flush());
  }
  EXPECT_TRUE((*output)->finish());
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
