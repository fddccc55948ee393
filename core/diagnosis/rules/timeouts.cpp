#include "core/diagnosis/rules/timeouts.h"

namespace tcpscope::rules {

std::optional<Finding> timeouts(const DiagnosisInput& input, const Verdict& /*verdict*/) {
  if (input.side != Side::sending) return std::nullopt;
  const double share = input.window.sending.ratio(Limit::timeout);
  if (input.window.timeouts == 0 && share <= 0.0) return std::nullopt;
  constexpr double kMuch = 0.1;
  return Finding{RuleId::timeouts,
                 share >= kMuch ? FindingSeverity::problem : FindingSeverity::warning,
                 0.95,
                 {{"timeouts", static_cast<double>(input.window.timeouts), std::nullopt, {}},
                  {"timeout_ratio", share, std::nullopt, {}}}};
}

}  // namespace tcpscope::rules
