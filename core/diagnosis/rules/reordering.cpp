#include "core/diagnosis/rules/reordering.h"

#include "core/diagnosis/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> reordering(const DiagnosisInput& input, const Verdict& verdict) {
  const WindowStatistics& window = input.window;
  if (input.side != Side::sending || (window.reorderingEvents == 0 && window.duplicatesReported == 0)) {
    return std::nullopt;
  }
  const bool setsTheRate = verdict.cause == Cause::reordering;
  FindingSeverity severity = FindingSeverity::note;
  if (retransmissionsWereSpurious(window)) severity = FindingSeverity::warning;
  if (setsTheRate) severity = FindingSeverity::problem;
  return Finding{RuleId::reordering,
                 severity,
                 0.85,
                 {{"reord_seen", static_cast<double>(window.reorderingEvents), std::nullopt, {}},
                  {"dsack_dups_segments", static_cast<double>(window.duplicatesReported),
                   static_cast<double>(window.retransmittedSegments), "retransmitted_segments"}}};
}

}  // namespace tcpscope::rules
