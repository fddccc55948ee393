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

std::string analyzedFile(const std::string& file) {
  const test::Outcome outcome = test::runCommandLine({"analyze", "--details", (test::testData() / file).string()});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  return outcome.out;
}

std::string analyzed(const std::string& golden) {
  return analyzedFile("../golden/" + golden + "/capture.pcapng.zst");
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

TEST(AnalyzeOutput, TakesNoSilenceOfAPushingServerForAnRtt) {
  // A server pushes to its subscribers now and then, 15 s apart, over a loopback.
  const std::string text = analyzedFile("captures/exchanges/redis-pubsub.pcap");
  EXPECT_THAT(text, HasSubstr("127.0.0.1:6379 sends 249 B"));
  EXPECT_THAT(text, Not(HasSubstr(" s end to end")));
  EXPECT_THAT(text, Not(HasSubstr("Limited by the server")));
}

TEST(AnalyzeOutput, SaysWhichTimeoutsWereNotNeeded) {
  const std::string text = analyzedFile("captures/timeout-retransmission.pcap");
  // The direction with an answer comes first, though the other one carries a little more.
  EXPECT_LT(text.find("192.168.0.9:80 sends"), text.find("10.0.34.69:49328 sends"));
  EXPECT_THAT(text, HasSubstr("2 packets (1.07 KiB): 2 timeout; 2 of them not needed"));
  EXPECT_THAT(text, HasSubstr("Spurious retransmissions (not needed): 2 (Retransmitted segments: 2)"));
  EXPECT_THAT(text, Not(HasSubstr("Network-limited time: 0 %")));
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
