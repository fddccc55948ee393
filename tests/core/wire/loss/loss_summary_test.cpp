#include "core/wire/loss/loss_summary.h"

#include <gtest/gtest.h>

#include "tests/core/wire/loss/drawn_losses.h"

namespace tcpscope {
namespace {

TEST(LossSummary, HasEveryFigureOfLossesByChance) {
  const auto sent = sentBackToBack(1000);
  const auto lost = lostByChance(sent.size(), 0.01, 1);
  const LossSummary summary = summarizeLosses(recordOf(sent, lost), kDrawnRtt, std::nullopt);
  EXPECT_EQ(summary.lostPackets, lost.size());
  EXPECT_EQ(summary.intervalsRtt.size(), lost.size() - 1);
  ASSERT_EQ(summary.lossTimes.size(), lost.size());
  for (std::size_t interval = 0; interval + 1 < lost.size(); ++interval) {
    EXPECT_NEAR(toSeconds(summary.lossTimes[interval + 1] - summary.lossTimes[interval]) / toSeconds(kDrawnRtt),
                summary.intervalsRtt[interval], 1e-9);
  }
  EXPECT_LT(summary.events.size(), lost.size());
  EXPECT_LT(summary.eventRatio.value().ratio, 0.01);
  EXPECT_NEAR(summary.withinHundredthRtt.value(), 0.088, 0.03);
  EXPECT_NEAR(summary.poissonWithinHundredthRtt.value(), 0.010, 0.001);
  EXPECT_NEAR(summary.poissonWithinRtt.value(), 0.63, 0.03);
  EXPECT_EQ(summary.randomDrop.value().losses, lost.size());
  EXPECT_GT(summary.randomDrop.value().clusteredPValue, 0.05);
  EXPECT_NEAR(summary.model.value().burstPackets.value, 1.01, 0.05);
  EXPECT_EQ(summary.verdict.cause, BurstCause::random);
}

TEST(LossSummary, OfBurstsRejectsChance) {
  const auto sent = sentBackToBack(1000);
  const auto lost = lostInBursts(sent.size(), {0.002, 0.3, 1.0}, 1);
  const LossSummary summary = summarizeLosses(recordOf(sent, lost), kDrawnRtt, std::nullopt);
  EXPECT_LE(summary.randomDrop.value().clusteredPValue, 0.001);
  EXPECT_NEAR(summary.model.value().burstPackets.value, 3.3, 0.6);
  EXPECT_NE(summary.verdict.cause, BurstCause::random);
}

TEST(LossSummary, OfATransferWithoutLossKnowsItsBound) {
  const LossSummary summary = summarizeLosses(recordOf(sentPaced(10), {}), kDrawnRtt, std::nullopt);
  EXPECT_EQ(summary.lostPackets, 0U);
  EXPECT_NEAR(summary.eventRatio.value().interval95.high, 0.003, 1e-4);
  EXPECT_FALSE(summary.withinRtt);
  EXPECT_FALSE(summary.randomDrop);
  EXPECT_FALSE(summary.model);
  EXPECT_EQ(summary.verdict.cause, BurstCause::unknown);
}

TEST(LossSummary, WithoutAnRttOnlyCounts) {
  const auto sent = sentPaced(10);
  const LossSummary summary = summarizeLosses(recordOf(sent, lostEvery(1000, 30)), std::nullopt, std::nullopt);
  EXPECT_EQ(summary.lostPackets, 33U);
  EXPECT_TRUE(summary.events.empty());
  EXPECT_FALSE(summary.eventRatio);
  EXPECT_FALSE(summary.withinRtt);
  EXPECT_FALSE(summary.randomDrop);
  EXPECT_TRUE(summary.model);
}

TEST(LossSummary, OfAnEmptyRecordIsEmpty) {
  const LossSummary summary = summarizeLosses(LossRecord{}, kDrawnRtt, std::nullopt);
  EXPECT_EQ(summary.lostPackets, 0U);
  EXPECT_FALSE(summary.eventRatio);
}

// More packets than are kept: two million, of which every second to fourth block stays.
TEST(LossSummary, OfALongTransferTestsThePacketsItKept) {
  const auto sent = sentBackToBack(20'000);
  const auto lost = lostByChance(sent.size(), 0.005, 3);
  const LossSummary summary = summarizeLosses(recordOf(sent, lost), kDrawnRtt, std::nullopt);
  EXPECT_EQ(summary.lostPackets, lost.size());
  EXPECT_LT(summary.randomDrop.value().losses, lost.size());
  EXPECT_GT(summary.randomDrop.value().clusteredPValue, 0.05);
}

TEST(LossSummary, OfMoreLossesThanAreKeptCountsAll) {
  const auto sent = sentBackToBack(2000);
  const auto lost = lostByChance(sent.size(), 0.4, 4);
  const LossSummary summary = summarizeLosses(recordOf(sent, lost), kDrawnRtt, std::nullopt);
  EXPECT_EQ(summary.lostPackets, lost.size());
  EXPECT_EQ(summary.randomDrop.value().losses, kLossesAtMost);
  EXPECT_GT(summary.randomDrop.value().clusteredPValue, 0.05);
}

}  // namespace
}  // namespace tcpscope
