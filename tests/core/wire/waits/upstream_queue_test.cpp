#include "core/wire/waits/upstream_queue.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

/// A segment every 10 ms whose clock ticks every `tick`, for so many seconds; `queueAt` is its wait at a moment.
template <class QueueAt>
Nanoseconds delayAfter(int seconds, Nanoseconds tick, QueueAt queueAt) {
  UpstreamQueue queue;
  const WallTime start = WallTime::fromNanoseconds(1'000'000'000'000);
  for (Nanoseconds sent{0}; sent <= std::chrono::seconds(seconds); sent += Milliseconds(10)) {
    queue.take(start + sent + queueAt(sent), static_cast<std::uint32_t>(500 + sent / tick));
  }
  return queue.delay();
}

constexpr Nanoseconds kMillisecond = std::chrono::milliseconds(1);

TEST(UpstreamQueue, SeesHowLongSegmentsWaitInAQueueThatFills) {
  const auto growing = [](Nanoseconds sent) { return sent / 10; };
  const Nanoseconds delay = delayAfter(5, kMillisecond, growing);
  EXPECT_GT(delay, Milliseconds(480));
  EXPECT_LE(delay, Milliseconds(500));
}

TEST(UpstreamQueue, SeesNoQueueInTheConstantWay) {
  EXPECT_EQ(delayAfter(5, kMillisecond, [](Nanoseconds) { return Milliseconds(40); }), Nanoseconds::zero());
}

TEST(UpstreamQueue, TakesAPauseForNoQueue) {
  UpstreamQueue queue;
  const WallTime start = WallTime::fromNanoseconds(1'000'000'000'000);
  for (const int milliseconds : {0, 10, 2000, 2010, 9000}) {
    queue.take(start + Milliseconds(milliseconds), static_cast<std::uint32_t>(milliseconds));
  }
  EXPECT_LE(queue.delay(), kMillisecond);
}

TEST(UpstreamQueue, BearsClocksThatDoNotRunAlike) {
  const auto drift = [](Nanoseconds sent) { return sent / 20'000; };
  EXPECT_EQ(delayAfter(300, kMillisecond, drift), Nanoseconds::zero());
}

TEST(UpstreamQueue, SeesNothingByAClockOfAnUnusualUnit) {
  const auto growing = [](Nanoseconds sent) { return sent / 10; };
  EXPECT_EQ(delayAfter(5, Milliseconds(100), growing), Nanoseconds::zero());
}

}  // namespace
}  // namespace tcpscope
