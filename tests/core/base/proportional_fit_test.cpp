#include "core/base/proportional_fit.h"

#include <gtest/gtest.h>

#include <array>

namespace tcpscope {
namespace {

// A window of 26.8 KB (26,750 bytes) is 214 Mbit/s times streams over milliseconds: the equation that Weigle and Feng
// give for Linux 2.2.
TEST(ProportionalFit, FindsTheFactorOfARateEquation) {
  std::vector<FitPoint> points;
  for (const double delayMs : {25.0, 50.0, 100.0}) {
    for (const double streams : {1.0, 2.0, 4.0, 8.0}) {
      points.push_back({streams / delayMs, streams * 26'750 * 8 / (delayMs / 1000) / 1e6});
    }
  }
  const auto fit = fitProportional(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->factor, 214.0, 1e-6);
  EXPECT_NEAR(fit->worstRelativeError, 0.0, 1e-9);
}

TEST(ProportionalFit, WeighsSmallAndLargeRatesAlike) {
  const std::array points = {FitPoint{1.0, 90.0}, FitPoint{100.0, 11'000.0}};
  const auto fit = fitProportional(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->factor, 99.0, 1.0);
  EXPECT_NEAR(fit->worstRelativeError, 0.1, 0.02);
}

// r = 1 / 90, 1 / 100, 1 / 110: k = 98.667; the relative errors are 0.096, -0.013, -0.103 and t(2) is 4.303.
TEST(ProportionalFit, TheFactorHasAnIntervalFromTwoPointsOn) {
  const std::array points = {FitPoint{1.0, 90.0}, FitPoint{1.0, 100.0}, FitPoint{1.0, 110.0}};
  const auto fit = fitProportional(points);
  ASSERT_TRUE(fit && fit->factorInterval95);
  EXPECT_NEAR(fit->factor, 98.667, 0.001);
  EXPECT_NEAR(fit->factorInterval95->low, 98.667 - 24.633, 0.001);
  EXPECT_NEAR(fit->factorInterval95->high, 98.667 + 24.633, 0.001);
  EXPECT_FALSE(fitProportional(std::span(points).first(1))->factorInterval95);
}

TEST(ProportionalFit, NeedsAPoint) {
  const std::array points = {FitPoint{0.0, 1.0}, FitPoint{1.0, 0.0}};
  EXPECT_FALSE(fitProportional(points));
}

}  // namespace
}  // namespace tcpscope
