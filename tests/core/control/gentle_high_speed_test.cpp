#include "core/control/gentle_high_speed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/random_stream.h"

namespace tcpscope {
namespace {

constexpr std::uint32_t kMinimum = 45'000;
constexpr std::uint32_t kDeviation = 100;

TEST(GentleHighSpeed, OriginalRuleIsTheTrendAlone) {
  EXPECT_EQ(originalMode(1), kRenoMode);
  EXPECT_EQ(originalMode(0), kHighSpeedMode);
}

// The pseudo-code of section 3.2, on and beside both thresholds.
TEST(GentleHighSpeed, RefinedRuleHasTwoThresholds) {
  for (const std::uint32_t rising : {0U, 1U}) {
    EXPECT_EQ(refinedMode(kMinimum, kMinimum, kDeviation, rising), kHighSpeedMode);
    EXPECT_EQ(refinedMode(kMinimum + 199, kMinimum, kDeviation, rising), kHighSpeedMode);
    EXPECT_EQ(refinedMode(kMinimum + 400, kMinimum, kDeviation, rising), kRenoMode);
    EXPECT_EQ(refinedMode(kMinimum + 9000, kMinimum, kDeviation, rising), kRenoMode);
  }
  for (const std::uint32_t between : {200U, 399U}) {
    EXPECT_EQ(refinedMode(kMinimum + between, kMinimum, kDeviation, 0), kHighSpeedMode);
    EXPECT_EQ(refinedMode(kMinimum + between, kMinimum, kDeviation, 1), kRenoMode);
  }
}

TEST(GentleHighSpeed, RttsWithoutAnyDeviationKeepHighSpeedModeAtTheMinimum) {
  EXPECT_EQ(refinedMode(kMinimum, kMinimum, 0, 1), kHighSpeedMode);
  EXPECT_EQ(refinedMode(kMinimum + 4, kMinimum, 0, 0), kRenoMode);
}

TEST(GentleHighSpeed, RenoModeAddsOneSegment) {
  EXPECT_EQ(gentleIncrease(5000, kRenoMode), kRenoIncrease);
  EXPECT_EQ(gentleIncrease(5000, kHighSpeedMode), highSpeedIncrease(5000));
}

void addCycle(GentleState& state, std::uint32_t mean, std::uint32_t rise) {
  constexpr std::uint32_t kSamples = 100;
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    // A see-saw of 20 µs, and the rise.
    addRttSample(&state.trend, 1000 + 450 * i, mean - rise / 2 + rise * i / kSamples + (i % 2 == 0 ? 10 : 0));
  }
}

TEST(GentleHighSpeed, MinimumIsTheSmallestMeanSinceTheLoss) {
  GentleState state{};
  beginGentle(&state);
  EXPECT_EQ(state.mode, kHighSpeedMode);
  addCycle(state, 46'000, 0);
  endSampleCycle(&state, kRefinedRule);
  EXPECT_EQ(state.minimumRtt, 46'005);
  addCycle(state, 45'000, 0);
  endSampleCycle(&state, kRefinedRule);
  EXPECT_EQ(state.minimumRtt, 45'005);
  addCycle(state, 45'500, 0);
  endSampleCycle(&state, kRefinedRule);
  EXPECT_EQ(state.minimumRtt, 45'005);
  EXPECT_EQ(state.mode, kRenoMode);
  beginLossCycle(&state);
  EXPECT_EQ(state.mode, kRenoMode);
  addCycle(state, 45'500, 0);
  endSampleCycle(&state, kRefinedRule);
  EXPECT_EQ(state.minimumRtt, 45'505);
  EXPECT_EQ(state.mode, kHighSpeedMode);
}

TEST(GentleHighSpeed, ACycleWithoutSamplesDecidesNothing) {
  GentleState state{};
  beginGentle(&state);
  state.mode = kRenoMode;
  endSampleCycle(&state, kRefinedRule);
  EXPECT_EQ(state.mode, kRenoMode);
  EXPECT_EQ(state.minimumRtt, 0);
}

/// The experiment of section 3: one flow over 200 Mbit/s and 44 ms (a BDP of 770 packets of 1460 bytes) with a queue of
/// 137, in steps of one RTT; RTTs fluctuate by 50 µs and more.
struct Experiment {
  std::uint32_t cyclesBelow = 0;
  std::uint32_t highSpeedBelow = 0;
  std::uint32_t cyclesAbove = 0;
  std::uint32_t renoAbove = 0;
  std::uint32_t switches = 0;
};

Experiment runExperiment(GentleRule rule) {
  constexpr double kBdp = 770;
  constexpr double kQueue = 137;
  constexpr double kBaseRtt = 44'000;
  RandomStream random(7, 1);
  GentleState state{};
  beginGentle(&state);
  Experiment found;
  std::uint32_t window = 500;
  std::uint64_t credit = 0;
  std::uint32_t clock = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const double queued = std::max(0.0, window - kBdp);
    const double rtt = kBaseRtt * (1 + queued / kBdp);
    for (std::uint32_t i = 0; i < window; ++i) {
      const double jitter = 100 * random.unit() + (random.happens(0.01) ? 400 : 0);
      addRttSample(&state.trend, clock + static_cast<std::uint32_t>(rtt * i / window),
                   static_cast<std::uint32_t>(rtt + jitter));
    }
    clock += static_cast<std::uint32_t>(rtt);
    const std::uint32_t before = state.mode;
    endSampleCycle(&state, rule);
    found.switches += state.mode != before ? 1 : 0;
    // A segment or two around the BDP are "around the BDP".
    if (window < kBdp) {
      ++found.cyclesBelow;
      found.highSpeedBelow += state.mode == kHighSpeedMode ? 1 : 0;
    } else if (window > kBdp + 10) {
      ++found.cyclesAbove;
      found.renoAbove += state.mode == kRenoMode ? 1 : 0;
    }
    window = increasedWindow(window, window, gentleIncrease(window, state.mode), 1U << 20, &credit);
    if (window <= kBdp + kQueue) continue;
    window = decreasedWindow(window);
    beginLossCycle(&state);
  }
  return found;
}

// Figure 6: HSTCP mode below the BDP, Reno mode above it.
TEST(GentleHighSpeed, RefinedRuleFollowsTheBandwidthDelayProduct) {
  const Experiment refined = runExperiment(kRefinedRule);
  ASSERT_GT(refined.cyclesBelow, 100);
  ASSERT_GT(refined.cyclesAbove, 100);
  // After a loss the mode stays for one cycle.
  EXPECT_GE(refined.highSpeedBelow, refined.cyclesBelow * 95 / 100);
  EXPECT_GE(refined.renoAbove, refined.cyclesAbove * 99 / 100);
}

// Figure 4: the mode of the original algorithm oscillates, below and above the BDP.
TEST(GentleHighSpeed, OriginalRuleOscillates) {
  const Experiment original = runExperiment(kOriginalRule);
  EXPECT_LT(original.highSpeedBelow, original.cyclesBelow * 70 / 100);
  EXPECT_LT(original.renoAbove, original.cyclesAbove * 70 / 100);
  EXPECT_GT(original.switches, 5 * runExperiment(kRefinedRule).switches);
}

}  // namespace
}  // namespace tcpscope
