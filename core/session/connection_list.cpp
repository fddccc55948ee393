#include "core/session/connection_list.h"

#include <numeric>

#include "core/base/prefetch.h"
#include "core/session/row_update.h"
#include "core/session/verdict_severity.h"

namespace tcpscope {

void ConnectionList::setControl(const SessionControl& control) {
  if (!listsAlike(control, m_control)) m_remakeAll = true;
  if (m_trigger.arm(control.trigger)) m_remakeAll = true;
  m_control = control;
}

RowPlaces ConnectionList::placesAt(Moment now) {
  if (!m_remakeAll && m_control.keepsOrder) return RowPlaces::keptWithNewLast;
  if (!m_firstAt) m_firstAt = now;
  // Until then rows get their places at every update.
  const bool isAtStart = now < *m_firstAt + kUntilVerdicts;
  // A replay may step back in time.
  const bool isRecent = now >= m_orderedAt && now < m_orderedAt + m_control.orderInterval;
  if (!m_remakeAll && !isAtStart && isRecent) return RowPlaces::kept;
  m_orderedAt = now;
  return RowPlaces::current;
}

std::vector<std::uint32_t> ConnectionList::update(ConnectionTracker& tracker, const OwnerRegister& owners, Moment now) {
  std::vector<std::uint32_t> touched = tracker.takeTouched();
  m_shown.resize(tracker.slots(), false);
  if (m_remakeAll) {
    touched.resize(tracker.slots());
    std::iota(touched.begin(), touched.end(), 0U);
  }
  const ConnectionTable& table = tracker.table();
  forEachPrefetched(
      std::span<const std::uint32_t>(touched), [&](std::uint32_t slot) { remakeRow(slot, tracker, owners, now); },
      [&](std::uint32_t slot) { table.prefetchEntry(slot); }, [&](std::uint32_t slot) { table.prefetchData(slot); },
      [&](std::uint32_t slot) {
        m_rows.prefetch(slot);
        table.prefetchPrevious(slot);
      });
  const RowOrder::Access access{m_rows, [&owners](const ConnectionFacts& row) { return owners.find(row.ownerIndex); }};
  m_order.update(access, m_control, touched, m_shown, m_remakeAll, placesAt(now));
  m_remakeAll = false;
  return touched;
}

SightedVerdict ConnectionList::verdict(std::uint32_t slot, ConnectionId id) const {
  if (!m_rows.holds(slot) || m_rows.facts(slot).id != id) return {};
  const ConnectionFigures& figures = m_rows.figures(slot);
  return {figures.bulk, figures.limit, static_cast<double>(figures.confidenceRatio)};
}

ConnectionRow ConnectionList::rowOf(const TrackedConnection& tracked, const SocketObservation& last) const {
  ConnectionRow row = tcpscope::rowOf(tracked, last);
  row.pinned = m_control.pinned.contains(row.id);
  return row;
}

void ConnectionList::remakeRow(std::uint32_t slot, const ConnectionTracker& tracker, const OwnerRegister& owners,
                               Moment now) {
  const TrackedConnection* tracked = tracker.inSlot(slot);
  if (tracked == nullptr) {
    m_shown[slot] = false;
    m_trigger.clear(slot);
    return;
  }
  const SocketObservation last = tracked->last.unpack();
  const ConnectionRow row = rowOf(*tracked, last);
  m_rows.set(slot, row);
  const IntervalMetrics* interval = tracked->activity ? &tracked->activity->interval() : nullptr;
  const FilterSubject subject(last, owners.find(row.ownerIndex), interval, row.limit);
  const bool isKept = !row.closed || m_control.keepClosed;
  m_shown[slot] = isKept && m_control.filter.matches(subject);
  if (const ConnectionFilter* condition = m_trigger.filter()) {
    m_trigger.see(slot, row.id, isKept && condition->matches(subject), now);
  }
}

void ConnectionList::publish(SessionSnapshot& snapshot) {
  m_rows.publish(snapshot);
  snapshot.order = m_order.order();
  snapshot.groups = m_order.groups();
  snapshot.grouping = m_control.grouping;
  snapshot.triggered = m_trigger.takeBegun();
}

}  // namespace tcpscope
