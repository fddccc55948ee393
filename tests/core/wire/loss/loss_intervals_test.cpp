#include "core/wire/loss/loss_intervals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/core/wire/loss/drawn_losses.h"

namespace tcpscope {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

std::vector<Loss> lossesAt(std::initializer_list<int> times) {
  std::vector<Loss> losses;
  for (const int time : times) losses.push_back({Moment() + Milliseconds(time), 0, std::nullopt});
  return losses;
}

TEST(LossIntervals, AreMeasuredInRtts) {
  const auto intervals = lossIntervalsOf(lossesAt({0, 1, 51, 351}), Milliseconds(100));
  EXPECT_THAT(intervals, ElementsAre(DoubleNear(0.01, 1e-12), DoubleNear(0.5, 1e-12), DoubleNear(3.0, 1e-12)));
  EXPECT_DOUBLE_EQ(*ratioWithin(intervals, kHundredthRtt), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(*ratioWithin(intervals, kWholeRtt), 2.0 / 3.0);
}

TEST(LossIntervals, OfASingleLossAreNotKnown) {
  const auto intervals = lossIntervalsOf(lossesAt({5}), Milliseconds(100));
  EXPECT_TRUE(intervals.empty());
  EXPECT_FALSE(ratioWithin(intervals, kWholeRtt));
  EXPECT_FALSE(lossesPerRtt(intervals));
  EXPECT_TRUE(intervalDensity(intervals).poissonDensity.empty());
}

TEST(LossIntervals, AllAtOneTimeHaveNoRate) {
  EXPECT_FALSE(lossesPerRtt(lossIntervalsOf(lossesAt({5, 5, 5}), Milliseconds(100))));
}

TEST(LossIntervals, AnEmptyBinIsNothingOnALogarithmicAxis) {
  const IntervalDensity density = intervalDensity(std::vector<double>{0.005, 0.015, 0.05, 1.99, 2.5});
  ASSERT_EQ(density.density.size(), kIntervalBins);
  EXPECT_DOUBLE_EQ(*density.density[0], 2.0 / 5.0 / 0.02);
  EXPECT_FALSE(density.density[1]);
  EXPECT_DOUBLE_EQ(*density.density[2], 1.0 / 5.0 / 0.02);
  EXPECT_DOUBLE_EQ(*density.density[99], 1.0 / 5.0 / 0.02);
  EXPECT_EQ(density.beyond, 1U);
}

TEST(LossIntervals, ThePoissonLineIsStraightOnALogarithmicAxisAndHoldsTheShare) {
  const auto density = intervalDensity(std::vector<double>{0.1, 0.9, 0.3, 0.7});  // two losses per RTT
  ASSERT_EQ(density.poissonDensity.size(), kIntervalBins);
  double share = 0.0;
  for (std::size_t bin = 0; bin < kIntervalBins; ++bin) {
    share += density.poissonDensity[bin] * kIntervalBinRtt;
    if (bin == 0) continue;
    EXPECT_NEAR(density.poissonDensity[bin] / density.poissonDensity[bin - 1], std::exp(-0.04), 1e-9);
  }
  EXPECT_NEAR(share, poissonRatioWithin(2.0, 2.0), 1e-12);
}

// A sender that sends its window at once is bursty where its losses are not: independent losses of 1 %, windows of a
// hundred packets.
TEST(LossIntervals, IndependentLossesOfWindowsAreFarFromPoisson) {
  const auto sent = sentBackToBack(20'000);
  const auto intervals = lossIntervalsOf(lossesAt(sent, lostByChance(sent.size(), 0.01, 1)), kDrawnRtt);
  const double rate = lossesPerRtt(intervals).value();
  EXPECT_NEAR(*ratioWithin(intervals, 0.01), 0.088, 0.006);
  EXPECT_NEAR(poissonRatioWithin(rate, 0.01), 0.010, 0.0005);
  EXPECT_NEAR(*ratioWithin(intervals, 0.25), 0.37, 0.01);
  EXPECT_NEAR(poissonRatioWithin(rate, 0.25), 0.22, 0.005);
}

TEST(IntervalShares, HoldEveryInterval) {
  const IntervalShares shares = intervalShares(std::vector<double>{0.0, 0.000001, 0.002, 0.002, 30.0});
  ASSERT_EQ(shares.edgesRtt.size(), shares.measured.size() + 1);
  EXPECT_DOUBLE_EQ(shares.edgesRtt.front(), 1e-5);
  EXPECT_DOUBLE_EQ(shares.edgesRtt.back(), 100.0);
  EXPECT_NEAR(std::accumulate(shares.measured.begin(), shares.measured.end(), 0.0), 1.0, 1e-9);
  EXPECT_NEAR(shares.measured.front(), 0.4, 1e-9) << "those shorter than the first edge";
}

TEST(IntervalShares, SeparateThoseInBurstsFromThoseBetweenThem) {
  const IntervalShares shares = intervalShares(std::vector<double>{0.001, 0.001, 0.001, 20.0});
  std::size_t bars = 0;
  for (const double share : shares.measured) bars += share > 0.0 ? 1U : 0U;
  EXPECT_EQ(bars, 2U);
}

TEST(IntervalShares, TheLineIsWhereAPoissonProcessHasItsIntervals) {
  // Nine RTTs, four intervals, and none below 1 RTT.
  const IntervalShares shares = intervalShares(std::vector<double>{1.0, 2.0, 3.0, 3.0});
  ASSERT_EQ(shares.poisson.size(), shares.measured.size());
  const double sum = std::accumulate(shares.poisson.begin(), shares.poisson.end(), 0.0);
  EXPECT_NEAR(sum, poissonRatioWithin(4.0 / 9.0, 100.0) - poissonRatioWithin(4.0 / 9.0, 1.0), 1e-9)
      << "shorter ones are not in the picture";
  EXPECT_LT(shares.poisson.front(), shares.poisson[3]) << "and do not stand up at its edge";
}

TEST(IntervalShares, AreNoneWithoutIntervals) {
  EXPECT_TRUE(intervalShares({}).edgesRtt.empty());
  EXPECT_TRUE(intervalShares(std::vector<double>{0.0, 0.0}).poisson.empty()) << "no rate is known";
}

}  // namespace
}  // namespace tcpscope
