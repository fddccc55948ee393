#include "core/wire/loss/random_drop_test.h"

#include <gtest/gtest.h>

#include "core/wire/loss/loss.h"
#include "tests/core/wire/loss/drawn_losses.h"

namespace tcpscope {
namespace {

/// Mean share of intervals within the limit over every set of three packets.
double shareOverAllTriples(const std::vector<Moment>& sent, Nanoseconds limit) {
  double within = 0.0;
  double intervals = 0.0;
  for (std::size_t a = 0; a < sent.size(); ++a) {
    for (std::size_t b = a + 1; b < sent.size(); ++b) {
      for (std::size_t c = b + 1; c < sent.size(); ++c) {
        within += (sent[b] - sent[a] <= limit ? 1.0 : 0.0) + (sent[c] - sent[b] <= limit ? 1.0 : 0.0);
        intervals += 2.0;
      }
    }
  }
  return within / intervals;
}

TEST(RandomDropTest, ExpectsTheAverageOverAllSetsOfLosses) {
  std::vector<Moment> sent;
  for (const int time : {0, 1, 2, 3, 40, 41, 42, 100, 130, 160, 190}) sent.push_back(Moment() + Milliseconds(time));
  for (const int limit : {0, 1, 2, 30, 37, 1000}) {
    EXPECT_NEAR(expectedRatioWithin(sent, 3, Milliseconds(limit)), shareOverAllTriples(sent, Milliseconds(limit)),
                1e-12)
        << limit << " ms";
  }
}

// Independent losses of 1 % on windows of a hundred packets sent at once: nine times as many within a hundredth of an
// RTT as Poisson predicts, and still only chance.
TEST(RandomDropTest, TheSendersOwnBurstsAreNoBurstsOfLoss) {
  const auto sent = sentBackToBack(2000);
  const auto lost = lostByChance(sent.size(), 0.01, 1);
  const auto test = testRandomDrop(sent, lost, kDrawnRtt);
  ASSERT_TRUE(test);
  EXPECT_NEAR(test->withinHundredthRtt.expectedRatio, 0.0905, 0.003);
  EXPECT_NEAR(expectedRatioWithin(sent, lost.size(), kDrawnRtt / 4), 0.366, 0.01);
  EXPECT_NEAR(test->withinHundredthRtt.observedRatio, test->withinHundredthRtt.expectedRatio, 0.02);
  EXPECT_GT(test->clusteredPValue, 0.05);
  EXPECT_GT(test->regularPValue, 0.05);
}

double rejectedShare(double lossRatio, double RandomDropTest::*pValue) {
  constexpr int kTransfers = 500;
  const auto sent = sentBackToBack(100);
  int rejected = 0;
  for (int seed = 0; seed < kTransfers; ++seed) {
    const auto lost = lostByChance(sent.size(), lossRatio, static_cast<std::uint64_t>(seed));
    const auto test = testRandomDrop(sent, lost, kDrawnRtt);
    rejected += test && (*test).*pValue <= 0.05 ? 1 : 0;
  }
  return static_cast<double>(rejected) / kTransfers;
}

// One in twenty transfers with independent losses is called clustered at 5 %, and as many regular. Fewer where there
// are few losses, whose counts come in steps.
TEST(RandomDropTest, IsWrongAboutChanceAsOftenAsItSays) {
  EXPECT_NEAR(rejectedShare(0.02, &RandomDropTest::clusteredPValue), 0.05, 0.02);
  EXPECT_NEAR(rejectedShare(0.02, &RandomDropTest::regularPValue), 0.05, 0.02);
  EXPECT_LE(rejectedShare(0.001, &RandomDropTest::clusteredPValue), 0.07);
}

TEST(RandomDropTest, FindsBurstsWhateverTheSpacingOfThePackets) {
  for (const auto& sent : {sentBackToBack(500), sentPaced(500)}) {
    const auto lost = lostInBursts(sent.size(), {0.001, 0.3, 1.0}, 1);
    const auto test = testRandomDrop(sent, lost, kDrawnRtt);
    ASSERT_TRUE(test);
    EXPECT_LE(test->clusteredPValue, 0.001);
    EXPECT_GT(test->withinRtt.observedRatio, test->withinRtt.expectedRatio);
  }
}

TEST(RandomDropTest, FindsLossesThatAreTooRegularForChance) {
  const auto sent = sentBackToBack(500);
  const auto test = testRandomDrop(sent, lostEvery(sent.size(), 700), kDrawnRtt);
  ASSERT_TRUE(test);
  EXPECT_LE(test->regularPValue, 0.001);
  EXPECT_GT(test->clusteredPValue, 0.05);
}

TEST(RandomDropTest, TakesAMillionPacketsAndTenThousandLosses) {
  const auto sent = sentBackToBack(10'000);
  const auto test = testRandomDrop(sent, lostByChance(sent.size(), 0.01, 5), kDrawnRtt);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->packets, 1'000'000U);
  EXPECT_GE(test->draws, 199U);
  EXPECT_GT(test->clusteredPValue, 0.01);
}

TEST(RandomDropTest, DrawsAlsoWhereMostPacketsAreLost) {
  const auto sent = sentBackToBack(2);
  const auto test = testRandomDrop(sent, lostByChance(sent.size(), 0.8, 1), kDrawnRtt);
  ASSERT_TRUE(test);
  EXPECT_GT(test->clusteredPValue, 0.05);
}

TEST(RandomDropTest, SaysTheSameEachTime) {
  const auto sent = sentBackToBack(200);
  const auto lost = lostByChance(sent.size(), 0.01, 9);
  EXPECT_EQ(testRandomDrop(sent, lost, kDrawnRtt)->clusteredPValue,
            testRandomDrop(sent, lost, kDrawnRtt)->clusteredPValue);
}

TEST(RandomDropTest, SaysNothingOfWhatCannotBeDrawn) {
  const auto sent = sentBackToBack(1);
  EXPECT_FALSE(testRandomDrop(sent, Positions{5}, kDrawnRtt));
  EXPECT_FALSE(testRandomDrop(sent, lostEvery(sent.size(), 10), Nanoseconds(0)));
  EXPECT_FALSE(testRandomDrop(std::vector<Moment>(3), Positions{0, 1, 2}, kDrawnRtt));
}

}  // namespace
}  // namespace tcpscope
