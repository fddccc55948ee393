// Two samples against published figures, and what they decide.
#include "core/base/sample_comparison.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/present/text/comparison_text.h"

namespace tcpscope {
namespace {

// Student's sleepers (Biometrika 1908) with both drugs; Welch's test as R prints it in ?t.test: p-value = 0.07939,
// 95 % interval -3.3654832 to 0.2054832 (first minus second), means 0.75 and 2.33.
TEST(SampleComparison, FindsWelchsFiguresOfStudentsSleepers) {
  const std::array first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
  const std::array second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  const SampleComparison comparison = compare(first, second);
  EXPECT_NEAR(comparison.differenceInterval95.value().low, -0.2054832, 1e-6);
  EXPECT_NEAR(comparison.differenceInterval95.value().high, 3.3654832, 1e-6);
  EXPECT_NEAR(comparison.pValue.value(), 0.07939, 1e-5);
  EXPECT_FALSE(comparison.isDecided());
  EXPECT_TRUE(std::isnan(comparison.ratio)) << "some slept less: a ratio says nothing";
}

TEST(SampleComparison, IsDecidedWhereATransferBecameFaster) {
  const std::array before = {12.1, 12.4, 12.2, 12.6};
  const std::array after = {1.5, 1.6, 1.7, 1.6};
  const SampleComparison comparison = compare(before, after);
  EXPECT_NEAR(comparison.ratio, 12.325 / 1.6, 1e-9);
  EXPECT_GT(comparison.ratioInterval95.value().low, 7.0);
  EXPECT_LT(comparison.ratioInterval95.value().high, 8.5);
  EXPECT_LT(comparison.pValue.value(), 1e-6);
  EXPECT_TRUE(comparison.isDecided());
}

TEST(SampleComparison, IsNotDecidedWhereRunsDifferMoreThanTheirMeans) {
  const std::array before = {2.0, 9.0, 4.0, 12.0};
  const std::array after = {1.9, 8.0, 5.0, 11.0};
  EXPECT_FALSE(compare(before, after).isDecided());
}

TEST(SampleComparison, SaysNothingOfSingleRuns) {
  const std::array one = {12.0};
  const std::array other = {1.0};
  const SampleComparison comparison = compare(one, other);
  EXPECT_NEAR(comparison.ratio, 12.0, 1e-12);
  EXPECT_FALSE(comparison.pValue || comparison.ratioInterval95 || comparison.isDecided());
}

TEST(SampleComparison, IsNotCertainWhereOneOfItsIntervalsLeavesItToChance) {
  SampleComparison comparison;
  comparison.differenceInterval95 = Interval{-1e6, 9e6};
  comparison.pValue = 0.08;
  comparison.ratio = 1.0 / 1.57;
  comparison.ratioInterval95 = Interval{1.0 / 2.75, 1.0 / 1.1};
  EXPECT_EQ(sentence(comparison, SampleKind::blocks),
            "Not certain: 1.57 times as fast with it (95 %: 1.10 to 2.75), but the difference of the means may be "
            "chance; more runs may show it.");
}

TEST(SampleComparison, OfRatesIsFasterWhereTheValuesAreLarger) {
  const std::array before = {10.1, 10.3, 9.9, 10.0};
  const std::array after = {40.0, 40.4, 39.8, 40.6};
  const SampleComparison comparison = compare(before, after);
  const std::string text = sentence(comparison, SampleKind::blocks);
  EXPECT_EQ(text.rfind("3.99 times as fast with it (95 %: 3.9", 0), 0U) << text;
  EXPECT_EQ(sentence(comparison, SampleKind::runs).rfind("0.25 times", 0), 0U) << "as durations they became longer";
  EXPECT_EQ(sentence(compare(std::array{1.0}, after), SampleKind::transfers), "Too few samples to compare.");
}

TEST(SampleComparison, ComparesRatesOfWhichOneIsZero) {
  const std::vector<double> before{7.0, 0.0, 7.5, 6.5, 7.2, 7.1};
  const std::vector<double> after{390.0, 395.0, 388.0, 0.0, 392.0, 391.0};
  const SampleComparison comparison = compare(before, after);
  ASSERT_TRUE(comparison.ratioInterval95);
  EXPECT_LT(comparison.ratioInterval95->high, 0.1);
  const SampleComparison withoutMean = compare(std::vector{0.0, 0.0}, after);
  EXPECT_FALSE(withoutMean.ratioInterval95);
  // Draws of zeros alone are no numbers.
  EXPECT_FALSE(compare(std::vector{0.0, 0.0, 5.0}, std::vector{0.0, 0.0, 7.0}).ratioInterval95);
}

TEST(SampleComparison, KnowsValuesWithoutAnyDeviation) {
  const std::array same = {3.0, 3.0};
  EXPECT_EQ(compare(same, same).pValue, 1.0);
  EXPECT_FALSE(compare(same, same).isDecided());
}

}  // namespace
}  // namespace tcpscope
