#include <algorithm>

#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

namespace {

/// The queue on the path, there and back, with how severe it is; nothing where there is none to speak of.
std::optional<Finding> queueOnThePath(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const bool dataMoved = evidence.bytes > 0U;
  // On the loopback interface there is no path: what delays there are the programs.
  if (evidence.side != Side::sending || !dataMoved || evidence.isLoopback) return std::nullopt;
  // An application that does not send or read delays its acknowledgments, too, and hardly anything of this end is in
  // flight that could fill a queue.
  const bool isApplication =
      verdict.limit == Limit::application || verdict.limit == Limit::idle || verdict.cause == Cause::slowReader;
  constexpr std::uint32_t kFewestRtts = 8;
  const auto trip = rtt(evidence);
  if (isApplication || !trip || evidence.rttUs.count() < kFewestRtts || !pathHasQueue(*trip)) {
    return std::nullopt;
  }
  // A queue as long as the path itself is ordinary for a saturated bottleneck; users notice calls and games above that.
  constexpr double kNoticeableUs = 100'000.0;
  const bool severe = trip->queueUs() >= kNoticeableUs;
  const bool setsTheRate = verdict.cause == Cause::queue;
  FindingSeverity severity = setsTheRate || severe ? FindingSeverity::warning : FindingSeverity::note;
  if (setsTheRate && severe) severity = FindingSeverity::problem;
  // The minimum RTT of a young connection may itself include the queue: then this is too low, never too high.
  return Finding{RuleId::queueing,
                 severity,
                 0.9,
                 {{"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"},
                  {"queue_delay_us", trip->queueUs(), std::nullopt, {}}}};
}

}  // namespace

std::optional<Finding> queueing(const ConnectionEvidence& evidence, const Verdict& verdict) {
  return queueIsOnReturnPath(evidence) ? std::nullopt : queueOnThePath(evidence, verdict);
}

std::optional<Finding> returnPathQueue(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (!queueIsOnReturnPath(evidence)) return std::nullopt;
  auto finding = queueOnThePath(evidence, verdict);
  if (!finding) return std::nullopt;
  finding->rule = RuleId::returnPathQueue;
  // Before the unit of the timestamps was known, the RTT alone was measured.
  const double queueUs = rtt(evidence)->queueUs();
  const double returnUs = std::min(static_cast<double>(evidence.returnQueue->count()), queueUs);
  finding->evidence.push_back({"return_queue_us", returnUs, std::nullopt, {}});
  return finding;
}

std::optional<Finding> congestionWindow(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || verdict.limit != Limit::network) return std::nullopt;
  const bool isClamped = verdict.cause == Cause::cwndClamp;
  const bool explained = verdict.cause != Cause::unknown && verdict.cause != Cause::pathFull && !isClamped;
  if (explained || neededRetransmissions(evidence) != 0U) return std::nullopt;
  // BBR and its kind set a pacing rate; their congestion window only guards it.
  if (!evidence.slowsDownForLoss.value_or(false)) return std::nullopt;
  const auto window = evidence.congestionWindowBytes.mean();
  const auto trip = rtt(evidence);
  if (!window || !trip) return std::nullopt;
  return Finding{RuleId::congestionWindow,
                 isClamped ? FindingSeverity::problem : FindingSeverity::note,
                 verdict.confidenceRatio,
                 {{"congestion_window_bytes", *window, std::nullopt, {}},
                  {"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"}}};
}

std::optional<Finding> pacingLimit(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || verdict.cause != Cause::pacing) return std::nullopt;
  const auto& limit = evidence.maxPacingRate;
  const auto rate = goodputOf(evidence);
  if (!limit || !rate) return std::nullopt;
  return Finding{RuleId::pacingLimit,
                 FindingSeverity::problem,
                 verdict.confidenceRatio,
                 {{"goodput_bps", rate->value(), limit->value(), "max_pacing_rate_bps"}}};
}

std::optional<Finding> ecnMarks(const ConnectionEvidence& evidence, const Verdict& /*verdict*/) {
  const auto& marked = evidence.ceMarkedSegments;
  const auto& delivered = evidence.deliveredSegments;
  if (evidence.side != Side::sending || !marked || !delivered || *marked == 0 || *delivered == 0) return std::nullopt;
  const double share = static_cast<double>(*marked) / static_cast<double>(*delivered);
  constexpr double kMuch = 0.01;
  return Finding{RuleId::ecnMarks,
                 share >= kMuch ? FindingSeverity::warning : FindingSeverity::note,
                 0.95,
                 {{"delivered_ce_ratio", share, std::nullopt, {}}}};
}

}  // namespace tcpscope::rules
