#include "core/advice/advice.h"

#include <algorithm>

#include "core/advice/remedies.h"
#include "core/diagnosis/bounds/transfer_metrics.h"

namespace tcpscope {

namespace {

/// Below this a verdict is a guess, and a change on it one, too.
constexpr double kFewestConfidence = 0.5;

/// Nothing where the verdict says enough to act on.
std::optional<WhyNoAdvice> refusal(const Verdict& verdict) {
  if (verdict.limit == Limit::unknown) return WhyNoAdvice::verdictUnknown;
  if (verdict.limit == Limit::idle) return WhyNoAdvice::idle;
  // Before the handshake nothing is negotiated, and no data is waiting for a better setting.
  if (verdict.limit == Limit::opening) return WhyNoAdvice::noRemedyKnown;
  if (verdict.confidenceRatio < kFewestConfidence) return WhyNoAdvice::verdictUnsure;
  return std::nullopt;
}

/// By the verdict's own evidence: of a capture there is no other.
bool isTolerableForBbr(const Verdict& verdict) {
  const Evidence* const needed = figureOf(verdict.evidence, "loss_ratio");
  const Evidence* const lost = needed != nullptr ? needed : figureOf(verdict.evidence, "retransmitted_ratio");
  return lost == nullptr || lost->value <= remedies::kLossThatBbrTolerates;
}

WhyNoAdvice whyNone(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  if (verdict.cause == Cause::queue) return WhyNoAdvice::queueOnPath;
  if (input.goal.aim == AdviceAim::latency) return WhyNoAdvice::noRemedyKnown;
  if (verdict.cause == Cause::policer) return WhyNoAdvice::policerOnPath;
  const bool knowsSender = input.evidence.congestionControl.has_value();
  if (verdict.cause == Cause::loss && !knowsSender && isTolerableForBbr(verdict))
    return WhyNoAdvice::congestionControlUnknown;
  const bool knowsBuffer = input.evidence.memory || knowsSender;
  if (verdict.limit == Limit::receiver && input.side() == Side::sending && input.evidence.isLoopback) {
    return WhyNoAdvice::receiverIsHere;
  }
  if (verdict.limit == Limit::sendBuffer && !knowsBuffer) return WhyNoAdvice::sendBufferUnknown;
  if (verdict.cause == Cause::pathFull) return WhyNoAdvice::pathIsFull;
  if (verdict.limit == Limit::application || verdict.cause == Cause::slowReader) {
    return WhyNoAdvice::programSetsThePace;
  }
  return WhyNoAdvice::noRemedyKnown;
}

/// What if: larger segments than the path is known to carry, or several connections.
bool isWhatIf(const Remedy& remedy) {
  return remedy.id == RemedyId::jumboFrames || remedy.id == RemedyId::parallelStreams;
}

/// Known rates before unknown ones, the larger first; of unknown ones those that only the path ends before those that
/// are known to bring little. What takes what is seldom to be had comes last.
bool bringsMore(const Remedy& a, const Remedy& b) {
  if (isWhatIf(a) != isWhatIf(b)) return isWhatIf(b);
  const auto& known = a.gain.to;
  const auto& other = b.gain.to;
  if (known || other) return known && (!other || *known > *other);
  if (a.gain.savesRtts && b.gain.savesRtts) return *a.gain.savesRtts > *b.gain.savesRtts;
  const auto& most = a.gain.atMost;
  const auto& otherMost = b.gain.atMost;
  return otherMost && (!most || *most > *otherMost);
}

std::optional<LossBudget> budgetOf(const AdviceInput& input) {
  const auto& rate = input.goal.targetRate;
  const auto& mss = input.evidence.mss;
  const bool steers = input.evidence.slowsDownForLoss.value_or(false);
  if (input.side() != Side::sending || !rate || !mss || mss->value() == 0 || !steers) return std::nullopt;
  const auto seconds = targetRttOfPath(input);
  if (!seconds) return std::nullopt;
  return lossBudget(*rate, *seconds, static_cast<double>(mss->value()));
}

void addTarget(const AdviceInput& input, SideAdvice& advice) {
  advice.lossBudget = budgetOf(input);
  advice.target = checkTarget(input);
  const auto& rate = input.goal.targetRate;
  if (rate && input.diagnosis.goodput) advice.transferTimeRatio = transferTimeRatio(*input.diagnosis.goodput, *rate);
}

}  // namespace

std::optional<double> targetRttOfPath(const AdviceInput& input) {
  const auto& rtt = input.goal.targetRtt ? input.goal.targetRtt : input.evidence.minRtt;
  if (!rtt || rtt->count() <= 0) return std::nullopt;
  return toSeconds(*rtt);
}

std::string_view name(AdviceAim aim) {
  return aim == AdviceAim::throughput ? "throughput" : "latency";
}

std::string_view name(WhyNoAdvice why) {
  switch (why) {
    case WhyNoAdvice::none:
      return "none";
    case WhyNoAdvice::verdictUnknown:
      return "verdict_unknown";
    case WhyNoAdvice::verdictUnsure:
      return "verdict_unsure";
    case WhyNoAdvice::idle:
      return "idle";
    case WhyNoAdvice::pathIsFull:
      return "path_is_full";
    case WhyNoAdvice::programSetsThePace:
      return "program_sets_the_pace";
    case WhyNoAdvice::queueOnPath:
      return "queue_on_path";
    case WhyNoAdvice::policerOnPath:
      return "policer_on_path";
    case WhyNoAdvice::congestionControlUnknown:
      return "congestion_control_unknown";
    case WhyNoAdvice::sendBufferUnknown:
      return "send_buffer_unknown";
    case WhyNoAdvice::receiverIsHere:
      return "receiver_is_here";
    case WhyNoAdvice::noRemedyKnown:
      break;
  }
  return "no_remedy_known";
}

SideAdvice adviceFor(const AdviceInput& input) {
  SideAdvice advice;
  addTarget(input, advice);
  if (const auto why = refusal(input.verdict())) {
    advice.whyNot = *why;
    return advice;
  }
  for (const RemedyRow& row : remedyCatalogue()) {
    auto remedy = row.aim == input.goal.aim ? row.propose(input) : std::nullopt;
    if (!remedy) continue;
    // No surer than what it answers, and on the same ground where it has none of its own.
    remedy->confidenceRatio = input.verdict().confidenceRatio;
    if (remedy->evidence.empty()) remedy->evidence = input.verdict().evidence;
    advice.remedies.push_back(std::move(*remedy));
  }
  std::stable_sort(advice.remedies.begin(), advice.remedies.end(), bringsMore);
  if (advice.remedies.empty()) advice.whyNot = whyNone(input);
  return advice;
}

ConnectionAdvice adviceFor(const SocketObservation& socket, const WindowStatistics& window,
                           const ConnectionDiagnosis& diagnosis, const SysctlValues& settings, const AdviceGoal& goal) {
  const auto ofSide = [&](const std::optional<SideDiagnosis>& side) {
    if (!side) return std::optional<SideAdvice>();
    return std::optional(adviceFor({kernelEvidence(socket, window, side->side), *side, settings, goal}));
  };
  return {ofSide(diagnosis.sending), ofSide(diagnosis.receiving)};
}

}  // namespace tcpscope
