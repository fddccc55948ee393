#include "core/diagnosis/rules/congestion_window.h"

#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> congestionWindow(const DiagnosisInput& input, const Verdict& verdict) {
  if (input.side != Side::sending || verdict.limit != Limit::network) return std::nullopt;
  const bool explained = verdict.cause != Cause::unknown && verdict.cause != Cause::pathFull;
  if (explained || neededRetransmissions(input.window) > 0) return std::nullopt;
  // BBR and its kind set a pacing rate; their congestion window only guards it.
  if (!mathisAppliesTo(input.socket.congestionControl.text())) return std::nullopt;
  const auto window = input.window.congestionWindowBytes.mean();
  const auto trip = roundTrip(input.socket, input.window);
  if (!window || !trip) return std::nullopt;
  return Finding{RuleId::congestionWindow,
                 FindingSeverity::note,
                 verdict.confidenceRatio,
                 {{"congestion_window_bytes", *window, std::nullopt, {}},
                  {"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"}}};
}

}  // namespace tcpscope::rules
