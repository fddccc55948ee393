// What `analyze` prints of single connections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string analyzed(const std::string& golden) {
  const test::Outcome outcome =
      test::runCommandLine({"analyze", test::testData().string() + "/../golden/" + golden + "/capture.pcapng.zst"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  return outcome.out;
}

TEST(AnalyzeOutput, CountsNoBytesOfGapsThatWereFilled) {
  const std::string text = analyzed("bursty-loss-receiver-capture");
  EXPECT_THAT(text, HasSubstr("retrans     59 packets: 56 in recovery, 3 fast; 59 lost upstream"));
  EXPECT_THAT(text, Not(HasSubstr("(0 B)")));
}

TEST(AnalyzeOutput, OfTimestampsPrintsTheSmallestRttAlone) {
  EXPECT_THAT(analyzed("bursty-loss-receiver-capture"),
              HasSubstr("at least 20.2 ms end to end, by timestamps (1061 samples)"));
}

TEST(AnalyzeOutput, PrintsQuantilesAsExactlyAsTheyAreKnown) {
  EXPECT_THAT(analyzed("bursty-loss-receiver-capture"), HasSubstr("median 19 µs, 95 % below 110 µs (11518 samples)"));
}

TEST(AnalyzeOutput, CountsBytesOfATruncatedFileAfterDecompression) {
  const std::string whole = test::testData().string() + "/../golden/bursty-loss-receiver-capture/capture.pcapng.zst";
  std::string beginning(300'000, '\0');
  std::ifstream(whole, std::ios::binary).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  const test::TemporaryFile cut(beginning);
  EXPECT_THAT(test::runCommandLine({"analyze", cut.path()}).error, HasSubstr(" of the uncompressed capture"));
}

}  // namespace
}  // namespace tcpscope
