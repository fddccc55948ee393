#include "ui/plots/vertical_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tcpscope {
namespace {

constexpr double kKibi = 1024.0;

TEST(VerticalScaleTest, StepsOfBytesAreOneTwoFiveWithinEachBinaryPrefix) {
  EXPECT_DOUBLE_EQ(unitsPerDivisionFor(MetricUnit::bytes, 3.0), 5.0);
  EXPECT_DOUBLE_EQ(unitsPerDivisionFor(MetricUnit::bytes, 501.0), 1.0 * kKibi);
  EXPECT_DOUBLE_EQ(unitsPerDivisionFor(MetricUnit::bytes, 150.0 * kKibi), 200.0 * kKibi);
  EXPECT_DOUBLE_EQ(unitsPerDivisionFor(MetricUnit::bytes, 501.0 * kKibi), kKibi * kKibi);
}

TEST(VerticalScaleTest, OtherStepsAreDecimal) {
  EXPECT_DOUBLE_EQ(unitsPerDivisionFor(MetricUnit::bitsPerSecond, 11.8e6), 20e6);
  EXPECT_DOUBLE_EQ(unitsPerDivisionFor(MetricUnit::microseconds, 20'000.0), 20'000.0);
  EXPECT_NEAR(unitsPerDivisionFor(MetricUnit::ratio, 0.03), 0.05, 1e-12);
}

TEST(VerticalScaleTest, NeighbouringStepsLeadThereAndBack) {
  for (const MetricUnit unit : {MetricUnit::bytes, MetricUnit::bitsPerSecond, MetricUnit::ratio}) {
    double step = unitsPerDivisionFor(unit, 0.0);
    for (int count = 0; count < 30; ++count) {
      const double next = nextUnitsPerDivision(unit, step);
      EXPECT_GT(next, step);
      EXPECT_NEAR(previousUnitsPerDivision(unit, next), step, step * 1e-9);
      step = next;
    }
  }
}

TEST(VerticalScaleTest, GrowsAtOnceAndShrinksOnlyWhenMuchTooLarge) {
  VerticalScale scale(MetricUnit::bitsPerSecond);
  scale.adapt(0.0, 80e6);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 10e6);
  scale.adapt(0.0, 81e6);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 20e6);
  scale.adapt(0.0, 60e6);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 20e6) << "still fills three eighths of the screen";
  scale.adapt(0.0, 10e6);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 2e6);
}

TEST(VerticalScaleTest, WhatTheUserSetStays) {
  VerticalScale scale(MetricUnit::bytes);
  scale.setUnitsPerDivision(10.0 * kKibi);
  scale.adapt(0.0, 1e9);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 10.0 * kKibi);
  scale.setUnitsPerDivision(-1.0);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 10.0 * kKibi);
  scale.setAutomatic();
  scale.adapt(0.0, 80.0 * kKibi);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 10.0 * kKibi);
}

TEST(VerticalScaleTest, AnEmptyScreenChangesNothing) {
  VerticalScale scale(MetricUnit::bytes);
  scale.adapt(0.0, 80.0 * kKibi);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  scale.adapt(nan, nan);
  EXPECT_DOUBLE_EQ(scale.unitsPerDivision(), 10.0 * kKibi);
}

TEST(VerticalScaleTest, MapsValuesToDivisionsAndBack) {
  VerticalScale scale(MetricUnit::microseconds);
  scale.setUnitsPerDivision(10'000.0);
  scale.setZeroDivision(2.0);
  EXPECT_DOUBLE_EQ(scale.toDivisions(30'000.0), 5.0);
  EXPECT_DOUBLE_EQ(scale.fromDivisions(5.0), 30'000.0);
}

TEST(VerticalScaleTest, WithoutLimitHasNoPlaceOnTheScreen) {
  const VerticalScale scale(MetricUnit::bitsPerSecond);
  EXPECT_TRUE(std::isnan(scale.toDivisions(std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isfinite(scale.toDivisions(std::numeric_limits<double>::max())));
}

}  // namespace
}  // namespace tcpscope
