#include "core/diagnosis/rules/network_loss.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> networkLoss(const DiagnosisInput& input, const Verdict& verdict) {
  if (input.side != Side::sending || retransmissionsWereSpurious(input.window)) return std::nullopt;
  const auto ratio = lossRatio(input.window);
  const std::uint64_t lost = neededRetransmissions(input.window);
  if (!ratio || lost == 0) return std::nullopt;
  constexpr double kHardlyAny = 1e-4;
  constexpr double kMuch = 0.01;
  const bool setsTheRate = verdict.cause == Cause::loss;
  const bool hardlyAny = *ratio < kHardlyAny && !setsTheRate;
  // A retransmission may have been a probe at the end of a transfer: one or two prove little.
  constexpr std::uint64_t kFew = 3;
  Finding finding{RuleId::networkLoss, FindingSeverity::warning, lost < kFew ? 0.7 : 0.9, {}};
  // A sender finds the end of a full path by losing a packet now and then.
  const bool isProbing = verdict.cause == Cause::pathFull || verdict.cause == Cause::queue;
  if (hardlyAny || isProbing) finding.severity = FindingSeverity::note;
  if (setsTheRate || *ratio >= kMuch) finding.severity = FindingSeverity::problem;
  finding.evidence.push_back({"retransmitted_ratio", *ratio, std::nullopt, {}});
  finding.evidence.push_back({"retransmitted_segments", static_cast<double>(lost),
                              static_cast<double>(input.window.dataSegmentsOut), "data_segs_out_segments"});
  return finding;
}

}  // namespace tcpscope::rules
