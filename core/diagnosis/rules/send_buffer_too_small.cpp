#include "core/diagnosis/rules/send_buffer_too_small.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> sendBufferTooSmall(const DiagnosisInput& input, const Verdict& verdict) {
  if (input.side != Side::sending || verdict.limit != Limit::sendBuffer) return std::nullopt;
  Finding finding{RuleId::sendBufferTooSmall, FindingSeverity::problem, verdict.confidenceRatio, {}};
  finding.evidence.push_back({"send_buffer_ratio", input.window.sending.ratio(Limit::sendBuffer), std::nullopt, {}});
  if (input.socket.memory) {
    finding.evidence.push_back(
        {"send_buffer_bytes", static_cast<double>(input.socket.memory->sendBuffer.value()), std::nullopt, {}});
  }
  if (const auto trip = roundTrip(input.socket, input.window)) {
    finding.evidence.push_back({"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"});
  }
  return finding;
}

}  // namespace tcpscope::rules
