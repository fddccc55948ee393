#include "core/model/interval_metrics.h"

#include <gtest/gtest.h>

#include "core/model/chronograph.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::ObservationBuilder;

TEST(CounterDelta, IsTheGrowth) {
  EXPECT_EQ(counterDelta(10, 25, 32), 15);
  EXPECT_EQ(counterDelta(25, 25, 64), 0);
}

TEST(CounterDelta, CountsOverOneWrap) {
  EXPECT_EQ(counterDelta(0xffff'fff0ULL, 0x10ULL, 32), 0x20);
  EXPECT_EQ(counterDelta(65'530, 4, 16), 10);
}

TEST(CounterDelta, SaysNothingAfterAReset) {
  EXPECT_EQ(counterDelta(1'000'000, 3, 32), std::nullopt);
  EXPECT_EQ(counterDelta(5'000'000'000ULL, 0, 64), std::nullopt);
  EXPECT_EQ(counterDelta(300, 10, 16), std::nullopt);
}

TEST(CounterDelta, SaysNothingOfAReadThatSteppedBack) {
  EXPECT_EQ(counterDelta(1000, 999, 32), std::nullopt);
}

TEST(CounterDelta, SaysNothingWhereTheKernelDoesNotReport) {
  const std::optional<Segments> unknown;
  EXPECT_EQ(counterDelta(unknown, std::optional(Segments(5)), 32), std::nullopt);
  EXPECT_EQ(counterDelta(std::optional(Segments(5)), unknown, 32), std::nullopt);
}

TEST(ChronographDelta, StaysWithinTheSpan) {
  EXPECT_EQ(chronographDelta(milliseconds(100), milliseconds(104), milliseconds(3)), milliseconds(3));
}

TEST(ChronographDelta, TakesAStepBackByTicksForNothing) {
  EXPECT_EQ(chronographDelta(milliseconds(104), milliseconds(100), seconds(1)), seconds(0));
}

TEST(ChronographDelta, IgnoresAChronographThatStartedOver) {
  EXPECT_EQ(chronographDelta(seconds(20), seconds(1), seconds(1)), std::nullopt);
}

TEST(IntervalMetrics, AreRatesAndSharesOverTheTimeBetweenTwoSamples) {
  const auto before = ObservationBuilder().at(seconds(0)).acked(1'000'000).received(500).build();
  const auto now = ObservationBuilder()
                       .at(milliseconds(500))
                       .acked(1'625'000)
                       .received(6'750)
                       .retransmitted(3)
                       .chronographs(milliseconds(400), milliseconds(300), milliseconds(50))
                       .build();
  const IntervalMetrics metrics = intervalMetrics(before, now);
  EXPECT_DOUBLE_EQ(metrics.sendGoodput->value(), 10e6);
  EXPECT_DOUBLE_EQ(metrics.receiveGoodput->value(), 100e3);
  EXPECT_DOUBLE_EQ(*metrics.retransmissionsPerSecond, 6.0);
  EXPECT_DOUBLE_EQ(*metrics.busyRatio, 0.8);
  EXPECT_DOUBLE_EQ(*metrics.receiverLimitedRatio, 0.6);
  EXPECT_DOUBLE_EQ(*metrics.sendBufferLimitedRatio, 0.1);
}

TEST(IntervalMetrics, AreNotKnownWhereNoTimePassed) {
  const auto poll = ObservationBuilder().acked(1000).build();
  EXPECT_FALSE(intervalMetrics(poll, poll).sendGoodput);
  EXPECT_FALSE(intervalMetrics(poll, poll).busyRatio);
}

TEST(IntervalMetrics, AreNotKnownOnAKernelThatDoesNotReport) {
  const auto before = ObservationBuilder().at(seconds(0)).reportedBytes(104).build();
  const auto now = ObservationBuilder().at(seconds(1)).retransmitted(4).acked(4).reportedBytes(104).build();
  const IntervalMetrics metrics = intervalMetrics(before, now);
  EXPECT_FALSE(metrics.sendGoodput);
  EXPECT_FALSE(metrics.busyRatio);
  EXPECT_DOUBLE_EQ(*metrics.retransmissionsPerSecond, 4.0);
}

}  // namespace
}  // namespace tcpscope
