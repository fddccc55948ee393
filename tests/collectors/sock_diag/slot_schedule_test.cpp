#include "collectors/sock_diag/slot_schedule.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

TEST(SlotSchedule, KeepsItsSlotsWhenSamplesComeLate) {
  SlotSchedule slots;
  const Moment start = Moment::fromNanoseconds(1000);
  slots.start(start, 10us);
  EXPECT_TRUE(slots.isDue(start));
  EXPECT_EQ(slots.take(start + 3us), 0U) << "late, but within its slot";
  EXPECT_EQ(slots.next(), start + 10us);
  EXPECT_FALSE(slots.isDue(start + 9us));
}

TEST(SlotSchedule, CountsSlotsThatPassedUnused) {
  SlotSchedule slots;
  const Moment start = Moment::fromNanoseconds(1000);
  slots.start(start, 10us);
  EXPECT_EQ(slots.take(start + 35us), 3U);
  EXPECT_EQ(slots.next(), start + 40us);
}

}  // namespace
}  // namespace tcpscope
