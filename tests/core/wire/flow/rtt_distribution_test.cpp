#include "core/wire/flow/rtt_distribution.h"

#include <gtest/gtest.h>

#include "core/wire/flow/timestamp_echoes.h"

namespace tcpscope {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

WallTime at(milliseconds time) {
  return WallTime::fromNanoseconds(1'000'000'000) + time;
}

TEST(RttDistribution, KnowsNothingWithoutSamples) {
  EXPECT_FALSE(RttDistribution().quantile(0.5));
  EXPECT_FALSE(RttDistribution().min());
}

TEST(RttDistribution, IsExactForFewSamples) {
  RttDistribution distribution;
  for (const int value : {30, 10, 20, 50, 40}) distribution.add(milliseconds(value));
  EXPECT_EQ(distribution.min(), milliseconds(10));
  EXPECT_EQ(distribution.quantile(0.5), milliseconds(30));
  EXPECT_EQ(distribution.quantile(0.95), milliseconds(48));
  EXPECT_EQ(distribution.max(), milliseconds(50));
}

TEST(RttDistribution, StaysWithinItsErrorForMany) {
  RttDistribution distribution;
  for (int value = 1; value <= 100'000; ++value) distribution.add(microseconds(value));
  for (const double share : {0.01, 0.1, 0.5, 0.95, 0.99}) {
    const double exact = share * 1e5 * 1e3;
    EXPECT_NEAR(static_cast<double>(distribution.quantile(share)->count()), exact, exact * 0.032) << share;
  }
  EXPECT_EQ(distribution.min(), microseconds(1));
  EXPECT_EQ(distribution.max(), microseconds(100'000));
  EXPECT_LE(distribution.residentBytes(), 5000U);
}

TEST(TimestampEchoes, GiveTheHalfBehindTheCapturePoint) {
  TimestampEchoes echoes;
  echoes.sent(100, at(milliseconds(0)), std::nullopt);
  const auto echo = echoes.echoed(100, at(milliseconds(30)));
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->half, milliseconds(30));
  EXPECT_FALSE(echo->whole);
}

TEST(TimestampEchoes, GiveTheWholeWhereThePacketClosedAHalfItself) {
  TimestampEchoes echoes;
  echoes.sent(100, at(milliseconds(30)), milliseconds(30));
  EXPECT_EQ(echoes.echoed(100, at(milliseconds(100)))->whole, milliseconds(100));
}

TEST(TimestampEchoes, CountTheFirstOfEachValueOnly) {
  TimestampEchoes echoes;
  echoes.sent(100, at(milliseconds(0)), std::nullopt);
  echoes.sent(100, at(milliseconds(5)), std::nullopt);
  EXPECT_EQ(echoes.echoed(100, at(milliseconds(30)))->half, milliseconds(30));
  EXPECT_FALSE(echoes.echoed(100, at(milliseconds(60))));
}

TEST(TimestampEchoes, WaitForNoValueThatWasPassedOver) {
  TimestampEchoes echoes;
  echoes.sent(100, at(milliseconds(0)), std::nullopt);
  echoes.sent(110, at(milliseconds(10)), std::nullopt);
  EXPECT_EQ(echoes.echoed(110, at(milliseconds(40)))->half, milliseconds(30));
  EXPECT_FALSE(echoes.echoed(100, at(milliseconds(41))));
}

TEST(TimestampEchoes, WorkAcrossTheWrapOfTheClock) {
  TimestampEchoes echoes;
  echoes.sent(0xFFFF'FFFF, at(milliseconds(0)), std::nullopt);
  echoes.sent(2, at(milliseconds(10)), std::nullopt);
  EXPECT_EQ(echoes.echoed(2, at(milliseconds(40)))->half, milliseconds(30));
}

}  // namespace
}  // namespace tcpscope
