// Losses over many packets have the rate and the bursts that were asked for.
#include "app/lab/path/loss_process.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>

namespace tcpscope::lab {
namespace {

constexpr int kPackets = 200'000;

std::vector<bool> fates(const LossSettings& settings, std::uint64_t seed = 1) {
  LossProcess process(settings, RandomStream(seed, 1));
  std::vector<bool> lost(kPackets);
  for (auto&& fate : lost) fate = process.isLost(true);
  return lost;
}

/// Of independent losses, with a probability of 99.99 %.
std::pair<double, double> plausibleLosses(double ratio) {
  const boost::math::binomial_distribution<double> losses(kPackets, ratio);
  return {quantile(losses, 0.00005), quantile(complement(losses, 0.00005))};
}

TEST(LossProcess, LosesTheShareThatWasAskedFor) {
  for (const double ratio : {0.0001, 0.01, 0.3}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const std::vector<bool> lost = fates(BernoulliLoss{ratio}, seed);
      const auto losses = static_cast<double>(std::count(lost.begin(), lost.end(), true));
      const auto [fewest, most] = plausibleLosses(ratio);
      EXPECT_GE(losses, fewest) << ratio << " seed " << seed;
      EXPECT_LE(losses, most) << ratio << " seed " << seed;
    }
  }
}

TEST(LossProcess, LosesAllOrNothingAtTheEnds) {
  const std::vector<bool> none = fates(BernoulliLoss{0.0});
  const std::vector<bool> all = fates(BernoulliLoss{1.0});
  EXPECT_EQ(std::count(none.begin(), none.end(), true), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), true), kPackets);
}

// A bad spell of 1 / 0.25 = 4 packets begins before one packet in 1 / 0.005 = 200 good ones.
TEST(LossProcess, LosesInBurstsAsLongAsGilbertSays) {
  const std::vector<bool> lost = fates(GilbertElliottLoss{0.005, 0.25, 0.0, 1.0});
  double bursts = 0;
  double losses = 0;
  for (std::size_t packet = 1; packet < lost.size(); ++packet) {
    losses += lost[packet] ? 1 : 0;
    bursts += lost[packet] && !lost[packet - 1] ? 1 : 0;
  }
  EXPECT_NEAR(losses / bursts, 4.0, 0.3);
  EXPECT_NEAR(losses / kPackets, 0.005 / (0.005 + 0.25), 0.002);
}

TEST(LossProcess, LosesInBothStatesAsElliottSays) {
  const std::vector<bool> lost = fates(GilbertElliottLoss{0.5, 0.5, 0.1, 0.3});
  EXPECT_NEAR(static_cast<double>(std::count(lost.begin(), lost.end(), true)) / kPackets, 0.2, 0.01);
}

TEST(RandomStream, DoesNotDependOnTheMachine) {
  RandomStream stream(1, 1);
  RandomStream again(1, 1);
  RandomStream other(1, 2);
  const double first = stream.unit();
  EXPECT_EQ(first, again.unit());
  EXPECT_NE(first, other.unit());
}

}  // namespace
}  // namespace tcpscope::lab
