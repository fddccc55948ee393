#include "core/session/path_watch.h"

#include <utility>

#include "core/diagnosis/evidence/kernel_evidence.h"

namespace tcpscope {

namespace {

ConnectionEvidence evidenceOf(const SocketObservation& socket, const TrackedConnection* tracked) {
  const bool isSampled = tracked != nullptr && tracked->activity;
  return kernelEvidence(socket, isSampled ? tracked->activity->window() : WindowStatistics(), Side::sending);
}

}  // namespace

bool PathWatch::isFull() const {
  // Between two calls; bounded in case no caller takes them.
  constexpr std::size_t kMostSightings = 100'000;
  return m_seen.size() >= kMostSightings;
}

void PathWatch::note(const std::vector<std::uint32_t>& touched) {
  for (const std::uint32_t slot : touched) {
    if (slot >= m_noted.size()) m_noted.resize(slot + 1, false);
    m_noted[slot] = true;
  }
}

void PathWatch::lookAtEnd(ConnectionTracker& tracker, const ConnectionList& list, const ClockPair& clock,
                          const ClosedSocket& closed) {
  const TrackedConnection* tracked = tracker.find(closed.id);
  const bool hasWord = closed.last && !closed.last->info.empty();
  if (isFull() || (tracked == nullptr && !hasWord) || (tracked != nullptr && tracked->closedAt)) return;
  const SocketObservation last = hasWord ? *closed.last : tracked->last.unpack();
  const SightedVerdict verdict = tracked != nullptr ? list.verdict(tracked->slot, closed.id) : SightedVerdict();
  auto sighting = sightingOf(last, evidenceOf(last, tracked), verdict, clock.wallAt(closed.closedAt));
  if (!sighting) return;
  if (tracked != nullptr) sighting->lossEvents = tracker.takeLossEvents(tracked->slot);
  m_seen.push_back(*sighting);
}

std::vector<PathSighting> PathWatch::take(ConnectionTracker& tracker, const ConnectionList& list,
                                          const ClockPair& clock, Moment now) {
  m_polledAt = now;
  for (std::uint32_t slot = 0; slot < m_noted.size(); ++slot) {
    const TrackedConnection* tracked = m_noted[slot] ? tracker.inSlot(slot) : nullptr;
    m_noted[slot] = false;
    // The end of one that closed was looked at when it came.
    if (tracked == nullptr || tracked->closedAt || isFull()) continue;
    const SocketObservation last = tracked->last.unpack();
    auto sighting = sightingOf(last, evidenceOf(last, tracked), list.verdict(slot, last.id), clock.wallAt(now));
    if (!sighting) continue;
    sighting->lossEvents = tracker.takeLossEvents(slot);
    m_seen.push_back(*sighting);
  }
  return std::exchange(m_seen, {});
}

}  // namespace tcpscope
