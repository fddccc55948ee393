#include "core/wire/waits/wait_timeline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr Moment kTimelineStart = Moment::fromNanoseconds(1'000'000'000'000);

/// A sender's waits as they grow, shown to a timeline at every 20 ms of them.
class Waiting {
public:
  Waiting& waits(SenderWait wait, Nanoseconds span) {
    for (Nanoseconds left = span; left > 0ns; left -= 20ms) {
      m_all.add(wait, std::min<Nanoseconds>(left, 20ms));
      m_timeline.advance(m_all);
    }
    return *this;
  }
  [[nodiscard]] const SenderWaits& all() const { return m_all; }
  [[nodiscard]] WaitTimeline& timeline() { return m_timeline; }
  [[nodiscard]] std::vector<WaitStep> steps() const { return m_timeline.steps(kTimelineStart); }
  /// So much of this wait lies between these seconds.
  [[nodiscard]] double seconds(SenderWait wait, double from, double to) const {
    double sum = 0.0;
    for (const WaitStep& step : steps()) {
      const double middle = toSeconds(step.from - kTimelineStart) + toSeconds(step.to - step.from) / 2;
      if (from <= middle && middle < to) sum += toSeconds(step.waits.span(wait));
    }
    return sum;
  }

private:
  SenderWaits m_all;
  WaitTimeline m_timeline;
};

TEST(WaitTimeline, KnowsWhenEachWaitWas) {
  Waiting waiting;
  waiting.waits(SenderWait::clock, 1s).waits(SenderWait::pause, 1s).waits(SenderWait::receiver, 1s);
  EXPECT_NEAR(waiting.seconds(SenderWait::clock, 0.0, 1.0), 1.0, 0.05);
  EXPECT_NEAR(waiting.seconds(SenderWait::pause, 1.0, 2.0), 1.0, 0.05);
  EXPECT_NEAR(waiting.seconds(SenderWait::receiver, 2.0, 3.0), 1.0, 0.05);
}

TEST(WaitTimeline, GoesOnWithoutAGapAndLosesNoTime) {
  Waiting waiting;
  for (int round = 0; round < 500; ++round) {
    waiting.waits(SenderWait::clock, 173ms).waits(SenderWait::recovery, 31ms).waits(SenderWait::own, 7ms);
  }
  SenderWaits sum;
  Moment at = kTimelineStart;
  for (const WaitStep& step : waiting.steps()) {
    EXPECT_EQ(step.from, at);
    at = step.to;
    for (std::size_t wait = 0; wait < kSenderWaitCount; ++wait) {
      sum.add(static_cast<SenderWait>(wait), step.waits.span(static_cast<SenderWait>(wait)));
    }
  }
  EXPECT_EQ(at, kTimelineStart + waiting.all().observed());
  for (const SenderWait wait : {SenderWait::clock, SenderWait::recovery, SenderWait::own, SenderWait::pause}) {
    EXPECT_NEAR(sum.ratio(wait), waiting.all().ratio(wait), 1e-3);
  }
}

TEST(WaitTimeline, StaysSmallHoweverLongItTakes) {
  Waiting waiting;
  for (int hour = 0; hour < 24; ++hour) {
    waiting.waits(SenderWait::clock, 600s);
    waiting.timeline().observe(1e5, 1e6);
    waiting.waits(SenderWait::own, 600s).waits(SenderWait::receiver, 2400s);
  }
  EXPECT_LE(waiting.steps().size(), WaitTimeline::kMostSteps);
  EXPECT_GT(waiting.steps().size(), WaitTimeline::kMostSteps / 2 - 1);
  EXPECT_LE(waiting.timeline().residentBytes(), 8U * 1024U);
  EXPECT_NEAR(waiting.seconds(SenderWait::receiver, 12 * 3600.0, 24 * 3600.0), 12 * 2400.0, 800.0);
}

TEST(WaitTimeline, KeepsSilenceAsOne) {
  SenderWaits all;
  WaitTimeline timeline;
  all.add(SenderWait::pause, 3600s);
  timeline.advance(all);
  EXPECT_LT(timeline.residentBytes(), 512U);
  EXPECT_GT(timeline.steps(kTimelineStart).size(), 10U);
}

TEST(WaitTimeline, KeepsTheMeanOfWhatWasObserved) {
  Waiting waiting;
  for (int number = 0; number < 2000; ++number) {
    waiting.waits(SenderWait::clock, 20ms);
    waiting.timeline().observe(number < 1000 ? 10'000.0 : 30'000.0, 50'000.0);
  }
  for (const WaitStep& step : waiting.steps()) {
    if (step.polls == 0) continue;
    const double middle = toSeconds(step.from - kTimelineStart) + toSeconds(step.to - step.from) / 2;
    if (std::abs(middle - 20.0) < 1.0) continue;
    EXPECT_NEAR(step.rttUs / step.polls, middle < 20.0 ? 10'000.0 : 30'000.0, 100.0) << middle;
    EXPECT_NEAR(step.inFlightBytes / step.polls, 50'000.0, 100.0);
  }
}

}  // namespace
}  // namespace tcpscope
