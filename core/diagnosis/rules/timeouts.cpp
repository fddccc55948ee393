#include "core/diagnosis/rules/timeouts.h"

namespace tcpscope::rules {

std::optional<Finding> timeouts(const DiagnosisInput& input, const Verdict& /*verdict*/) {
  if (input.side != Side::sending) return std::nullopt;
  const double share = input.window.sending.ratio(Limit::timeout);
  // The wait for a probe of the tail is one for a timer, too; without a timeout it has to be worth a word.
  constexpr double kWorthTelling = 0.001;
  if (input.window.timeouts == 0 && share < kWorthTelling) return std::nullopt;
  constexpr double kMuch = 0.1;
  return Finding{RuleId::timeouts,
                 share >= kMuch ? FindingSeverity::problem : FindingSeverity::warning,
                 0.95,
                 {{"timeouts", static_cast<double>(input.window.timeouts), std::nullopt, {}},
                  {"timeout_ratio", share, std::nullopt, {}}}};
}

}  // namespace tcpscope::rules
