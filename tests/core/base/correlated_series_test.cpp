// Series whose correlation is known, and the blocks that follow from it.
#include "core/base/correlated_series.h"

#include <gtest/gtest.h>

#include "core/base/random_stream.h"

namespace tcpscope {
namespace {

/// Each value is `memory` times the one before and a new random part.
std::vector<double> autoregressive(double memory, std::size_t count) {
  RandomStream random(7, 0);
  std::vector<double> values = {0.0};
  while (values.size() < count) {
    constexpr int kUniform = 1'000'000;
    const double fresh = static_cast<double>(random.below(kUniform)) / kUniform - 0.5;
    values.push_back(memory * values.back() + fresh);
  }
  return values;
}

TEST(CorrelatedSeries, IndependentValuesAndAConstantDependOnThemselvesAlone) {
  EXPECT_NEAR(correlationSteps(autoregressive(0.0, 20'000)), 1.0, 0.1);
  EXPECT_EQ(correlationSteps(std::vector<double>(100, 3.0)), 1.0);
  EXPECT_EQ(correlationSteps(std::vector{1.0, 2.0}), 1.0) << "too few to estimate";
}

// (1 + a) / (1 - a): 3 for a half, 19 for nine tenths.
TEST(CorrelatedSeries, FindsHowLongAnAutoregressiveSeriesRemembers) {
  EXPECT_NEAR(correlationSteps(autoregressive(0.5, 50'000)), 3.0, 0.3);
  EXPECT_NEAR(correlationSteps(autoregressive(0.9, 50'000)), 19.0, 3.0);
}

TEST(CorrelatedSeries, MeansOfBlocksLeaveOutTheRest) {
  const std::vector values = {1.0, 3.0, 5.0, 7.0, 100.0};
  EXPECT_EQ(blockMeans(values, 2), (std::vector{2.0, 6.0}));
  EXPECT_EQ(blockMeans(values, 0), values) << "a block has one value at least";
  EXPECT_TRUE(blockMeans(values, 6).empty());
}

TEST(CorrelatedSeries, BlocksAreLongerThanTheSeriesRemembers) {
  const std::vector<double> values = autoregressive(0.9, 20'000);
  const std::vector<double> means = independentMeans(values, 1);
  EXPECT_NEAR(static_cast<double>(values.size()) / static_cast<double>(means.size()), 2 * 19.0, 8.0);
  EXPECT_LT(correlationSteps(means), 2.0);
  EXPECT_EQ(independentMeans(autoregressive(0.0, 1000), 10).size(), 100U) << "never shorter than asked for";
}

}  // namespace
}  // namespace tcpscope
