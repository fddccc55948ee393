#include "collectors/sock_diag/late_wake_ups.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// How often it says so over `count` wake-ups of which each `period`-th is late.
unsigned timesMany(unsigned count, unsigned period) {
  LateWakeUps wakeUps;
  unsigned many = 0;
  for (unsigned number = 1; number <= count; ++number) {
    const Nanoseconds late = number % period == 0 ? 400us : 100us;
    if (wakeUps.areMany(late)) ++many;
  }
  return many;
}

TEST(LateWakeUps, AreManyFromOnePercentOn) {
  EXPECT_EQ(timesMany(1'000, 100), 1U);
  EXPECT_EQ(timesMany(10'000, 112), 0U);
}

TEST(LateWakeUps, AreManyAtOnceWhereEachIsLate) {
  EXPECT_EQ(timesMany(9, 1), 0U);
  EXPECT_EQ(timesMany(10, 1), 1U);
}

TEST(LateWakeUps, AreNotManyWhereAllAreInTime) {
  LateWakeUps wakeUps;
  for (int count = 0; count < 5'000; ++count) EXPECT_FALSE(wakeUps.areMany(LateWakeUps::kLate));
}

}  // namespace
}  // namespace tcpscope
