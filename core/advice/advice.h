// Advice for one side of a connection: the remedies that fit its verdict, or the reason why there is none.
//
// Without a verdict that says what holds, there is no advice; a saturated bottleneck gets none either.
#pragma once

#include "core/advice/remedy.h"
#include "core/advice/target_check.h"
#include "core/diagnosis/bounds/loss_budget.h"
#include "core/diagnosis/connection_diagnosis.h"
#include "core/host/sysctl_values.h"

namespace tcpscope {

enum class AdviceAim : std::uint8_t { throughput, latency };
std::string_view name(AdviceAim aim);

struct AdviceGoal {
  AdviceAim aim = AdviceAim::throughput;
  /// Data rate and RTT to be reached; absent: as measured.
  std::optional<BitsPerSecond> targetRate;
  std::optional<Microseconds> targetRtt;
  /// A router on the path was seen to mark packets, of another connection: only then ECN is known to bring something.
  bool pathMarks = false;
};

/// What a remedy may read. `settings` are those of the host that sampled the connection; empty where not known.
struct AdviceInput {
  const ConnectionEvidence& evidence;
  const SideDiagnosis& diagnosis;
  const SysctlValues& settings;
  const AdviceGoal& goal;

  [[nodiscard]] const Verdict& verdict() const { return diagnosis.verdict; }
  [[nodiscard]] Side side() const { return diagnosis.side; }
};

/// The target RTT, else the minimum RTT; nothing where neither is known.
std::optional<double> targetRttOfPath(const AdviceInput& input);

enum class WhyNoAdvice : std::uint8_t {
  /// There is advice.
  none,
  verdictUnknown,
  verdictUnsure,
  idle,
  /// The bottleneck is saturated: no setting raises the rate.
  pathIsFull,
  /// The application reads or writes slowly: no TCP setting helps.
  programSetsThePace,
  /// A queue has built up: a shorter one at the bottleneck, or pacing below its rate, shortens the delay, not the
  /// transfer.
  queueOnPath,
  /// A policer drops what exceeds its rate: pacing below it avoids the losses.
  policerOnPath,
  /// Losses set the rate, and which congestion control answers them is unknown: a capture does not show it.
  congestionControlUnknown,
  /// The send buffer is the limit, and its size is unknown: a capture does not show it.
  sendBufferUnknown,
  /// The receive window is the limit, and the receiver is on this host: its own end has the advice.
  receiverIsHere,
  noRemedyKnown,
};
std::string_view name(WhyNoAdvice why);

struct SideAdvice {
  /// What brings most first.
  std::vector<Remedy> remedies;
  WhyNoAdvice whyNot = WhyNoAdvice::none;
  /// What the path may lose at most for the target rate; absent without one, for the receiving side, and where loss
  /// does not steer the congestion control.
  std::optional<LossBudget> lossBudget{};
  /// Would the target rate be reached? Absent without one, and without an RTT.
  std::optional<TargetCheck> target{};
  /// RFC 6349, section 4.1: the time that the data takes over the time that it would take at the target rate; absent
  /// without a target rate, and where nothing moved.
  std::optional<double> transferTimeRatio{};
};

SideAdvice adviceFor(const AdviceInput& input);

/// For each side that the diagnosis has.
struct ConnectionAdvice {
  std::optional<SideAdvice> sending;
  std::optional<SideAdvice> receiving;
};

ConnectionAdvice adviceFor(const SocketObservation& socket, const WindowStatistics& window,
                           const ConnectionDiagnosis& diagnosis, const SysctlValues& settings, const AdviceGoal& goal);

}  // namespace tcpscope
