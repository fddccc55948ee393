#include "core/wire/loss/burst_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/wire/loss/drawn_losses.h"

namespace tcpscope {
namespace {

constexpr std::size_t kModelledPackets = 200'000;

std::optional<BurstModel> modelOf(const Positions& lost, std::size_t packets = kModelledPackets) {
  return fitBurstModel(std::vector<std::uint64_t>(lost.begin(), lost.end()), packets);
}

/// Within three standard errors.
void expectNear(const Estimate& estimate, double truth) {
  EXPECT_NEAR(estimate.value, truth, 3.0 * estimate.standardError);
  EXPECT_GT(estimate.standardError, 0.0);
}

TEST(BurstModel, FindsTheStatesThatTheLossesWereDrawnFrom) {
  const auto model = modelOf(lostInBursts(kModelledPackets, {0.001, 0.25, 1.0}, 1));
  ASSERT_TRUE(model);
  expectNear(model->goodToBad, 0.001);
  expectNear(model->badToGood, 0.25);
  expectNear(model->burstPackets, 4.0);
  EXPECT_LT(model->burstPackets.standardError, 0.5);
  EXPECT_FALSE(model->lossInBad);
}

TEST(BurstModel, FindsABadStateThatLosesSome) {
  const auto model = modelOf(lostInBursts(kModelledPackets, {0.001, 0.05, 0.4}, 2));
  ASSERT_TRUE(model);
  ASSERT_TRUE(model->lossInBad);
  expectNear(model->goodToBad, 0.001);
  expectNear(model->badToGood, 0.05);
  expectNear(*model->lossInBad, 0.4);
  EXPECT_LT(model->lossInBad->standardError, 0.05);
}

// Over many transfers the truth lies within two standard errors about as often as it should, 95 %.
TEST(BurstModel, ComputesItsConfidence) {
  int visible = 0;
  int hidden = 0;
  int found = 0;
  constexpr int kTransfers = 200;
  for (int seed = 0; seed < kTransfers; ++seed) {
    const auto simple = modelOf(lostInBursts(50'000, {0.002, 0.3, 1.0}, static_cast<std::uint64_t>(seed)), 50'000);
    visible += std::abs(simple->badToGood.value - 0.3) <= 2.0 * simple->badToGood.standardError ? 1 : 0;
    const auto full = modelOf(lostInBursts(50'000, {0.002, 0.05, 0.5}, static_cast<std::uint64_t>(seed)), 50'000);
    if (!full->lossInBad) continue;
    ++found;
    hidden += std::abs(full->badToGood.value - 0.05) <= 2.0 * full->badToGood.standardError ? 1 : 0;
  }
  EXPECT_GE(visible, kTransfers * 88 / 100);
  EXPECT_GE(found, kTransfers * 95 / 100);
  EXPECT_GE(hidden, found * 88 / 100);
}

TEST(BurstModel, IndependentLossesAreBurstsOfOne) {
  const auto model = modelOf(lostByChance(kModelledPackets, 0.01, 3));
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->burstPackets.value, 1.01, 3.0 * model->burstPackets.standardError);
}

TEST(BurstModel, IsNotFittedToTooFewLosses) {
  EXPECT_FALSE(modelOf(lostEvery(1900, 100), 1900));
  EXPECT_TRUE(modelOf(lostEvery(2100, 100), 2100));
}

TEST(BurstModel, IsNotFittedWhereNothingOrTooLittleArrived) {
  Positions all;
  for (std::size_t packet = 0; packet < 50; ++packet) all.push_back(packet);
  EXPECT_FALSE(modelOf(all, 50));
  EXPECT_FALSE(modelOf(all, 51));
}

}  // namespace
}  // namespace tcpscope
