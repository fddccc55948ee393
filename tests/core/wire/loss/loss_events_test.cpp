#include "core/wire/loss/loss_events.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

std::vector<Loss> lossesAtMilliseconds(std::initializer_list<int> times) {
  std::vector<Loss> losses;
  for (const int time : times) losses.push_back({Moment() + Milliseconds(time), losses.size() * 10, std::nullopt});
  return losses;
}

TEST(LossEvents, LossesWithinOneRttOfTheFirstAreOneEvent) {
  //                                     one event       the next  alone
  const auto losses = lossesAtMilliseconds({0, 30, 60, 100, 101, 150, 900});
  const auto events = lossEventsOf(losses, Milliseconds(100));
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].losses, 4U);
  EXPECT_EQ(events[1].losses, 2U);
  EXPECT_EQ(events[1].start, Moment() + Milliseconds(101));
  EXPECT_EQ(events[1].position, 40U);
  EXPECT_EQ(events[2].losses, 1U);
}

TEST(LossEvents, AChainOfLossesIsNotOneEndlessEvent) {
  EXPECT_EQ(lossEventsOf(lossesAtMilliseconds({0, 90, 180, 270}), Milliseconds(100)).size(), 2U);
}

TEST(LossEvents, NoneIsNotARatioOfZeroButOneBelowThreeOverThePackets) {
  const auto ratio = lossEventRatio(0, 3000);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->ratio, 0.0);
  EXPECT_NEAR(ratio->interval95.high, 0.001, 1e-5);
}

TEST(LossEvents, TheRatioLiesInItsInterval) {
  const auto ratio = lossEventRatio(10, 10'000);
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->ratio, 0.001);
  EXPECT_NEAR(ratio->interval95.low, 0.00048, 1e-5);
  EXPECT_NEAR(ratio->interval95.high, 0.00184, 1e-5);
  EXPECT_FALSE(lossEventRatio(0, 0));
}

}  // namespace
}  // namespace tcpscope
