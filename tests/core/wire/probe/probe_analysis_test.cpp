#include "core/wire/probe/probe_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/wire/probe/drawn_probe.h"

namespace tcpscope {
namespace {

using testing::ElementsAre;

std::array<ProbeRun, 2> whole() {
  const auto plan = drawnPlan();
  return {drawnRun(plan[0], {}), drawnRun(plan[1], {})};
}

TEST(ProbeAnalysis, ShowsBurstsInTwentyOfTwenty) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ProbeAnalysis analysis = analyzeProbe(probeLostInBursts(seed));
    EXPECT_EQ(analysis.verdict, ProbeVerdict::bursts) << seed << ": " << name(analysis.verdict);
    EXPECT_GT(*analysis.withinRtt, 3.0 * *analysis.poissonWithinRtt);
  }
}

TEST(ProbeAnalysis, ShowsIndependentLossesInTwentyOfTwenty) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ProbeAnalysis analysis = analyzeProbe(probeLostByChance(0.005, 0.005, seed));
    EXPECT_EQ(analysis.verdict, ProbeVerdict::independent) << seed << ": " << name(analysis.verdict);
    EXPECT_NEAR(*analysis.withinRtt, *analysis.poissonWithinRtt, 0.05);
  }
}

TEST(ProbeAnalysis, DoesNotCallBurstsIndependentWhereAnRttHasManyLosses) {
  // So many that each is within an RTT of the one before, as losses by chance would be.
  const auto plan = drawnPlan();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TwoStates path{0.01, 0.2, 1.0};
    std::array<ProbeRun, 2> runs = {drawnRun(plan[0], lostInBursts(plan[0].packets, path, seed)),
                                    drawnRun(plan[1], lostInBursts(plan[1].packets, path, seed + 1000))};
    for (ProbeRun& run : runs) run.sent.rtts.assign(20, Milliseconds(300));
    const ProbeVerdict verdict = analyzeProbe(runs).verdict;
    EXPECT_TRUE(verdict == ProbeVerdict::bursts || verdict == ProbeVerdict::undecided) << seed << ": " << name(verdict);
  }
}

TEST(ProbeAnalysis, RejectsAPathThatDropsBySizeInTwentyOfTwenty) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ProbeAnalysis analysis = analyzeProbe(probeLostByChance(0.002, 0.01, seed));
    EXPECT_EQ(analysis.verdict, ProbeVerdict::rejected);
    EXPECT_THAT(analysis.faults, ElementsAre(ProbeFault::lossDependsOnSize)) << seed;
  }
}

TEST(ProbeAnalysis, RejectsWhatIsLostInBurstsInOneSizeOnly) {
  const auto plan = drawnPlan();
  const Positions bursts = lostInBursts(plan[0].packets, {0.0005, 0.2, 0.8}, 3);
  const double ratio = static_cast<double>(bursts.size()) / static_cast<double>(plan[0].packets);
  const ProbeAnalysis analysis =
      analyzeProbe({drawnRun(plan[0], bursts), drawnRun(plan[1], lostByChance(plan[1].packets, ratio, 4))});
  EXPECT_THAT(analysis.faults, ElementsAre(ProbeFault::patternDependsOnSize));
}

TEST(ProbeAnalysis, BoundsTheLossWhereNothingWasLost) {
  const ProbeAnalysis analysis = analyzeProbe(whole());
  EXPECT_EQ(analysis.verdict, ProbeVerdict::noLoss);
  EXPECT_NEAR(analysis.lossInterval95->high, 3.0 / (2.0 * 46'875), 1e-5) << "rule of three";
  EXPECT_FALSE(analysis.withinRtt);
}

TEST(ProbeAnalysis, KeepsTheRateThatWasAskedFor) {
  const ProbeAnalysis analysis = analyzeProbe(whole());
  EXPECT_NEAR(analysis.runs[1].rate->value(), 1e6, 1.0);
  EXPECT_NEAR(analysis.runs[0].rate->value(), 0.12e6, 1.0);
}

TEST(ProbeAnalysis, DoesNotNameAPatternOfAFewLosses) {
  const auto plan = drawnPlan();
  const ProbeAnalysis analysis =
      analyzeProbe({drawnRun(plan[0], {100, 101, 102}), drawnRun(plan[1], {200, 201, 202, 203})});
  EXPECT_EQ(analysis.verdict, ProbeVerdict::tooFewLosses);
}

TEST(ProbeAnalysis, DoesNotNameAPatternThatItsPacketsAreTooFarApartToShow) {
  auto runs = probeLostInBursts(1);
  for (ProbeRun& run : runs) run.sent.rtts.assign(5, Milliseconds(5));
  const ProbeAnalysis analysis = analyzeProbe(runs);
  EXPECT_EQ(analysis.verdict, ProbeVerdict::tooFewPackets);
  EXPECT_FALSE(analysis.withinRtt);
  EXPECT_FALSE(analysis.withinHundredthRtt);
}

TEST(ProbeAnalysis, GivesNoShareBelowTheTimeBetweenPackets) {
  const ProbeAnalysis analysis = analyzeProbe(probeLostInBursts(1));
  EXPECT_FALSE(analysis.withinHundredthRtt) << "packets are 3.2 ms apart, a hundredth of the RTT is 1 ms";
  EXPECT_TRUE(analysis.withinRtt);
}

TEST(ProbeAnalysis, DoesNotNameAPatternWithoutAnRtt) {
  auto runs = probeLostInBursts(1);
  for (ProbeRun& run : runs) run.sent.rtts.clear();
  EXPECT_EQ(analyzeProbe(runs).verdict, ProbeVerdict::rttUnknown);
}

struct FaultyProbe {
  const char* title;
  void (*spoil)(ProbeRun&);
  ProbeFault fault;
};
void PrintTo(const FaultyProbe& probe, std::ostream* out) {
  *out << probe.title;
}

class ProbeThat : public testing::TestWithParam<FaultyProbe> {};

TEST_P(ProbeThat, DoesNotCount) {
  for (const std::size_t run : {0U, 1U}) {
    auto runs = whole();
    GetParam().spoil(runs[run]);
    const ProbeAnalysis analysis = analyzeProbe(runs);
    EXPECT_EQ(analysis.verdict, ProbeVerdict::rejected);
    EXPECT_THAT(analysis.faults, ElementsAre(GetParam().fault));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, ProbeThat,
    testing::Values(
        FaultyProbe{"arrivesNowhere",
                    [](ProbeRun& run) {
                      run.received.arrived.assign(run.plan.packets, false);
                      run.received.packets = 0;
                      run.received.span.reset();
                    },
                    ProbeFault::nothingArrived},
        FaultyProbe{"isSentLate",
                    [](ProbeRun& run) {
                      for (std::size_t packet = 0; packet < 1000; ++packet) {
                        run.sent.times[packet + 1] = run.sent.times[1001];
                      }
                    },
                    ProbeFault::senderLate},
        FaultyProbe{"isRefused",
                    [](ProbeRun& run) {
                      run.sent.times.pop_back();
                      run.received.arrived.pop_back();
                      --run.received.packets;
                      run.sent.refused = 1;
                    },
                    ProbeFault::senderRefused},
        FaultyProbe{"overflowsTheReceiver", [](ProbeRun& run) { run.received.overflowed = 3U; },
                    ProbeFault::receiverOverflowed},
        FaultyProbe{"isCountedWrongly", [](ProbeRun& run) { run.received.packets += 7; }, ProbeFault::countsDisagree},
        FaultyProbe{"arrivesThoughItWasNotSent",
                    [](ProbeRun& run) {
                      run.received.arrived.push_back(true);
                      ++run.received.packets;
                    },
                    ProbeFault::countsDisagree},
        FaultyProbe{"takesAnotherTimeThere", [](ProbeRun& run) { *run.received.span += std::chrono::seconds(20); },
                    ProbeFault::clocksDisagree}),
    [](const auto& row) { return row.param.title; });

}  // namespace
}  // namespace tcpscope
