#include "core/diagnosis/rules/ecn_marks.h"

namespace tcpscope::rules {

std::optional<Finding> ecnMarks(const DiagnosisInput& input, const Verdict& /*verdict*/) {
  const WindowStatistics& window = input.window;
  if (input.side != Side::sending || window.markedSegments == 0 || window.deliveredSegments == 0) return std::nullopt;
  const double share = static_cast<double>(window.markedSegments) / static_cast<double>(window.deliveredSegments);
  constexpr double kMuch = 0.01;
  return Finding{RuleId::ecnMarks,
                 share >= kMuch ? FindingSeverity::warning : FindingSeverity::note,
                 0.95,
                 {{"delivered_ce_ratio", share, std::nullopt, {}}}};
}

}  // namespace tcpscope::rules
