#include "core/wire/loss/bucket_fit.h"

#include <gtest/gtest.h>

#include "tests/core/wire/loss/drawn_losses.h"
#include "tests/core/wire/loss/drawn_transfer.h"

namespace tcpscope {
namespace {

std::optional<BucketFit> fitOf(const DrawnPath& path, std::uint64_t packets) {
  const DrawnTransfer transfer = drawnTransfer(path, packets, 1);
  Positions lost;
  for (const Loss& loss : transfer.record.losses()) lost.push_back(loss.position);
  return fitBucket(transfer.record.sent().times(), lost, transfer.rtts.median);
}

TEST(BucketFit, FindsTheRateAndTheDepthOfAPolicer) {
  for (const double depth : {100.0, 200.0, 400.0}) {
    DrawnPath path;
    path.isPolicer = true;
    path.packetsPerSecond = 2000.0;
    path.packetsOfRoom = depth;
    const auto fit = fitOf(path, 40'000);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->packetsPerSecond, 2000.0, 60.0);
    EXPECT_NEAR(fit->depthPackets, depth, 5.0);
    EXPECT_EQ(fit->eventsAtEmpty, fit->events);
    EXPECT_GE(fit->sureness(), 0.7);
    EXPECT_NEAR(toSeconds(fit->depth()), depth / 2000.0, 0.01);
  }
}

// A queue is a bucket that tokens fall into as packets leave.
TEST(BucketFit, FindsTheRateOfALinkWhoseQueueOverflows) {
  DrawnPath path;
  path.packetsPerSecond = 2000.0;
  path.packetsOfRoom = 40.0;
  const auto fit = fitOf(path, 150'000);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->packetsPerSecond, 2000.0, 20.0);
  EXPECT_GE(fit->sureness(), 0.7);
}

TEST(BucketFit, FindsNoneWhereLossesComeByChance) {
  for (const double goesOn : {0.0, 0.7}) {
    DrawnPath path;
    path.packetsPerSecond = 100'000.0;
    path.packetsOfRoom = 10'000.0;
    path.lossRatio = 0.003;
    path.lossGoesOn = goesOn;
    const auto fit = fitOf(path, 40'000);
    ASSERT_TRUE(fit);
    EXPECT_LT(fit->sureness(), 0.3) << goesOn;
  }
}

TEST(BucketFit, FindsNoneAtAConstantRate) {
  const auto sent = sentPaced(500);
  const auto fit = fitBucket(sent, lostByChance(sent.size(), 0.001, 1), kDrawnRtt);
  ASSERT_TRUE(fit);
  EXPECT_LT(fit->sureness(), 0.3);
}

TEST(BucketFit, SaysNothingWithoutLossesOrTime) {
  const auto sent = sentPaced(10);
  EXPECT_FALSE(fitBucket(sent, {}, kDrawnRtt));
  EXPECT_FALSE(fitBucket({}, {}, kDrawnRtt));
  EXPECT_FALSE(fitBucket(sent, Positions{5}, Nanoseconds(0)));
  EXPECT_FALSE(fitBucket(std::vector<Moment>(20), Positions{5}, kDrawnRtt));
}

}  // namespace
}  // namespace tcpscope
