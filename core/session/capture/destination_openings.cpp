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

ConnectionOpening openingOf(const ConnectionAnalysis& analysis) {
  const ConnectionSummary& flow = analysis.flow;
  ConnectionOpening opening;
  opening.remote = flow.responder;
  opening.isRefused = hasFailed(analysis, Cause::refused);
  opening.isUnanswered = hasFailed(analysis, Cause::noResponse);
  opening.repeatsSyn = flow.repeatsSyn();
  opening.connect = flow.connectTime;
  opening.firstByte = flow.firstByteTime;
  return opening;
}

void OpeningTally::add(const ConnectionOpening& opening) {
  if (!opening.connect && !opening.isRefused && !opening.isUnanswered && !opening.hasFailed) return;
  auto place = m_destinations.find(opening.remote);
  if (place == m_destinations.end()) {
    if (m_destinations.size() >= kMostDestinations) {
      ++m_leftOut;
      return;
    }
    place = m_destinations.try_emplace(opening.remote).first;
  }
  Openings& openings = place->second;
  if (opening.isRefused) ++openings.refused;
  if (opening.isUnanswered) ++openings.unanswered;
  if (opening.hasFailed) ++openings.failed;
  if (!opening.connect) return;
  openings.connect.add(*opening.connect);
  if (opening.repeatsSyn) ++openings.repeated;
  if (opening.firstByte) openings.firstByte.add(*opening.firstByte);
}

std::vector<DestinationOpenings> OpeningTally::worstFirst() const {
  std::vector<DestinationOpenings> all;
  all.reserve(m_destinations.size());
  for (const auto& [remote, openings] : m_destinations) {
    all.push_back({remote, openings.connect.count(), openings.repeated, openings.refused, openings.unanswered,
                   openings.failed, summaryOf(openings.connect), summaryOf(openings.firstByte)});
  }
  const auto failed = [](const DestinationOpenings& one) { return one.refused + one.unanswered + one.failed; };
  const auto slow = [](const DestinationOpenings& one) { return one.connect ? one.connect->p95 : Nanoseconds::zero(); };
  std::stable_sort(all.begin(), all.end(), [&](const DestinationOpenings& left, const DestinationOpenings& right) {
    if (failed(left) != failed(right)) return failed(left) > failed(right);
    return slow(left) > slow(right);
  });
  return all;
}

}  // namespace tcpscope
