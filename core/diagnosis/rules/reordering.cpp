#include "core/diagnosis/rules/reordering.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> reordering(const DiagnosisInput& input, const Verdict& verdict) {
  const WindowStatistics& window = input.window;
  const bool setsTheRate = verdict.cause == Cause::reordering;
  const bool isSeen = window.reorderingEvents > 0 || retransmissionsWereSpurious(window);
  if (input.side != Side::sending || !isSeen) return std::nullopt;
  FindingSeverity severity = FindingSeverity::note;
  if (retransmissionsWereSpurious(window)) severity = FindingSeverity::warning;
  if (setsTheRate) severity = FindingSeverity::problem;
  Finding finding{RuleId::reordering, severity, 0.85, {}};
  if (window.reorderingEvents > 0) {
    finding.evidence.push_back({"reord_seen", static_cast<double>(window.reorderingEvents), std::nullopt, {}});
  }
  if (window.duplicatesReported > 0) {
    finding.evidence.push_back({"dsack_dups_segments", static_cast<double>(window.duplicatesReported),
                                static_cast<double>(window.retransmittedSegments), "retransmitted_segments"});
  }
  return finding;
}

}  // namespace tcpscope::rules
