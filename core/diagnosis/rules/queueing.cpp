#include "core/diagnosis/rules/queueing.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::rules {

std::optional<Finding> queueing(const DiagnosisInput& input, const Verdict& verdict) {
  if (input.side != Side::sending || input.window.ackedBytes == 0) return std::nullopt;
  // A program that does not send or read delays its acknowledgments, too, and hardly anything of this end is under way
  // that could fill a queue.
  const bool programHoldsBack =
      verdict.limit == Limit::application || verdict.limit == Limit::idle || verdict.cause == Cause::slowReader;
  constexpr std::uint32_t kFewestRoundTrips = 8;
  const auto trip = roundTrip(input.socket, input.window);
  if (programHoldsBack || !trip || input.window.rttUs.count() < kFewestRoundTrips || !pathHasQueue(*trip)) {
    return std::nullopt;
  }
  // A queue as long as the path itself is ordinary for a full path; people notice calls and games above that.
  constexpr double kNoticeableUs = 100'000.0;
  const bool severe = trip->queueUs() >= kNoticeableUs;
  const bool setsTheRate = verdict.cause == Cause::queue;
  FindingSeverity severity = setsTheRate || severe ? FindingSeverity::warning : FindingSeverity::note;
  if (setsTheRate && severe) severity = FindingSeverity::problem;
  // The shortest round trip of a young connection may itself have waited in the queue: then this is too low, never too
  // high.
  return Finding{RuleId::queueing,
                 severity,
                 0.9,
                 {{"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"},
                  {"queue_delay_us", trip->queueUs(), std::nullopt, {}}}};
}

}  // namespace tcpscope::rules
