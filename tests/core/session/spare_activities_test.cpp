#include "core/session/spare_activities.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kHalf = 2500ms;
constexpr std::size_t kConnections = 32;

TEST(SpareActivities, WhatWasGivenBackLastIsTakenFirst) {
  SpareActivities spares;
  auto first = spares.take(Moment::fromNanoseconds(1), kHalf);
  auto second = spares.take(Moment::fromNanoseconds(1), kHalf);
  const ConnectionActivity* const last = &*second;
  spares.giveBack(std::move(first), kConnections);
  spares.giveBack(std::move(second), kConnections);
  const auto taken = spares.take(Moment::fromNanoseconds(7), kHalf);
  EXPECT_EQ(&*taken, last);
  EXPECT_EQ(taken->upTo(), Moment::fromNanoseconds(7));
}

TEST(SpareActivities, NoMoreAreKeptThanOneForSixteenConnections) {
  SpareActivities spares;
  std::vector<ValuePointer<ConnectionActivity>> taken;
  for (int count = 0; count < 5; ++count) taken.push_back(spares.take(Moment(), kHalf));
  for (auto& activity : taken) spares.giveBack(std::move(activity), kConnections);
  EXPECT_EQ(spares.size(), kConnections / 16);
}

TEST(SpareActivities, ACopyHasNone) {
  SpareActivities spares;
  spares.giveBack(spares.take(Moment(), kHalf), kConnections);
  const SpareActivities copy(spares);
  EXPECT_EQ(copy.size(), 0U);
  EXPECT_EQ(spares.size(), 1U);
}

}  // namespace
}  // namespace tcpscope
