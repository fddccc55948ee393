#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

std::optional<Finding> sendBufferTooSmall(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || verdict.limit != Limit::sendBuffer) return std::nullopt;
  Finding finding{RuleId::sendBufferTooSmall, FindingSeverity::problem, verdict.confidenceRatio, {}};
  finding.evidence.push_back({"send_buffer_ratio", evidence.limits.ratio(Limit::sendBuffer), std::nullopt, {}});
  if (const auto& memory = evidence.memory) {
    finding.evidence.push_back(
        {"send_buffer_bytes", static_cast<double>(memory->sendBuffer.value()), std::nullopt, {}});
  }
  if (const auto& waits = evidence.waits) {
    finding.evidence.push_back({"refilled_ratio", waits->refilledRatio, std::nullopt, {}});
  }
  if (const auto trip = rtt(evidence)) {
    finding.evidence.push_back({"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"});
  }
  return finding;
}

std::optional<Finding> bufferLocked(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (!evidence.hasLockedBuffer()) return std::nullopt;
  const bool sends = evidence.side == Side::sending;
  const bool isLimit =
      verdict.limit == (sends ? Limit::sendBuffer : Limit::receiver) && verdict.cause != Cause::windowClamp;
  // The kernel reports the lock; whether it costs anything is as sure as the verdict.
  Finding finding{RuleId::bufferLocked,
                  isLimit ? FindingSeverity::problem : FindingSeverity::note,
                  isLimit ? verdict.confidenceRatio : 1.0,
                  {}};
  if (const auto& memory = evidence.memory) {
    const Bytes size = sends ? memory->sendBuffer : memory->receiveBuffer;
    finding.evidence.push_back(
        {sends ? "send_buffer_bytes" : "receive_buffer_bytes", static_cast<double>(size.value()), std::nullopt, {}});
  }
  return finding;
}

}  // namespace tcpscope::rules
