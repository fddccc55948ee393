#include "core/session/capture/destination_openings.h"

#include <algorithm>

#include "core/wire/flow/rtt_summary.h"

namespace tcpscope {

namespace {

/// Known of an attempt that failed; a SYN at the end of the capture may yet be answered.
bool hasFailed(const ConnectionAnalysis& analysis, Cause cause) {
  return std::any_of(analysis.directions.begin(), analysis.directions.end(),
                     [cause](const DirectionAnalysis& direction) {
                       const Verdict& verdict = direction.diagnosis.verdict;
                       return verdict.limit == Limit::opening && verdict.cause == cause;
                     });
}

}  // namespace

void OpeningTally::add(const ConnectionAnalysis& analysis) {
  const ConnectionSummary& flow = analysis.flow;
  const bool isRefused = hasFailed(analysis, Cause::refused);
  const bool isUnanswered = hasFailed(analysis, Cause::noResponse);
  if (!flow.connectTime && !isRefused && !isUnanswered) return;
  auto place = m_destinations.find(flow.responder);
  if (place == m_destinations.end()) {
    if (m_destinations.size() >= kMostDestinations) {
      ++m_leftOut;
      return;
    }
    place = m_destinations.try_emplace(flow.responder).first;
  }
  Openings& openings = place->second;
  if (isRefused) ++openings.refused;
  if (isUnanswered) ++openings.unanswered;
  if (!flow.connectTime) return;
  openings.connect.add(*flow.connectTime);
  if (flow.repeatsSyn()) ++openings.repeated;
  if (flow.firstByteTime) openings.firstByte.add(*flow.firstByteTime);
}

std::vector<DestinationOpenings> OpeningTally::worstFirst() const {
  std::vector<DestinationOpenings> all;
  all.reserve(m_destinations.size());
  for (const auto& [remote, openings] : m_destinations) {
    all.push_back({remote, openings.connect.count(), openings.repeated, openings.refused, openings.unanswered,
                   summaryOf(openings.connect), summaryOf(openings.firstByte)});
  }
  const auto failed = [](const DestinationOpenings& one) { return one.refused + one.unanswered; };
  const auto slow = [](const DestinationOpenings& one) { return one.connect ? one.connect->p95 : Nanoseconds::zero(); };
  std::stable_sort(all.begin(), all.end(), [&](const DestinationOpenings& left, const DestinationOpenings& right) {
    if (failed(left) != failed(right)) return failed(left) > failed(right);
    return slow(left) > slow(right);
  });
  return all;
}

}  // namespace tcpscope
