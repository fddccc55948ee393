#include "core/diagnosis/rules/pacing_limit.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> pacingLimit(const DiagnosisInput& input, const Verdict& verdict) {
  if (input.side != Side::sending || verdict.cause != Cause::pacing) return std::nullopt;
  const auto limit = input.socket.info.maxPacingRate();
  const auto rate = spanRate(input.window.ackedBytes, input.window);
  if (!limit || !rate) return std::nullopt;
  return Finding{RuleId::pacingLimit,
                 FindingSeverity::problem,
                 verdict.confidenceRatio,
                 {{"goodput_bps", rate->value(), limit->value(), "max_pacing_rate_bps"}}};
}

}  // namespace tcpscope::rules
