#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/slow_start.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

std::optional<Finding> slowStart(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || verdict.cause != Cause::slowStart) return std::nullopt;
  const auto segments = transferredSegments(evidence);
  const auto trip = rtt(evidence);
  if (!segments || !trip) return std::nullopt;
  return Finding{RuleId::slowStart,
                 FindingSeverity::warning,
                 verdict.confidenceRatio,
                 {{"slow_start_rtts", slowStartRtts(*segments, kInitialWindow),
                   slowStartRtts(*segments, kLargerInitialWindow), "larger_window_rtts"},
                  {"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"}}};
}

std::optional<Finding> idleRestart(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const auto saved = idleRestartRtts(evidence);
  const auto trip = rtt(evidence);
  if (evidence.side != Side::sending || !saved || !trip) return std::nullopt;
  return Finding{RuleId::idleRestart,
                 FindingSeverity::warning,
                 verdict.confidenceRatio,
                 {{"idle_restarts", static_cast<double>(*evidence.idleRestarts), std::nullopt, {}},
                  {"idle_restart_rtts", *saved, std::nullopt, {}},
                  {"congestion_window_bytes", *evidence.congestionWindowBytes.largest(),
                   *evidence.congestionWindowBytes.smallest(), "restart_window_bytes"},
                  {"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"}}};
}

}  // namespace tcpscope::rules
