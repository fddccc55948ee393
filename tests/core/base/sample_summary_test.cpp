#include "core/base/sample_summary.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tcpscope {
namespace {

// Published with number, deviation and interval: figure 6 of "Web100 and the Visible Human Project", in Mbit/s.
TEST(SampleSummary, FindsTheIntervalsOfWeb100sExperiment) {
  const auto mistuned = meanInterval95(601, (11.728 + 11.938) / 2, 1.3121);
  ASSERT_TRUE(mistuned);
  EXPECT_NEAR(mistuned->low, 11.728, 0.001);
  EXPECT_NEAR(mistuned->high, 11.938, 0.001);
  const auto tuned = meanInterval95(601, (40.613 + 42.067) / 2, 9.0751);
  ASSERT_TRUE(tuned);
  EXPECT_NEAR(tuned->low, 40.613, 0.001);
  EXPECT_NEAR(tuned->high, 42.067, 0.001);
}

// Student's own data (Biometrika 1908, additional hours of sleep with the second drug): mean 2.33, s 2.002; the table
// of t gives 2.262 for 9 degrees of freedom.
TEST(SampleSummary, FindsTheFiguresOfStudentsSleepers) {
  const std::array sleepers = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  const SampleSummary summary = summarize(sleepers);
  EXPECT_EQ(summary.count, 10U);
  EXPECT_NEAR(summary.mean, 2.33, 0.005);
  EXPECT_NEAR(summary.standardDeviation.value(), 2.002, 0.0005);
  EXPECT_NEAR(summary.median, 1.75, 1e-9);
  const double half = 2.262 * 2.002 / std::sqrt(10.0);
  EXPECT_NEAR(summary.meanInterval95.value().low, 2.33 - half, 0.002);
  EXPECT_NEAR(summary.meanInterval95.value().high, 2.33 + half, 0.002);
}

TEST(SampleSummary, SaysNoDeviationOfASingleRun) {
  const std::array one = {42.0};
  const SampleSummary summary = summarize(one);
  EXPECT_EQ(summary.mean, 42.0);
  EXPECT_EQ(summary.median, 42.0);
  EXPECT_FALSE(summary.standardDeviation);
  EXPECT_FALSE(summary.meanInterval95);
}

TEST(SampleSummary, SaysNothingOfNothing) {
  EXPECT_TRUE(std::isnan(summarize({}).mean));
  EXPECT_TRUE(std::isnan(summarize({}).median));
}

TEST(SampleSummary, InAnotherUnitScalesEveryFigureAndNotTheNumber) {
  const std::array values = {1.0, 2.0, 3.0, 6.0};
  const SampleSummary summary = summarize(values);
  const SampleSummary times = scaled(summary, 8.0);
  EXPECT_EQ(times.count, 4U);
  EXPECT_EQ(times.mean, 8.0 * summary.mean);
  EXPECT_EQ(times.median, 8.0 * summary.median);
  EXPECT_EQ(times.standardDeviation.value(), 8.0 * summary.standardDeviation.value());
  EXPECT_EQ(times.meanInterval95.value().high, 8.0 * summary.meanInterval95.value().high);
  EXPECT_FALSE(scaled(SampleSummary(), 8.0).meanInterval95);
}

TEST(SampleSummary, TakesTheMiddleOfAnOddNumber) {
  const std::array values = {9.0, 1.0, 4.0};
  EXPECT_EQ(summarize(values).median, 4.0);
}

}  // namespace
}  // namespace tcpscope
