#include "core/diagnosis/rules/receive_buffer_too_small.h"

namespace tcpscope::rules {

std::optional<Finding> receiveBufferTooSmall(const DiagnosisInput& input, const Verdict& verdict) {
  if (input.side != Side::receiving || verdict.limit != Limit::receiver) return std::nullopt;
  return Finding{RuleId::receiveBufferTooSmall, FindingSeverity::problem, verdict.confidenceRatio, verdict.evidence};
}

}  // namespace tcpscope::rules
