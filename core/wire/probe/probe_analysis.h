// What a probe shows of a path: how much it loses, and whether losses come in bursts; or why the measurement does not
// count.
//
// It counts only if both runs show similar losses (Wei, Cao, Low 2007, section 3.1) and the counters and clocks of both
// ends agree. The null hypothesis is that each packet is as likely to be lost as any other (random_drop_test.h); the
// two runs are combined by Fisher's method (1925).
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/sample_summary.h"
#include "core/wire/loss/loss_summary.h"
#include "core/wire/probe/probe_run.h"

namespace tcpscope {

/// Why a measurement does not count.
enum class ProbeFault : std::uint8_t {
  /// No packet arrived: a firewall, or a path that is broken.
  nothingArrived,
  /// The sending host did not keep the rate: more than 5 % off, or a hundredth of the packets late by an interval.
  senderLate,
  /// The sending host did not take packets.
  senderRefused,
  /// The receiving host lost packets that had arrived.
  receiverOverflowed,
  /// The receiver counts other packets than it names, or more than were sent.
  countsDisagree,
  /// The receiver's clock and the sender's do not agree about how long the run took.
  clocksDisagree,
  /// Packets of one size were lost more often than those of the other, or the path changed between the runs.
  lossDependsOnSize,
  /// Those of one size are lost in bursts, those of the other are not.
  patternDependsOnSize,
};
inline constexpr std::array kProbeFaults = {
    ProbeFault::nothingArrived,     ProbeFault::senderLate,           ProbeFault::senderRefused,
    ProbeFault::receiverOverflowed, ProbeFault::countsDisagree,       ProbeFault::clocksDisagree,
    ProbeFault::lossDependsOnSize,  ProbeFault::patternDependsOnSize,
};
/// "loss_depends_on_size"
std::string_view name(ProbeFault fault);

enum class ProbeVerdict : std::uint8_t {
  /// The measurement does not count.
  rejected,
  noLoss,
  /// Too few losses to know their pattern.
  tooFewLosses,
  /// Too few packets an RTT to see what happens within one.
  tooFewPackets,
  /// Nothing came back in time to know the RTT.
  rttUnknown,
  /// Clustered more than chance would have it.
  bursts,
  /// Not clustered beyond chance.
  independent,
  /// Chance is neither likely nor excluded; or losses are uneven, but not within an RTT.
  undecided,
};
inline constexpr std::array kProbeVerdicts = {
    ProbeVerdict::rejected,   ProbeVerdict::noLoss, ProbeVerdict::tooFewLosses, ProbeVerdict::tooFewPackets,
    ProbeVerdict::rttUnknown, ProbeVerdict::bursts, ProbeVerdict::independent,  ProbeVerdict::undecided,
};
/// "too_few_losses"
std::string_view name(ProbeVerdict verdict);

struct ProbeRunFigures {
  ProbeRunPlan plan;
  std::uint64_t sentPackets = 0;
  std::uint64_t lostPackets = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t reordered = 0;
  /// Of IP packets, as sent; absent with fewer than two.
  std::optional<BitsPerSecond> rate;
  /// Without a cause: a probe shows no queue.
  LossSummary losses;
};

struct ProbeAnalysis {
  std::array<ProbeRunFigures, 2> runs;
  /// Of both runs.
  std::optional<Nanoseconds> rtt;
  std::optional<Nanoseconds> minRtt;
  /// Of all packets that were sent.
  std::optional<double> lossRatio;
  /// 95 %, as if packets were lost independently: too narrow for bursts.
  std::optional<Interval> lossInterval95;
  /// In RTTs, of both runs.
  std::vector<double> intervalsRtt;
  /// Absent where packets are farther apart than that.
  std::optional<double> withinHundredthRtt;
  std::optional<double> withinRtt;
  std::optional<double> poissonWithinHundredthRtt;
  std::optional<double> poissonWithinRtt;
  /// How often chance clusters as many losses; absent where there are too few.
  std::optional<double> clusteredPValue;
  /// How often it spreads them as unevenly over the packets, whatever the RTT.
  std::optional<double> unevenPValue;
  std::vector<ProbeFault> faults;
  ProbeVerdict verdict = ProbeVerdict::rejected;
};

ProbeAnalysis analyzeProbe(const std::array<ProbeRun, 2>& runs);

}  // namespace tcpscope
