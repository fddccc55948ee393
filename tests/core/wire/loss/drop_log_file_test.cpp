// A router's list of drops as text: which rows count, and what is refused.
#include <gtest/gtest.h>

#include "core/present/json/drop_log_document.h"
#include "core/present/text/drop_log_text.h"
#include "core/wire/loss/drop_log.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

Expected<DropLog, DropLogError> readDrops(std::string_view text) {
  DropLogReader reader;
  reader.take(text);
  return reader.finish();
}

std::string refusalOf(std::string_view text) {
  const auto log = readDrops(text);
  return log ? "taken" : sentence(log.error());
}

constexpr std::string_view kTwoLinks =
    "time_s,event,link,source\n"
    "1764324000.000000001,queue_drop,forward,10.0.0.1:40000\n"
    "1764324000.010000001,ecn_mark,forward,10.0.0.1:40000\n"
    "1764324000.030000001,random_loss,forward,10.0.0.1:40000\n"
    "1764324000.500000000,queue_drop,backward,10.0.0.2:443\n";

TEST(DropLogFile, IsALogForEachLinkOfWhatWasDropped) {
  const auto log = readDrops(kTwoLinks);
  ASSERT_TRUE(log);
  ASSERT_EQ(log->links.size(), 2U);
  EXPECT_EQ(log->otherEvents, 1U);
  const DropsOfLink& forward = log->links[0];
  EXPECT_EQ(forward.link.rawBytes(), "forward");
  ASSERT_EQ(forward.drops.size(), 2U);
  EXPECT_EQ(forward.drops[1] - forward.drops[0], Milliseconds(30));
  ASSERT_EQ(forward.kinds.size(), 2U);
  EXPECT_EQ(forward.kinds[1].first.rawBytes(), "random_loss");
  EXPECT_EQ(log->links[1].drops.size(), 1U);
}

TEST(DropLogFile, NeedsOnlyTimes) {
  const auto log = readDrops("flow,time_s\r\n1,0.25\r\n1,0.125\r\n\r\n2,3");
  ASSERT_TRUE(log);
  ASSERT_EQ(log->links.size(), 1U);
  EXPECT_TRUE(log->links[0].link.empty());
  EXPECT_TRUE(log->links[0].kinds.empty());
  EXPECT_EQ(log->links[0].drops,
            (std::vector<Moment>{Moment::fromNanoseconds(125'000'000), Moment::fromNanoseconds(250'000'000),
                                 Moment::fromNanoseconds(3'000'000'000)}));
}

TEST(DropLogFile, MayBeginWithAByteOrderMarkAndNameItsEventsShortly) {
  constexpr std::string_view kOfSpreadsheet = "\xef\xbb\xbftime_s,event\n1,drop\n2,loss\n3,taildropped\n";
  EXPECT_TRUE(beginsDropLog(kOfSpreadsheet));
  const auto log = readDrops(kOfSpreadsheet);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->links[0].drops.size(), 2U);
  EXPECT_EQ(log->otherEvents, 1U);
}

TEST(DropLogFile, MayQuoteTheNameOfALink) {
  const auto log = readDrops("link,time_s\n\"a \"\"fast\"\", long link\",1\n");
  ASSERT_TRUE(log);
  EXPECT_EQ(log->links[0].link.rawBytes(), "a \"fast\", long link");
}

TEST(DropLogFile, IsRefusedWithTheLine) {
  EXPECT_EQ(refusalOf(""), "line 1: the first line names no column 'time_s'");
  EXPECT_EQ(refusalOf("a,b\n1,2\n"), "line 1: the first line names no column 'time_s'");
  EXPECT_EQ(refusalOf("time_s\n1\nx\n"), "line 3: 'time_s' takes seconds such as 1764324000.000123456");
  EXPECT_EQ(refusalOf("time_s\n-1\n"), "line 2: 'time_s' takes seconds such as 1764324000.000123456");
  EXPECT_EQ(refusalOf("time_s\n99999999999\n"), "line 2: 'time_s' takes seconds such as 1764324000.000123456");
  EXPECT_EQ(refusalOf("event,time_s\nqueue_drop\n"), "line 2: fewer fields than columns");
  EXPECT_EQ(refusalOf("time_s\n1," + std::string(kLongestDropLine, 'x')), "line 2: longer than 4096 bytes");
  std::string links = "time_s,link\n";
  for (int link = 0; link < 65; ++link) links += "1," + std::to_string(link) + "\n";
  EXPECT_EQ(refusalOf(links), "line 66: more than 64 links");
}

TEST(DropLogFile, IsShownBesideAPoissonProcess) {
  const auto log = readDrops(kTwoLinks);
  ASSERT_TRUE(log);
  std::vector<LossSummary> losses;
  for (const DropsOfLink& link : log->links) losses.push_back(summarizeDropLog(link.drops, Milliseconds(20)));
  const std::vector<std::string> lines = linesOf(log->links[0], losses[0]);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "forward: 2 drops in 30.0 ms");
  EXPECT_EQ(lines[1], "  kinds: queue_drop 1, random_loss 1");
  EXPECT_EQ(lines[2], "  loss events (drops within one RTT of 20.0 ms from the first): 2");
  EXPECT_EQ(lines[4], "  within 1 RTT of the previous one: 0 % (Poisson process of the same rate: 48.7 %)");
  EXPECT_EQ(linesOf(log->links[1], losses[1])[0], "backward: 1 drop");
  EXPECT_TRUE(test::conformsTo(dropsSchema(), toJson(*log, losses, UntrustedText("path.csv"))));
}

TEST(DropLogFile, HasNoIntervalsWithoutAnRtt) {
  const auto log = readDrops(kTwoLinks);
  ASSERT_TRUE(log);
  const std::vector<LossSummary> losses = {summarizeDropLog(log->links[0].drops, std::nullopt),
                                           summarizeDropLog(log->links[1].drops, std::nullopt)};
  EXPECT_EQ(linesOf(log->links[0], losses[0]).size(), 2U);
  const std::string document = toJson(*log, losses, UntrustedText("path.csv"));
  EXPECT_TRUE(test::conformsTo(dropsSchema(), document));
  EXPECT_EQ(document.find("intervals_rtt"), std::string::npos);
}

}  // namespace
}  // namespace tcpscope
