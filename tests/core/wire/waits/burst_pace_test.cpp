#include "core/wire/waits/burst_pace.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

WallTime millisecondsIn(double milliseconds) {
  return WallTime() + Nanoseconds(static_cast<std::int64_t>(1e6 * (1000.0 + milliseconds)));
}

/// Bursts of two segments, each `bytes` in all, `interval` apart.
struct Bursts {
  int count = 100;
  double intervalMs = 2.0;
  std::uint32_t bytes = 2000;
  bool areUnprompted = true;
  bool endShort = false;
  bool areRepairs = false;
};

void send(const Bursts& bursts, double& now, BurstPace& pace) {
  for (int burst = 0; burst < bursts.count; ++burst) {
    const std::uint32_t first = bursts.bytes / 2;
    pace.take({millisecondsIn(now), first, bursts.areUnprompted, false, bursts.areRepairs});
    pace.take({millisecondsIn(now + 0.01), bursts.bytes - first, true, bursts.endShort, bursts.areRepairs});
    now += bursts.intervalMs;
  }
}

BurstPace paceOf(std::initializer_list<Bursts> all) {
  BurstPace pace;
  double now = 0.0;
  for (const Bursts& bursts : all) send(bursts, now, pace);
  return pace;
}

TEST(BurstPace, FindsTheRateOfEvenBursts) {
  const BurstPace pace = paceOf({{}});
  EXPECT_NEAR(pace.rate().value_or(BitsPerSecond()).value(), 8e6, 1e3);
  EXPECT_EQ(pace.bursts(), 99U) << "of the last it is not known when the next would follow";
  EXPECT_EQ(pace.unprompted(), 99U);
  EXPECT_EQ(pace.groups(), 12U);
  EXPECT_EQ(pace.steadyGroups(), 12U);
}

TEST(BurstPace, IsSteadyAlsoWhereTimersComeLateNowAndThen) {
  BurstPace pace;
  double now = 0.0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    send({.count = 1, .intervalMs = 3.5}, now, pace);
    send({.count = 2, .intervalMs = 1.25}, now, pace);
    send({.count = 3}, now, pace);
  }
  EXPECT_NEAR(pace.rate().value_or(BitsPerSecond()).value(), 8e6, 0.3e6);
  EXPECT_GE(pace.steadyGroups(), 0.95 * pace.groups());
}

TEST(BurstPace, IsSteadyAlsoWhereBurstsDifferInSize) {
  BurstPace pace;
  double now = 0.0;
  for (int cycle = 0; cycle < 20; ++cycle) {
    send({.count = 3}, now, pace);
    send({.count = 1, .intervalMs = 4.0, .bytes = 4000}, now, pace);
  }
  EXPECT_NEAR(pace.rate().value_or(BitsPerSecond()).value(), 8e6, 1e3);
  EXPECT_EQ(pace.steadyGroups(), pace.groups());
}

TEST(BurstPace, GetsOverAStartThatWasSlower) {
  const BurstPace pace = paceOf({{.count = 20, .intervalMs = 20.0}, {.count = 1000}});
  EXPECT_NEAR(pace.rate().value_or(BitsPerSecond()).value(), 8e6, 1e3);
  EXPECT_GT(pace.steadyGroups(), 0.8 * pace.groups());
}

TEST(BurstPace, IsNotSteadyWhereTheRateVariesAsBbrDoes) {
  BurstPace pace;
  double now = 0.0;
  for (int cycle = 0; cycle < 20; ++cycle) {
    send({.count = 10, .intervalMs = 1.6}, now, pace);
    send({.count = 10, .intervalMs = 2.67}, now, pace);
    send({.count = 60}, now, pace);
  }
  EXPECT_LT(pace.steadyGroups(), 0.8 * pace.groups());
  EXPECT_NEAR(pace.rate().value_or(BitsPerSecond()).value(), 8e6, 0.2e6);
}

TEST(BurstPace, CountsPromptedBurstsApart) {
  const BurstPace pace = paceOf({{.areUnprompted = false}});
  EXPECT_EQ(pace.bursts(), 99U);
  EXPECT_EQ(pace.unprompted(), 0U);
}

TEST(BurstPace, IsNotSteadyWhereBurstsEndShort) {
  const BurstPace pace = paceOf({{.endShort = true}});
  EXPECT_EQ(pace.groups(), 12U);
  EXPECT_EQ(pace.steadyGroups(), 0U) << "a program writes so";
}

TEST(BurstPace, HasNoRateBeforeTheFirstBurst) {
  EXPECT_FALSE(BurstPace().rate());
}

TEST(BurstPace, LeavesRepairsOut) {
  EXPECT_EQ(paceOf({{.areRepairs = true}}).bursts(), 0U);
}

TEST(BurstPace, LeavesPausesOut) {
  EXPECT_EQ(paceOf({{.intervalMs = 200.0}}).bursts(), 0U);
}

}  // namespace
}  // namespace tcpscope
