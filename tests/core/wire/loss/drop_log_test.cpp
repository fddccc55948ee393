// Drops of real transfers over the lab's paths: see tests/data/drops.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "core/wire/loss/loss_summary.h"
#include "core/wire/loss/reference_bursts.h"
#include "tests/support/built_paths.h"

namespace tcpscope {
namespace {

constexpr Nanoseconds kRtt = Milliseconds(20);

LossSummary summaryOf(const std::string& scenario) {
  std::ifstream file(test::testData() / "drops" / (scenario + ".csv"));
  std::vector<Moment> drops;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) drops.push_back(Moment::fromNanoseconds(std::llround(std::stod(line) * 1e9)));
  EXPECT_GT(drops.size(), 50U) << scenario;
  return summarizeDropLog(drops, kRtt);
}

TEST(DropLog, OfAQueueThatOverflowsIsAsClusteredAsTheEmulatedRoutersWere) {
  const LossSummary summary = summaryOf("shallow_queue");
  EXPECT_NEAR(summary.withinHundredthRtt.value(), 0.80, 0.02);
  EXPECT_NEAR(summary.poissonWithinHundredthRtt.value(), 0.002, 0.001);
  EXPECT_GT(summary.withinRtt.value(), 5.0 * summary.poissonWithinRtt.value());
  EXPECT_EQ(summary.events.size(), 13U);
}

TEST(DropLog, OfAPolicerIsClustered) {
  const LossSummary summary = summaryOf("policer");
  EXPECT_GT(summary.withinHundredthRtt.value(), kReferenceBursts[1].ratio);
  EXPECT_LT(summary.poissonWithinHundredthRtt.value(), 0.01);
}

TEST(DropLog, OfALinkThatLosesSeveralInARowIsClustered) {
  const LossSummary summary = summaryOf("bursty_loss");
  EXPECT_GT(summary.withinHundredthRtt.value(), 0.6);
  EXPECT_LT(summary.poissonWithinHundredthRtt.value(), 0.01);
}

TEST(DropLog, OfLossByChanceIsNearThePoissonLine) {
  const LossSummary summary = summaryOf("random_loss_high");
  EXPECT_LT(summary.withinHundredthRtt.value(), 0.05);
  EXPECT_NEAR(summary.withinRtt.value(), summary.poissonWithinRtt.value(), 0.02);
}

TEST(DropLog, KnowsNothingOfThePacketsThatWereSent) {
  const LossSummary summary = summaryOf("policer");
  EXPECT_FALSE(summary.eventRatio);
  EXPECT_FALSE(summary.randomDrop);
  EXPECT_FALSE(summary.model);
  EXPECT_EQ(summary.verdict.cause, BurstCause::unknown);
}

}  // namespace
}  // namespace tcpscope
