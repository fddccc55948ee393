#include "core/diagnosis/rules/application_too_slow.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> applicationTooSlow(const DiagnosisInput& input, const Verdict& verdict) {
  if (input.side != Side::sending || verdict.limit != Limit::application) return std::nullopt;
  const LimitShares& shares = input.window.sending;
  // Most programs have nothing to send most of the time: that is worth knowing, and no fault.
  Finding finding{RuleId::applicationTooSlow, FindingSeverity::note, verdict.confidenceRatio, {}};
  finding.evidence.push_back(
      {"application_ratio", shares.ratio(Limit::application) + shares.ratio(Limit::idle), std::nullopt, {}});
  if (verdict.goodput && verdict.possible) {
    finding.evidence.push_back({"goodput_bps", verdict.goodput->value(), verdict.possible->value(), "possible_bps"});
  }
  return finding;
}

}  // namespace tcpscope::rules
