#include "core/diagnosis/rules/receiver_window_too_small.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> receiverWindowTooSmall(const DiagnosisInput& input, const Verdict& verdict) {
  const bool bufferAtFault = verdict.cause == Cause::bufferLimit || verdict.cause == Cause::bufferLocked;
  if (input.side != Side::sending || verdict.limit != Limit::receiver || !bufferAtFault) return std::nullopt;
  Finding finding{RuleId::receiverWindowTooSmall, FindingSeverity::problem, verdict.confidenceRatio, {}};
  finding.evidence.push_back({"rwnd_limited_ratio", input.window.sending.ratio(Limit::receiver), std::nullopt, {}});
  if (const auto largest = input.window.peerWindowBytes.largest()) {
    finding.evidence.push_back({"peer_window_largest_bytes", *largest, std::nullopt, {}});
  }
  if (const auto trip = roundTrip(input.socket, input.window)) {
    finding.evidence.push_back({"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"});
  }
  return finding;
}

}  // namespace tcpscope::rules
