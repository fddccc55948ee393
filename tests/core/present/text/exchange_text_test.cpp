// Requests and responses in words.
#include "core/present/text/exchange_text.h"

#include <gtest/gtest.h>

#include "core/present/text/diagnosis_text.h"

namespace tcpscope {
namespace {

const ExchangeShares kSlowPeer{0.2, 0.2, 0.6, 0.03, 9.96, false};

ExchangeShares captured(double client, double path, double server) {
  return {client, path, server, 0.0, 9.96, true};
}

Finding findingOf(const ExchangeShares& exchanges) {
  return {RuleId::applicationTooSlow, FindingSeverity::note, 1.0, figuresOf(exchanges)};
}

TEST(ExchangeText, NamesTheEndOfASocketThatIsSlow) {
  EXPECT_EQ(slowPartWords(kSlowPeer), "the application at the peer");
  EXPECT_EQ(slowestShare(kSlowPeer), "peer 60.0 %");
  EXPECT_EQ(shares(kSlowPeer), "this end 20.0 %, path 20.0 %, peer 60.0 %");
}

TEST(ExchangeText, NamesClientAndServerOfACapture) {
  EXPECT_EQ(slowPartWords(captured(0.2, 0.2, 0.6)), "the server");
  EXPECT_EQ(slowPartWords(captured(0.6, 0.2, 0.2)), "the client");
  EXPECT_EQ(slowPartWords(captured(0.2, 0.6, 0.2)), "the RTT");
}

TEST(ExchangeText, SaysWhatBecomesWithoutAPart) {
  EXPECT_EQ(gainWithout(kSlowPeer, SlowPart::peer), "up to 2.5 times as many");
  EXPECT_EQ(gainWithout(captured(0.0, 0.0, 1.0), SlowPart::peer), "more than 100 times as many");
}

TEST(ExchangeText, TheVerdictNamesWhoIsSlow) {
  Verdict verdict;
  verdict.limit = Limit::application;
  verdict.cause = Cause::slowWriter;
  verdict.confidenceRatio = 1.0;
  verdict.exchanges = kSlowPeer;
  EXPECT_EQ(sentence(verdict, Side::sending),
            "Limited by the application at the peer (requests and responses alternate).");
  EXPECT_EQ(brief(verdict, Side::sending), "Application (peer 60.0 %)");
}

TEST(ExchangeText, TheFindingSaysWhereToLookAndWhatItMayBring) {
  EXPECT_EQ(sentence(findingOf(kSlowPeer), Side::sending),
            "Application-limited: requests and responses alternate, about 9.96 a second. Shares of the time: this end "
            "20.0 %, path 20.0 %, peer 60.0 % (each ± 3.0 %). Look at how long the peer takes to respond: without that "
            "time there would be up to 2.5 times as many exchanges.");
  EXPECT_EQ(sentence(findingOf(captured(0.1, 0.8, 0.1)), Side::sending),
            "Application-limited: requests and responses alternate, about 9.96 a second. Shares of the time: client "
            "10.0 %, path 80.0 %, server 10.0 %. Larger or pipelined requests need fewer RTTs: without that time there "
            "would be up to 5 times as many exchanges.");
}

}  // namespace
}  // namespace tcpscope
