#include "core/loss/accepted_rate.h"

#include <gtest/gtest.h>

#include "tests/core/loss/drawn_losses.h"
#include "tests/core/loss/drawn_transfer.h"

namespace tcpscope {
namespace {

std::optional<AcceptedRate> rateOf(const DrawnPath& path, std::uint64_t packets) {
  const DrawnTransfer transfer = drawnTransfer(path, packets, 1);
  Positions lost;
  for (const Loss& loss : transfer.record.losses()) lost.push_back(loss.position);
  return findAcceptedRate(transfer.record.sent().times(), lost, transfer.roundTrips.median);
}

TEST(AcceptedRate, IsWhatAPolicerLetsThrough) {
  DrawnPath path;
  path.isPolicer = true;
  path.packetsPerSecond = 2000.0;
  path.packetsOfRoom = 400.0;
  const auto rate = rateOf(path, 40'000);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->packetsPerSecond, 2000.0, 40.0);
  // Of 400 packets of room a sender that halves its window uses what it stays below the rate.
  EXPECT_GT(rate->depth, Milliseconds(20));
  EXPECT_LE(rate->depth, Milliseconds(210));
  EXPECT_GT(rate->excessRatio, 1.05);
  EXPECT_GE(rate->sureness(), 0.5);
}

TEST(AcceptedRate, IsWhatAFullLinkLetsThrough) {
  const auto rate = rateOf(DrawnPath{}, 100'000);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->packetsPerSecond, 2000.0, 40.0);
}

TEST(AcceptedRate, IsNotFoundWhereLossesComeByChance) {
  DrawnPath path;
  path.packetsPerSecond = 100'000.0;
  path.packetsOfRoom = 10'000.0;
  path.lossRatio = 0.005;
  const auto rate = rateOf(path, 40'000);
  ASSERT_TRUE(rate);
  EXPECT_LT(rate->sureness(), 0.5);
}

// At a constant rate with losses by chance as much arrives between any two losses; but nothing exceeds that rate.
TEST(AcceptedRate, IsNotARateThatTheSenderKeepsItself) {
  const auto sent = sentPaced(500);
  const auto rate = findAcceptedRate(sent, lostByChance(sent.size(), 0.001, 1), kDrawnRoundTrip);
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->sureness(), 0.0);
}

TEST(AcceptedRate, NeedsSeveralLossEvents) {
  const auto sent = sentPaced(10);
  EXPECT_FALSE(findAcceptedRate(sent, Positions{10, 11, 400, 700}, kDrawnRoundTrip));
  EXPECT_FALSE(findAcceptedRate(sent, {}, kDrawnRoundTrip));
}

}  // namespace
}  // namespace tcpscope
