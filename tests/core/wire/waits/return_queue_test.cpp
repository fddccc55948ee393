#include "core/wire/waits/return_queue.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using Milli = std::chrono::milliseconds;

constexpr Nanoseconds kWay = Milli(40);

TEST(ReturnQueue, IsAtLeastWhatAnAcknowledgmentTakesThatIsNotEchoedYet) {
  ReturnQueue queue;
  queue.take(Milli(100), std::nullopt, kWay);
  EXPECT_EQ(queue.delay(), Milli(58));
}

TEST(ReturnQueue, IsAtMostWhatAnEchoedAcknowledgmentTook) {
  ReturnQueue queue;
  queue.take(Milli(100), std::nullopt, kWay);
  queue.take(std::nullopt, Milli(60), kWay);
  EXPECT_EQ(queue.delay(), Milli(20));
  queue.take(std::nullopt, Milli(39), kWay);
  EXPECT_EQ(queue.delay(), Nanoseconds::zero());
}

TEST(ReturnQueue, StaysWhatItWasWhileTheSenderPauses) {
  ReturnQueue queue;
  queue.take(std::nullopt, Milli(900), kWay);
  EXPECT_EQ(queue.delay(), Nanoseconds::zero()) << "the sender had all acknowledgments, and nothing to send";
  queue.take(Milli(100), std::nullopt, kWay);
  queue.take(std::nullopt, Milli(900), kWay);
  EXPECT_EQ(queue.delay(), Milli(58));
}

TEST(ReturnQueue, BelievesTheAcknowledgmentOnItsWayOverAnOlderEcho) {
  ReturnQueue queue;
  queue.take(Milli(100), Milli(45), kWay);
  EXPECT_EQ(queue.delay(), Milli(58));
}

}  // namespace
}  // namespace tcpscope
