#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/limits/socket_state.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

namespace {

/// Neither a clamp nor the scale keeps the window small.
bool isOfBuffer(const Verdict& verdict) {
  return verdict.limit == Limit::receiver &&
         (verdict.cause == Cause::bufferLimit || verdict.cause == Cause::bufferLocked);
}

}  // namespace

std::optional<Finding> receiverWindowTooSmall(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || !isOfBuffer(verdict)) return std::nullopt;
  Finding finding{RuleId::receiverWindowTooSmall, FindingSeverity::problem, verdict.confidenceRatio, {}};
  finding.evidence.push_back({"rwnd_limited_ratio", evidence.limits.ratio(Limit::receiver), std::nullopt, {}});
  if (const auto largest = evidence.receiveWindowBytes.largest()) {
    finding.evidence.push_back({"peer_window_largest_bytes", *largest, std::nullopt, {}});
  }
  if (const auto trip = rtt(evidence)) {
    finding.evidence.push_back({"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"});
  }
  return finding;
}

std::optional<Finding> windowScaleCapsWindow(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const auto largest = evidence.receiveWindowBytes.largest();
  if (!windowStandsAtCeiling(evidence)) return std::nullopt;
  const double ceiling = windowCeilingBytes(*evidence.windowScale);
  const bool isLimit = verdict.limit == Limit::receiver;
  const bool sends = evidence.side == Side::sending;
  return Finding{
      RuleId::windowScaleCapsWindow,
      isLimit ? FindingSeverity::problem : FindingSeverity::note,
      isLimit ? verdict.confidenceRatio : 1.0,
      {{sends ? "peer_window_largest_bytes" : "own_window_largest_bytes", *largest, ceiling, "window_ceiling_bytes"},
       {"window_scale", static_cast<double>(evidence.windowScale->value()), std::nullopt, {}}}};
}

std::optional<Finding> receiveBufferTooSmall(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::receiving || !isOfBuffer(verdict)) return std::nullopt;
  return Finding{RuleId::receiveBufferTooSmall, FindingSeverity::problem, verdict.confidenceRatio, verdict.evidence};
}

}  // namespace tcpscope::rules
