#include "tests/lab/capture_judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tcpscope::lab {

namespace {

/// Of data with one number, found by the number that it begins with: the path and every capture point see the same
/// packets.
struct Drops {
  /// Have to show.
  std::size_t visible = 0;
  /// Of repairs whose original came after all: whether that or its repair is acknowledged does not always show.
  std::size_t ofRepairsInVain = 0;
};

using ByNumber = std::map<std::uint32_t, Drops>;

using Identifications = std::vector<std::uint16_t>;

/// Where among those that passed; nothing for one that did not.
std::optional<std::size_t> placeOf(const Identifications& passed, std::uint16_t packet) {
  const auto found = std::find(passed.begin(), passed.end(), packet);
  if (found == passed.end()) return std::nullopt;
  return static_cast<std::size_t>(found - passed.begin());
}

/// Of what was sent before the packet that brought this data to the receiver, what is lost: the rest was sent for
/// nothing, and its drop shows nowhere.
Identifications lostBeforeArrival(const CapturedRun& run, std::uint32_t number, const Identifications& sent,
                                  std::size_t& inVain) {
  const DataPackets& receiver = run.captures.back()->passed;
  const auto found = receiver.byNumber.find(number);
  Identifications arrived = found == receiver.byNumber.end() ? Identifications() : found->second;
  std::erase_if(arrived, [&](std::uint16_t packet) { return receiver.refused.count({number, packet}) > 0; });
  Identifications lost;
  bool hasArrived = false;
  for (const std::uint16_t packet : sent) {
    hasArrived = hasArrived || (!arrived.empty() && packet == arrived.front());
    if (placeOf(arrived, packet)) continue;
    if (hasArrived) ++inVain;
    if (!hasArrived) lost.push_back(packet);
  }
  return lost;
}

/// A loss shows where a later packet with the same data passes: behind the point by what is seen twice, before it by a
/// hole that is filled, however many were lost for it.
std::size_t visibleAt(const DataPackets& point, std::uint32_t number, const Identifications& sent,
                      const Identifications& lost) {
  const auto found = point.byNumber.find(number);
  if (found == point.byNumber.end()) return 0;
  const Identifications& passed = found->second;
  const bool fillsHole = point.lateNumbers.count(number) > 0 && passed.front() != sent.front();
  std::size_t behind = 0;
  bool isBefore = false;
  for (const std::uint16_t packet : lost) {
    const auto place = placeOf(passed, packet);
    if (!place) isBefore = true;
    if (place && *place + 1 < passed.size()) ++behind;
  }
  return behind + (isBefore && fillsHole ? 1 : 0);
}

ByNumber dropsByNumber(const CapturedRun& run, std::size_t vantage) {
  ByNumber drops;
  if (!run.captures.at(vantage) || !run.captures.front() || !run.captures.back()) return drops;
  for (const auto& [number, sent] : run.captures.front()->passed.byNumber) {
    Drops ofNumber;
    const Identifications lost = lostBeforeArrival(run, number, sent, ofNumber.ofRepairsInVain);
    ofNumber.visible = visibleAt(run.captures.at(vantage)->passed, number, sent, lost);
    if (ofNumber.visible + ofNumber.ofRepairsInVain > 0) drops[number] = ofNumber;
  }
  return drops;
}

bool isLoss(const Retransmission& again) {
  return again.trigger != RetransmissionCause::syn && !again.isSpurious && again.payloadBytes > 0;
}

/// What the kernel's counters distinguish.
enum class Trigger : std::uint8_t { evidence, timer, probe, other };

Trigger triggerOf(RetransmissionCause cause) {
  switch (cause) {
    case RetransmissionCause::fast:
    case RetransmissionCause::recovery:
      return Trigger::evidence;
    case RetransmissionCause::timeout:
      return Trigger::timer;
    case RetransmissionCause::tailLossProbe:
      return Trigger::probe;
    default:
      return Trigger::other;
  }
}

std::uint64_t surplus(std::uint64_t counted, std::uint64_t truth) {
  return counted > truth ? counted - truth : 0;
}

CauseJudgement againstKernel(const DirectionSummary& sent, const KernelCounts& kernel, bool verbose) {
  std::array<std::uint64_t, 4> counted{};
  for (const Retransmission& again : sent.retransmissions) {
    if (again.trigger != RetransmissionCause::syn) ++counted.at(static_cast<std::size_t>(triggerOf(again.trigger)));
  }
  const std::uint64_t probes = surplus(kernel.all, kernel.byEvidence + kernel.byTimeout);
  CauseJudgement judgement;
  judgement.all = counted[0] + counted[1] + counted[2] + counted[3];
  // Each that is named wrongly is one too many of a cause.
  judgement.wrong = surplus(counted[0], kernel.byEvidence) + surplus(counted[1], kernel.byTimeout) +
                    surplus(counted[2], probes) + counted[3];
  if (verbose) {
    fmt::print("    evidence {} (kernel {}), timer {} ({}), probe {} ({}), unknown {}\n", counted[0], kernel.byEvidence,
               counted[1], kernel.byTimeout, counted[2], probes, counted[3]);
  }
  return judgement;
}

/// The sender's record of the same data nearest in time.
const Retransmission* sameAt(const std::vector<Retransmission>& sender, const Retransmission& again) {
  const Retransmission* nearest = nullptr;
  const auto distance = [&](const Retransmission& one) {
    const Nanoseconds apart = again.time - one.time;
    return apart < Nanoseconds::zero() ? -apart : apart;
  };
  for (const Retransmission& one : sender) {
    if (onTheWire(one.begin) != onTheWire(again.begin)) continue;
    if (nearest == nullptr || distance(one) < distance(*nearest)) nearest = &one;
  }
  return nearest;
}

bool isPath(Limit limit) {
  return limit == Limit::network || limit == Limit::recovery || limit == Limit::timeout;
}

void reportMissed(const CapturedRun& run, std::size_t vantage, std::uint32_t number) {
  fmt::print("    {}: missed at {}\n", name(kVantages.at(vantage)), number);
  for (const PathEvent& drop : run.drops) {
    if (drop.sequence == number) fmt::print("      dropped by {}\n", run.links.at(drop.link));
  }
  for (std::size_t at = 0; at < kVantages.size(); ++at) {
    if (!run.captures.at(at)) continue;
    for (const Retransmission& again : run.captures.at(at)->sent().retransmissions) {
      if (onTheWire(again.begin) != number) continue;
      fmt::print("      {} at {:.4f}: {}{}{}\n", name(kVantages.at(at)), again.time.seconds(), name(again.trigger),
                 again.isSpurious ? ", spurious" : "", again.originalWasSeen ? "" : ", fills a hole");
    }
  }
}

}  // namespace

DropJudgement& DropJudgement::operator+=(const DropJudgement& other) {
  logged += other.logged;
  visible += other.visible;
  found += other.found;
  invented += other.invented;
  return *this;
}

DropJudgement judgeDrops(const CapturedRun& run, std::size_t vantage, bool verbose) {
  DropJudgement judgement;
  judgement.logged = run.drops.size();
  if (!run.captures.at(vantage)) return judgement;
  std::map<std::uint32_t, std::size_t> reported;
  for (const Retransmission& again : run.captures.at(vantage)->sent().retransmissions) {
    if (isLoss(again)) ++reported[onTheWire(again.begin)];
  }
  ByNumber drops = dropsByNumber(run, vantage);
  for (const auto& [number, count] : reported) drops.try_emplace(number);
  for (const auto& [number, ofNumber] : drops) {
    const std::size_t count = reported[number];
    const std::size_t truth = ofNumber.visible + std::min(ofNumber.ofRepairsInVain, surplus(count, ofNumber.visible));
    judgement.visible += truth;
    judgement.found += std::min(count, truth);
    judgement.invented += surplus(count, truth);
    if (verbose && count > truth) fmt::print("    {}: invented at {}\n", name(kVantages.at(vantage)), number);
    if (verbose && count < truth) reportMissed(run, vantage, number);
  }
  return judgement;
}

CauseJudgement& CauseJudgement::operator+=(const CauseJudgement& other) {
  all += other.all;
  wrong += other.wrong;
  return *this;
}

CauseJudgement judgeCauses(const CapturedRun& run, std::size_t vantage, bool verbose) {
  if (!run.captures.at(vantage) || !run.captures[0] || !run.kernel) return {};
  const DirectionSummary& sent = run.captures.at(vantage)->sent();
  if (kVantages.at(vantage) == Vantage::sender) return againstKernel(sent, *run.kernel, verbose);
  CauseJudgement judgement;
  for (const Retransmission& again : sent.retransmissions) {
    if (again.trigger == RetransmissionCause::syn) continue;
    ++judgement.all;
    const Retransmission* truth = sameAt(run.captures[0]->sent().retransmissions, again);
    const bool isRight = truth != nullptr && triggerOf(truth->trigger) == triggerOf(again.trigger);
    if (!isRight) ++judgement.wrong;
    if (!isRight && verbose) {
      fmt::print("    {}: {} at {} is {}\n", name(kVantages.at(vantage)), name(again.trigger), onTheWire(again.begin),
                 truth == nullptr ? "none" : name(truth->trigger));
    }
  }
  return judgement;
}

std::string answerText(const Answer& answer) {
  return fmt::format("{}/{} {:.2f}", name(answer.limit), name(answer.cause), answer.confidenceRatio);
}

VerdictJudgement judgeVerdict(const CapturedRun& run, std::size_t vantage) {
  if (!run.captures.at(vantage)) return {VerdictOutcome::withoutCandidate, "not captured"};
  const Verdict& verdict = run.captures.at(vantage)->diagnosis().verdict;
  const Answer& live = run.live->sender;
  if (verdict.limit == Limit::unknown) {
    const bool isNamed = std::any_of(verdict.candidates.begin(), verdict.candidates.end(), [&](Limit one) {
      return one == live.limit || (isPath(one) && isPath(live.limit));
    });
    std::string text = isNamed ? "unknown" : "unknown, NOT";
    for (const Limit one : verdict.candidates) text += fmt::format(" {}", name(one).substr(0, 3));
    return {isNamed ? VerdictOutcome::unknown : VerdictOutcome::withoutCandidate, text};
  }
  const bool isSame = verdict.limit == live.limit && (verdict.cause == live.cause || verdict.cause == Cause::unknown);
  return {isSame ? VerdictOutcome::same : VerdictOutcome::different,
          fmt::format("{}{}", isSame ? "same " : "DIFFERENT ",
                      answerText({verdict.limit, verdict.cause, verdict.confidenceRatio}))};
}

void VerdictTally::add(VerdictOutcome outcome) {
  switch (outcome) {
    case VerdictOutcome::same:
      ++same;
      break;
    case VerdictOutcome::unknown:
      ++unknown;
      break;
    case VerdictOutcome::withoutCandidate:
      ++withoutCandidate;
      break;
    case VerdictOutcome::different:
      ++different;
      break;
  }
}

void reportWaits(const CapturedRun& run) {
  for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
    if (!run.captures.at(vantage)) continue;
    const CapturedTransfer& transfer = *run.captures.at(vantage);
    fmt::print("      {:<9} judged {}:", name(kVantages.at(vantage)), name(transfer.analysis.flow.vantage));
    for (const Limit limit : kLimits) {
      const double share = transfer.diagnosis().limits.ratio(limit);
      if (share > 0.005) fmt::print(" {} {:.2f}", name(limit), share);
    }
    const DirectionSummary& sent = transfer.sent();
    fmt::print("; {} packets, {} again", sent.sent.dataPackets.value(), sent.retransmissions.size());
    if (sent.rtt) {
      fmt::print(", rtt {:.1f}..{:.1f} ms", toSeconds(sent.rtt->min) * 1e3, toSeconds(sent.rtt->median) * 1e3);
    }
    fmt::print("\n");
  }
}

}  // namespace tcpscope::lab
