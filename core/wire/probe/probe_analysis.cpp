#include "core/wire/probe/probe_analysis.h"

#include <algorithm>
#include <cmath>

#include "core/base/proportion.h"
#include "core/base/sample_comparison.h"

namespace tcpscope {

namespace {

/// In each run: fewer show no pattern.
constexpr std::uint64_t kFewLosses = 10;
/// A packet each quarter of an RTT at least.
constexpr int kLeastPacketsAnRtt = 4;
/// How surely chance must be rejected, and where it is likely enough to be taken for the cause.
constexpr double kChanceRejected = 0.001;
constexpr double kChanceLikely = 0.005;
/// So seldom a path that loses all sizes alike is taken for one that does not.
constexpr double kDiffers = 0.0001;

std::optional<Nanoseconds> medianOf(std::vector<Nanoseconds> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<std::size_t> lostOf(const ProbeRun& run) {
  std::vector<std::size_t> lost;
  for (std::size_t packet = 0; packet < run.sent.times.size(); ++packet) {
    if (packet >= run.received.arrived.size() || !run.received.arrived[packet]) lost.push_back(packet);
  }
  return lost;
}

std::optional<BitsPerSecond> rateOf(const ProbeRun& run) {
  if (run.sent.times.size() < 2) return std::nullopt;
  const double seconds = toSeconds(run.sent.times.back() - run.sent.times.front());
  const auto bits = static_cast<double>((run.sent.times.size() - 1) * run.plan.packetSize.value() * 8);
  return seconds > 0.0 ? std::optional(BitsPerSecond(bits / seconds)) : std::nullopt;
}

ProbeRunFigures figuresOf(const ProbeRun& run, std::optional<Nanoseconds> rtt) {
  ProbeRunFigures figures;
  figures.plan = run.plan;
  figures.sentPackets = run.sent.times.size();
  figures.duplicates = run.received.duplicates;
  figures.reordered = run.received.reordered;
  figures.rate = rateOf(run);
  const std::vector<std::size_t> lost = lostOf(run);
  figures.lostPackets = lost.size();
  figures.losses = summarizeProbe(run.sent.times, lost, rtt);
  return figures;
}

bool isLate(const ProbeRun& run, const ProbeRunFigures& figures) {
  constexpr double kMostOff = 0.05;
  constexpr double kMostLate = 0.01;
  if (run.sent.times.size() < 2) return false;
  if (!figures.rate || std::abs(figures.rate->value() / run.plan.rate().value() - 1.0) > kMostOff) return true;
  std::size_t late = 0;
  Moment due = run.sent.times.front();
  for (const Moment sent : run.sent.times) {
    late += sent - due > run.plan.interval ? 1U : 0U;
    due = due + run.plan.interval;
  }
  return static_cast<double>(late) > kMostLate * static_cast<double>(run.sent.times.size());
}

bool countsDisagree(const ProbeRun& run) {
  const auto named =
      static_cast<std::uint64_t>(std::count(run.received.arrived.begin(), run.received.arrived.end(), true));
  const auto& arrived = run.received.arrived;
  const auto sentEnd = arrived.begin() + static_cast<std::ptrdiff_t>(std::min(arrived.size(), run.sent.times.size()));
  const bool namesUnsent = std::find(sentEnd, arrived.end(), true) != arrived.end();
  return namesUnsent || named + run.received.duplicates != run.received.packets;
}

bool clocksDisagree(const ProbeRun& run, std::optional<Nanoseconds> rtt) {
  constexpr double kMostOff = 0.01;
  const auto& arrived = run.received.arrived;
  const auto first = std::find(arrived.begin(), arrived.end(), true);
  const auto last = std::find(arrived.rbegin(), arrived.rend(), true);
  if (first == arrived.end() || !run.received.span || !rtt) return false;
  const auto from = static_cast<std::size_t>(first - arrived.begin());
  const auto to = arrived.size() - 1 - static_cast<std::size_t>(last - arrived.rbegin());
  if (to >= run.sent.times.size() || from == to) return false;
  const Nanoseconds sent = run.sent.times[to] - run.sent.times[from];
  // Queues on the way stretch it.
  constexpr Nanoseconds kQueues = std::chrono::seconds(1);
  const double off = std::abs(toSeconds(*run.received.span) - toSeconds(sent));
  return off > kMostOff * toSeconds(sent) + toSeconds(*rtt + kQueues);
}

/// Loss ratios of equally long parts of a run, which are independent where bursts are shorter.
std::vector<double> lossBlocks(const ProbeRun& run) {
  constexpr std::size_t kBlocks = 20;
  const std::size_t packets = run.sent.times.size();
  std::vector<double> ratios;
  if (packets < kBlocks) return ratios;
  std::vector<std::uint64_t> lost(kBlocks);
  for (const std::size_t packet : lostOf(run)) ++lost[packet * kBlocks / packets];
  for (const std::uint64_t one : lost) {
    ratios.push_back(static_cast<double>(one * kBlocks) / static_cast<double>(packets));
  }
  return ratios;
}

bool lossDependsOnSize(const std::array<ProbeRun, 2>& runs) {
  const auto compared = compare(lossBlocks(runs[0]), lossBlocks(runs[1]));
  return compared.pValue && *compared.pValue < kDiffers;
}

std::optional<double> clusteredPValueOf(const ProbeRunFigures& figures) {
  if (figures.lostPackets < kFewLosses || !figures.losses.randomDrop) return std::nullopt;
  return figures.losses.randomDrop->clusteredPValue;
}

/// Of a run that has a clusteredPValueOf().
double unevenPValueOf(const ProbeRunFigures& figures) {
  return std::min(figures.losses.randomDrop->unevenPValue(), 1.0);
}

bool patternDependsOnSize(const std::array<ProbeRunFigures, 2>& runs) {
  constexpr double kWouldShow = 0.1;
  const auto small = clusteredPValueOf(runs[0]);
  const auto large = clusteredPValueOf(runs[1]);
  if (!small || !large) return false;
  const auto isRejected = [](const ProbeRunFigures& run, double pValue) {
    // Where losses are many, fewer sets are drawn.
    return pValue <= std::max(kChanceRejected, run.losses.randomDrop->leastPValue());
  };
  return (isRejected(runs[0], *small) && *large > kWouldShow) || (isRejected(runs[1], *large) && *small > kWouldShow);
}

std::vector<ProbeFault> faultsOf(const std::array<ProbeRun, 2>& runs, const ProbeAnalysis& analysis) {
  std::vector<ProbeFault> faults;
  const auto note = [&](ProbeFault fault, const auto& isAtFault) {
    const bool isFound = isAtFault(0) || isAtFault(1);
    if (isFound) faults.push_back(fault);
  };
  note(ProbeFault::nothingArrived,
       [&](std::size_t run) { return !runs[run].sent.times.empty() && runs[run].received.packets == 0; });
  note(ProbeFault::senderLate, [&](std::size_t run) { return isLate(runs[run], analysis.runs[run]); });
  note(ProbeFault::senderRefused, [&](std::size_t run) { return runs[run].sent.refused > 0; });
  note(ProbeFault::receiverOverflowed, [&](std::size_t run) { return runs[run].received.overflowed.value_or(0) > 0; });
  note(ProbeFault::countsDisagree, [&](std::size_t run) { return countsDisagree(runs[run]); });
  note(ProbeFault::clocksDisagree, [&](std::size_t run) { return clocksDisagree(runs[run], analysis.rtt); });
  if (!faults.empty()) return faults;
  if (lossDependsOnSize(runs)) faults.push_back(ProbeFault::lossDependsOnSize);
  if (patternDependsOnSize(analysis.runs)) faults.push_back(ProbeFault::patternDependsOnSize);
  return faults;
}

/// Fisher's: of two independent p-values the one of both together.
double combined(double one, double other) {
  const double product = one * other;
  return product > 0.0 ? product * (1.0 - std::log(product)) : 0.0;
}

void addShares(ProbeAnalysis& analysis) {
  for (const ProbeRunFigures& run : analysis.runs) {
    const auto& intervals = run.losses.intervalsRtt;
    analysis.intervalsRtt.insert(analysis.intervalsRtt.end(), intervals.begin(), intervals.end());
  }
  const auto rate = lossesPerRtt(analysis.intervalsRtt);
  if (!analysis.rtt || !rate) return;
  const double apart = toSeconds(analysis.runs.front().plan.interval) / toSeconds(*analysis.rtt);
  if (apart <= kHundredthRtt) {
    analysis.withinHundredthRtt = ratioWithin(analysis.intervalsRtt, kHundredthRtt);
    analysis.poissonWithinHundredthRtt = poissonRatioWithin(*rate, kHundredthRtt);
  }
  if (apart * kLeastPacketsAnRtt <= kWholeRtt) {
    analysis.withinRtt = ratioWithin(analysis.intervalsRtt, kWholeRtt);
    analysis.poissonWithinRtt = poissonRatioWithin(*rate, kWholeRtt);
  }
}

ProbeVerdict verdictOf(const ProbeAnalysis& analysis) {
  if (!analysis.faults.empty()) return ProbeVerdict::rejected;
  if (analysis.runs[0].lostPackets + analysis.runs[1].lostPackets == 0) return ProbeVerdict::noLoss;
  if (!analysis.rtt) return ProbeVerdict::rttUnknown;
  if (analysis.runs.front().plan.interval * kLeastPacketsAnRtt > *analysis.rtt) return ProbeVerdict::tooFewPackets;
  if (!analysis.clusteredPValue) return ProbeVerdict::tooFewLosses;
  if (*analysis.clusteredPValue <= kChanceRejected) return ProbeVerdict::bursts;
  const bool isLikely =
      *analysis.clusteredPValue > kChanceLikely && analysis.unevenPValue.value_or(0.0) > kChanceLikely;
  return isLikely ? ProbeVerdict::independent : ProbeVerdict::undecided;
}

}  // namespace

std::string_view name(ProbeFault fault) {
  switch (fault) {
    case ProbeFault::nothingArrived:
      return "nothing_arrived";
    case ProbeFault::senderLate:
      return "sender_late";
    case ProbeFault::senderRefused:
      return "sender_refused";
    case ProbeFault::receiverOverflowed:
      return "receiver_overflowed";
    case ProbeFault::countsDisagree:
      return "counts_disagree";
    case ProbeFault::clocksDisagree:
      return "clocks_disagree";
    case ProbeFault::lossDependsOnSize:
      return "loss_depends_on_size";
    case ProbeFault::patternDependsOnSize:
      return "pattern_depends_on_size";
  }
  return "";
}

std::string_view name(ProbeVerdict verdict) {
  switch (verdict) {
    case ProbeVerdict::rejected:
      return "rejected";
    case ProbeVerdict::noLoss:
      return "no_loss";
    case ProbeVerdict::tooFewLosses:
      return "too_few_losses";
    case ProbeVerdict::tooFewPackets:
      return "too_few_packets";
    case ProbeVerdict::rttUnknown:
      return "rtt_unknown";
    case ProbeVerdict::bursts:
      return "bursts";
    case ProbeVerdict::independent:
      return "independent";
    case ProbeVerdict::undecided:
      return "undecided";
  }
  return "";
}

ProbeAnalysis analyzeProbe(const std::array<ProbeRun, 2>& runs) {
  ProbeAnalysis analysis;
  std::vector<Nanoseconds> rtts = runs[0].sent.rtts;
  rtts.insert(rtts.end(), runs[1].sent.rtts.begin(), runs[1].sent.rtts.end());
  analysis.rtt = medianOf(rtts);
  if (!rtts.empty()) analysis.minRtt = *std::min_element(rtts.begin(), rtts.end());
  std::uint64_t sent = 0;
  std::uint64_t lost = 0;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    analysis.runs[run] = figuresOf(runs[run], analysis.rtt);
    sent += analysis.runs[run].sentPackets;
    lost += analysis.runs[run].lostPackets;
  }
  if (sent > 0) analysis.lossRatio = static_cast<double>(lost) / static_cast<double>(sent);
  analysis.lossInterval95 = proportionInterval95(lost, sent);
  addShares(analysis);
  const auto small = clusteredPValueOf(analysis.runs[0]);
  const auto large = clusteredPValueOf(analysis.runs[1]);
  if (small && large) {
    analysis.clusteredPValue = combined(*small, *large);
    analysis.unevenPValue = combined(unevenPValueOf(analysis.runs[0]), unevenPValueOf(analysis.runs[1]));
  }
  analysis.faults = faultsOf(runs, analysis);
  analysis.verdict = verdictOf(analysis);
  return analysis;
}

}  // namespace tcpscope
