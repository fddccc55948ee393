#include "core/base/proportion.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

// Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), speak of the same interval; the
// figures follow from the definition: P(X >= 5 | low) = P(X <= 5 | high) = 2.5 %.
TEST(Proportion, IsTheExactBinomialInterval) {
  const auto interval = proportionInterval95(5, 10);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 0.1871, 1e-4);
  EXPECT_NEAR(interval->high, 0.8129, 1e-4);
}

TEST(Proportion, OfNothingIsBelowThreeOverTheTrials) {
  const auto interval = proportionInterval95(0, 1000);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0.0);
  EXPECT_NEAR(interval->high, 3.0 / 1000, 1e-5);
}

TEST(Proportion, OfAllIsAboveAllButThreeOverTheTrials) {
  const auto interval = proportionInterval95(1000, 1000);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 1.0 - 3.0 / 1000, 1e-5);
  EXPECT_EQ(interval->high, 1.0);
}

TEST(Proportion, IsNothingWithoutTrials) {
  EXPECT_FALSE(proportionInterval95(0, 0));
  EXPECT_FALSE(proportionInterval95(3, 2));
}

}  // namespace
}  // namespace tcpscope
