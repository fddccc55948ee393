#include "core/session/connection_tracker.h"

#include <utility>

namespace tcpscope {

void ConnectionTracker::setControl(const SessionControl& control) {
  const bool rateChanges =
      control.focus != m_focus || control.focusInterval != m_focusInterval || control.listInterval != m_listInterval;
  m_focusInterval = control.focusInterval;
  m_listInterval = control.listInterval;
  m_focus = control.focus;
  m_pinned = control.pinned;
  m_keepClosed = control.keepClosed;
  for (std::uint32_t slot = 0; slot < m_table.slots(); ++slot) {
    TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked == nullptr) continue;
    const bool wanted = isWanted(tracked->last.id);
    if (wanted && !tracked->watched) {
      tracked->watched = std::make_unique<WatchedConnection>(tracked->last, m_budget);
    } else if (!wanted && tracked->watched) {
      tracked->watched.reset();
    } else if (wanted && rateChanges) {
      tracked->watched->rateChanges();
    }
  }
}

bool ConnectionTracker::take(const SocketObservation& sample) {
  TrackedConnection* tracked = m_table.find(sample.id);
  if (tracked == nullptr) return start(sample) != nullptr;
  if (!tracked->closedAt && sample.takenAt > tracked->last.takenAt) takeStep(*tracked, sample);
  return true;
}

TrackedConnection* ConnectionTracker::start(const SocketObservation& first) {
  if (m_table.size() >= m_budget.sockets) return nullptr;
  TrackedConnection& tracked = m_table.insert(first);
  if (isWanted(first.id)) tracked.watched = std::make_unique<WatchedConnection>(first, m_budget);
  m_seenOnce.push_back(tracked.slot);
  touch(tracked.slot);
  return &tracked;
}

void ConnectionTracker::takeStep(TrackedConnection& tracked, const SocketObservation& now) {
  const bool stepIsDue = !tracked.watched || tracked.watched->stepIsDue(now.takenAt);
  if (stepIsDue) {
    const SocketObservation& base = tracked.watched ? tracked.watched->stepBase() : tracked.last;
    if (!tracked.activity) {
      tracked.activity = std::make_unique<ConnectionActivity>(base.takenAt, m_budget.verdictWindow / 2);
      m_active.push_back(tracked.slot);
    }
    tracked.activity->step(base, now);
  }
  if (tracked.watched) {
    tracked.watched->append(tracked.last, now);
    if (stepIsDue) tracked.watched->closeStep(now);
  }
  const std::optional<BufferLocks> locks = tracked.last.bufferLocks;
  tracked.last = now;
  if (!now.bufferLocks) tracked.last.bufferLocks = locks;
  touch(tracked.slot);
}

bool ConnectionTracker::close(const ClosedSocket& closed) {
  TrackedConnection* tracked = m_table.find(closed.id);
  if (tracked == nullptr) {
    if (!closed.last) return true;
    tracked = start(*closed.last);
    if (tracked == nullptr) return false;
  }
  if (tracked->closedAt) return true;
  if (closed.last && !closed.last->info.empty() && closed.last->takenAt > tracked->last.takenAt) {
    takeStep(*tracked, *closed.last);
  }
  tracked->closedAt = closed.closedAt;
  tracked->last.state = TcpState::close;
  if (tracked->watched) tracked->watched->addEvent({closed.closedAt, HistoryEventKind::closed, 1});
  touch(tracked->slot);
  m_closed.push_back(closed.id);
  dropOldestClosed();
  return true;
}

void ConnectionTracker::dropOldestClosed() {
  const std::size_t allowed = m_keepClosed ? m_budget.closedRows : 0;
  std::size_t candidates = m_closed.size();
  while (m_closed.size() > allowed && candidates-- > 0) {
    const ConnectionId oldest = m_closed.front();
    m_closed.pop_front();
    const TrackedConnection* tracked = m_table.find(oldest);
    if (tracked == nullptr) continue;
    if (isChosen(oldest)) {
      m_closed.push_back(oldest);
    } else {
      stop(*tracked);
    }
  }
}

void ConnectionTracker::stop(const TrackedConnection& tracked) {
  touch(tracked.slot);
  m_table.erase(tracked.last.id);
}

bool ConnectionTracker::setOwner(ConnectionId id, std::uint32_t ownerIndex) {
  TrackedConnection* tracked = m_table.find(id);
  if (tracked == nullptr) return false;
  tracked->ownerIndex = ownerIndex;
  touch(tracked->slot);
  return true;
}

void ConnectionTracker::setBufferLocks(const BufferLockObservation& observed) {
  TrackedConnection* tracked = m_table.find(observed.id);
  if (tracked == nullptr) return;
  tracked->last.bufferLocks = observed.locks;
  touch(tracked->slot);
}

Moment ConnectionTracker::seenUntil(const TrackedConnection& tracked) const {
  return tracked.closedAt ? tracked.last.takenAt : m_dumps.seenUntil(tracked.last.id.place, tracked.last.takenAt);
}

void ConnectionTracker::letSilencePass(Moment now) {
  const auto isNews = [&](std::uint32_t slot) {
    const TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked == nullptr) return true;
    if (seenUntil(*tracked) == tracked->last.takenAt) return false;
    touch(slot);
    return true;
  };
  std::erase_if(m_seenOnce, isNews);

  const auto isOver = [&](std::uint32_t slot) {
    TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked == nullptr || !tracked->activity) return true;
    ConnectionActivity& activity = *tracked->activity;
    const Moment until = seenUntil(*tracked);
    // Steps of a watched connection end later than its last sample: that lag is no silence.
    const bool wasSilent = until > tracked->last.takenAt && until > activity.upTo();
    if (wasSilent && (!activity.endedSilent() || now >= activity.halfEndsAt())) {
      activity.silentUntil(tracked->last, until);
      touch(slot);
    }
    if (!activity.settled() || tracked->watched) return false;
    tracked->activity.reset();
    return true;
  };
  std::erase_if(m_active, isOver);
}

void ConnectionTracker::touch(std::uint32_t slot) {
  if (slot >= m_isTouched.size()) m_isTouched.resize(m_table.slots(), false);
  if (m_isTouched[slot]) return;
  m_isTouched[slot] = true;
  m_touched.push_back(slot);
}

std::vector<std::uint32_t> ConnectionTracker::takeTouched() {
  for (const std::uint32_t slot : m_touched) m_isTouched[slot] = false;
  return std::exchange(m_touched, {});
}

}  // namespace tcpscope
