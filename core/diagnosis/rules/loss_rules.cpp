#include <algorithm>

#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

std::optional<Finding> networkLoss(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || retransmissionsWereSpurious(evidence)) return std::nullopt;
  const auto ratio = lossRatio(evidence);
  const auto lost = neededRetransmissions(evidence);
  if (!ratio || !lost || *lost == 0) return std::nullopt;
  constexpr double kHardlyAny = 1e-4;
  constexpr double kMuch = 0.01;
  const bool setsTheRate = verdict.cause == Cause::loss;
  const bool hardlyAny = *ratio < kHardlyAny && !setsTheRate;
  // A retransmission may have been a tail loss probe: one or two prove little. Nor is it known whether they were needed
  // where the kernel does not report duplicates.
  constexpr std::uint64_t kFew = 3;
  const bool isDoubtful = *lost < kFew || !evidence.duplicateSegments;
  Finding finding{RuleId::networkLoss, FindingSeverity::warning, isDoubtful ? 0.7 : 0.9, {}};
  // A sender probes for bandwidth by losing a packet from time to time, and one that is paced sends on at its pace.
  const bool costsNothing =
      verdict.cause == Cause::pathFull || verdict.cause == Cause::queue || verdict.cause == Cause::pacing;
  if (hardlyAny || costsNothing) finding.severity = FindingSeverity::note;
  const bool isMuch = *ratio >= kMuch && evidence.duplicateSegments;
  if (setsTheRate || isMuch) finding.severity = FindingSeverity::problem;
  finding.evidence = retransmissionFigures(evidence);
  finding.evidence.push_back({"retransmitted_segments", static_cast<double>(retransmissions(evidence)->all),
                              static_cast<double>(*evidence.dataSegments), "data_segs_out_segments"});
  return finding;
}

std::optional<Finding> timeouts(const ConnectionEvidence& evidence, const Verdict& /*verdict*/) {
  if (evidence.side != Side::sending) return std::nullopt;
  const double share = evidence.limits.ratio(Limit::timeout);
  // Where timeouts are counted, time without one was the wait for a tail loss probe, which is no timeout.
  constexpr double kNoticeable = 0.001;
  // Those before the span, whose wait doubled each time, fill it.
  const std::uint64_t before = share >= kNoticeable ? evidence.consecutiveTimeouts.value_or(Count(0)).value() : 0;
  const auto timeouts = evidence.timeouts ? std::optional(std::max(*evidence.timeouts, before)) : std::nullopt;
  if (timeouts ? *timeouts == 0 : share < kNoticeable) return std::nullopt;
  constexpr double kMuch = 0.1;
  Finding finding{RuleId::timeouts, share >= kMuch ? FindingSeverity::problem : FindingSeverity::warning, 0.95, {}};
  if (timeouts) {
    finding.evidence.push_back({"timeouts", static_cast<double>(*timeouts), std::nullopt, {}});
  }
  finding.evidence.push_back({"timeout_ratio", share, std::nullopt, {}});
  return finding;
}

std::optional<Finding> reordering(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const bool setsTheRate = verdict.cause == Cause::reordering;
  // Where nothing overtook anything, needless retransmissions are those of timers and probes.
  const bool isSpurious = retransmissionsWereSpurious(evidence) && evidence.reorderingEvents != 0U;
  if (evidence.side != Side::sending || (!(evidence.reorderingEvents > 0U) && !isSpurious)) return std::nullopt;
  FindingSeverity severity = FindingSeverity::note;
  if (isSpurious) severity = FindingSeverity::warning;
  if (setsTheRate) severity = FindingSeverity::problem;
  Finding finding{RuleId::reordering, severity, 0.85, {}};
  if (evidence.reorderingEvents > 0U) {
    finding.evidence.push_back({"reord_seen", static_cast<double>(*evidence.reorderingEvents), std::nullopt, {}});
  }
  if (evidence.duplicateSegments > 0U && evidence.retransmittedSegments) {
    finding.evidence.push_back({"dsack_dups_segments", static_cast<double>(*evidence.duplicateSegments),
                                static_cast<double>(*evidence.retransmittedSegments), "retransmitted_segments"});
  }
  return finding;
}

}  // namespace tcpscope::rules
