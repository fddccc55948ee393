#include "core/diagnosis/rules/receiving_application_too_slow.h"

namespace tcpscope::rules {

std::optional<Finding> receivingApplicationTooSlow(const DiagnosisInput& /*input*/, const Verdict& verdict) {
  if (verdict.cause != Cause::slowReader) return std::nullopt;
  // What told the verdict a slow reader from a small buffer is the evidence here, too.
  return Finding{RuleId::receivingApplicationTooSlow, FindingSeverity::problem, verdict.confidenceRatio,
                 verdict.evidence};
}

}  // namespace tcpscope::rules
