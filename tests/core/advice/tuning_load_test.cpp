#include "core/advice/tuning_load.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

/// 100 Mbit/s for `seconds`.
LoadFacts carried(double seconds, double rttSeconds) {
  return {1, rttSeconds, 12.5e6 * seconds, BitsPerSecond(100e6)};
}

TEST(TuningLoad, IsUnknownWithoutItsFigures) {
  LoadFacts facts = carried(10.0, 0.025);
  facts.rttSeconds.reset();
  EXPECT_EQ(loadOf(facts), std::nullopt);
  facts = carried(10.0, 0.025);
  facts.bytes.reset();
  EXPECT_EQ(loadOf(facts), std::nullopt);
  EXPECT_EQ(loadOf({}), std::nullopt);
}

TEST(TuningLoad, FollowsRttAndLength) {
  EXPECT_EQ(loadOf(carried(10.0, 0.0005)), TuningLoad::localNetwork);
  EXPECT_EQ(loadOf(carried(10.0, 0.025)), TuningLoad::bulkTransfers);
  EXPECT_EQ(loadOf(carried(10.0, 0.1)), TuningLoad::veryLongPath);
}

TEST(TuningLoad, ATransferOfAFewRttsIsShort) {
  EXPECT_EQ(loadOf(carried(0.39, 0.1)), TuningLoad::shortTransfers);
  EXPECT_EQ(loadOf(carried(0.41, 0.1)), TuningLoad::veryLongPath);
  EXPECT_EQ(loadOf({1, 0.0005, 65'000.0, BitsPerSecond(1e6)}), TuningLoad::shortTransfers);
}

TEST(TuningLoad, ConnectionsBesideItDecideFirst) {
  LoadFacts facts = carried(10.0, 0.025);
  facts.streams = 2;
  EXPECT_EQ(loadOf(facts), TuningLoad::parallelStreams);
  facts.rttSeconds.reset();
  EXPECT_EQ(loadOf(facts), TuningLoad::parallelStreams);
}

}  // namespace
}  // namespace tcpscope
