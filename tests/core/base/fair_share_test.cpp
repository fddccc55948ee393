#include "core/base/fair_share.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tcpscope {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

/// A dumbbell: link 0 is shared; flow 1 has 1 Gbit/s of its own, both flows 2 share 100 Mbit/s.
std::vector<double> sharesOf(double sharedBps, double demandOfTwo) {
  const std::array capacities = {sharedBps, 1e9, 100e6};
  const double none = std::numeric_limits<double>::infinity();
  const std::array flows = {SharingFlow{none, {0, 1}}, SharingFlow{demandOfTwo, {0, 2}},
                            SharingFlow{demandOfTwo, {0, 2}}};
  return maxMinFairShares(flows, capacities);
}

// Table 1 of the paper on gHSTCP (Zhang, Hasegawa, Murata), in Mbit/s.
TEST(FairShare, FindsTheSharesOfThePublishedDumbbells) {
  const auto near = [](double megabits) { return DoubleNear(megabits * 1e6, 0.5e6); };
  EXPECT_THAT(sharesOf(100e6, 12e6), ElementsAre(near(76), near(12), near(12)));
  EXPECT_THAT(sharesOf(100e6, 1e9), ElementsAre(near(33.3), near(33.3), near(33.3)));
  EXPECT_THAT(sharesOf(200e6, 12e6), ElementsAre(near(176), near(12), near(12)));
  EXPECT_THAT(sharesOf(200e6, 1e9), ElementsAre(near(100), near(50), near(50)));
}

TEST(FairShare, LeavesUnboundedWhatNothingBounds) {
  const std::array flows = {SharingFlow{}, SharingFlow{5e6, {}}};
  EXPECT_THAT(maxMinFairShares(flows, {}), ElementsAre(std::numeric_limits<double>::infinity(), 5e6));
}

TEST(FairShare, JainsIndexIsOneForEqualsAndOneOfNForAMonopoly) {
  const std::array equal = {3.0, 3.0, 3.0, 3.0};
  const std::array monopoly = {8.0, 0.0, 0.0, 0.0};
  EXPECT_DOUBLE_EQ(jainFairness(equal), 1.0);
  EXPECT_DOUBLE_EQ(jainFairness(monopoly), 0.25);
  EXPECT_TRUE(std::isnan(jainFairness({})));
}

// Jain, Chiu and Hawe (DEC-TR-301): 20 dollars to 100 people, 10 of whom get 2 each: 10 %.
TEST(FairShare, JainsIndexIsTheShareOfPeopleServedEqually) {
  std::vector<double> dollars(100, 0.0);
  std::fill_n(dollars.begin(), 10, 2.0);
  EXPECT_DOUBLE_EQ(jainFairness(dollars), 0.1);
}

}  // namespace
}  // namespace tcpscope
