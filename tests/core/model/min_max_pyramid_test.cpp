#include "core/model/min_max_pyramid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace tcpscope {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

MinMaxPyramid pyramidOf(const std::vector<double>& values) {
  MinMaxPyramid pyramid;
  for (const double value : values) pyramid.append(value);
  return pyramid;
}

TEST(MinMaxPyramidTest, IsEmptyAtFirst) {
  const MinMaxPyramid pyramid;
  EXPECT_FALSE(pyramid.extremes(0, 0).isKnown());
  EXPECT_TRUE(std::isnan(pyramid.last(0, 0)));
}

TEST(MinMaxPyramidTest, PassesOverWhatIsNotReported) {
  const MinMaxPyramid pyramid = pyramidOf({kNone, 3.0, 1.0, kNone});
  EXPECT_EQ(pyramid.extremes(0, 4).smallest, 1.0);
  EXPECT_EQ(pyramid.extremes(0, 4).largest, 3.0);
  EXPECT_EQ(pyramid.last(0, 4), 1.0);
  EXPECT_FALSE(pyramid.extremes(3, 4).isKnown());
  EXPECT_TRUE(std::isnan(pyramid.last(3, 4)));
}

TEST(MinMaxPyramidTest, KeepsAValueWithoutLimit) {
  const MinMaxPyramid pyramid = pyramidOf({1.0, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(pyramid.extremes(0, 2).smallest, 1.0);
  EXPECT_TRUE(std::isinf(pyramid.extremes(0, 2).largest));
}

/// Every answer is that of a scan over all samples, at sizes around the borders of the levels.
TEST(MinMaxPyramidTest, AgreesWithAScanOfAllSamples) {
  std::mt19937 random(20260321);
  std::uniform_real_distribution<double> values(-1000.0, 1000.0);
  for (const std::size_t size : {1U, 15U, 16U, 17U, 255U, 256U, 257U, 4095U, 4097U, 20'000U}) {
    std::vector<double> samples(size);
    for (double& sample : samples) sample = random() % 5 == 0 ? kNone : values(random);
    const MinMaxPyramid pyramid = pyramidOf(samples);
    ASSERT_EQ(pyramid.size(), size);
    for (int query = 0; query < 300; ++query) {
      std::size_t from = random() % (size + 1);
      std::size_t to = random() % (size + 1);
      if (from > to) std::swap(from, to);
      MinMax expected;
      double last = kNone;
      for (std::size_t index = from; index < to; ++index) {
        expected.add({samples[index], samples[index]});
        if (!std::isnan(samples[index])) last = samples[index];
      }
      const MinMax found = pyramid.extremes(from, to);
      ASSERT_EQ(found.smallest, expected.smallest) << size << ": " << from << " to " << to;
      ASSERT_EQ(found.largest, expected.largest) << size << ": " << from << " to " << to;
      const double foundLast = pyramid.last(from, to);
      ASSERT_TRUE(foundLast == last || (std::isnan(foundLast) && std::isnan(last)));
    }
  }
}

}  // namespace
}  // namespace tcpscope
