#include "core/diagnosis/limits/limit_timeline.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using std::chrono::seconds;

Moment second(std::int64_t number) {
  return Moment::fromNanoseconds(number * 1'000'000'000);
}

LimitInterval interval(std::int64_t from, std::int64_t to, Limit limit) {
  LimitInterval interval{second(from), second(to), {}, {}};
  interval.sending.add(limit, seconds(to - from));
  interval.receiving.add(Limit::idle, seconds(to - from));
  return interval;
}

TEST(LimitShares, RatiosAddUpToOne) {
  LimitShares shares;
  shares.add(Limit::receiver, seconds(3));
  shares.add(Limit::network, seconds(1));
  EXPECT_DOUBLE_EQ(shares.ratio(Limit::receiver), 0.75);
  EXPECT_DOUBLE_EQ(shares.ratio(Limit::network), 0.25);
  EXPECT_EQ(shares.largest(), Limit::receiver);
}

TEST(LimitShares, NothingObservedIsUnknown) {
  EXPECT_EQ(LimitShares().largest(), Limit::unknown);
  EXPECT_EQ(LimitShares().ratio(Limit::unknown), 0.0);
}

TEST(LimitTimeline, SumsWithTheOverlapOfEachInterval) {
  LimitTimeline timeline(100);
  timeline.append(interval(0, 2, Limit::network));
  timeline.append(interval(2, 4, Limit::receiver));
  timeline.append(interval(4, 6, Limit::idle));
  const LimitInterval sum = timeline.sum(second(1), second(5));
  EXPECT_EQ(sum.sending.span(Limit::network), seconds(1));
  EXPECT_EQ(sum.sending.span(Limit::receiver), seconds(2));
  EXPECT_EQ(sum.sending.span(Limit::idle), seconds(1));
}

TEST(LimitTimeline, SumOfASpanWithoutIntervalsIsEmpty) {
  LimitTimeline timeline(100);
  timeline.append(interval(0, 2, Limit::network));
  EXPECT_EQ(timeline.sum(second(2), second(9)).sending.observed(), seconds(0));
}

TEST(LimitTimeline, ForgetsNoTimeWhenItGetsCoarser) {
  LimitTimeline timeline(16);
  for (std::int64_t start = 0; start < 1000; ++start) {
    timeline.append(interval(start, start + 1, start % 2 == 0 ? Limit::network : Limit::receiver));
    ASSERT_LE(timeline.intervals().size(), 16U);
  }
  const LimitInterval sum = timeline.sum(second(0), second(1000));
  EXPECT_EQ(sum.sending.observed(), seconds(1000));
  EXPECT_EQ(sum.sending.span(Limit::receiver), seconds(500));
  EXPECT_EQ(timeline.intervals().front().from, second(0));
  EXPECT_EQ(timeline.intervals().back().to, second(1000));
  for (std::size_t index = 1; index < timeline.intervals().size(); ++index) {
    EXPECT_EQ(timeline.intervals()[index - 1].to, timeline.intervals()[index].from);
  }
}

TEST(LimitTimeline, KeepsTheNewestAtFullResolution) {
  LimitTimeline timeline(16);
  for (std::int64_t start = 0; start < 200; ++start) timeline.append(interval(start, start + 1, Limit::network));
  const auto& newest = timeline.intervals().back();
  EXPECT_EQ(newest.to - newest.from, seconds(1));
}

}  // namespace
}  // namespace tcpscope
