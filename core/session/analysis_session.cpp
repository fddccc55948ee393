#include "core/session/analysis_session.h"

#include <algorithm>
#include <deque>

#include "core/session/connection_table.h"
#include "core/session/owner_register.h"
#include "core/session/row_order.h"
#include "core/session/row_update.h"

namespace tcpscope {

namespace {

/// When the last two dumps of a place ended.
struct DumpEnds {
  std::optional<Moment> previous;
  std::optional<Moment> last;
};

}  // namespace

class AnalysisSession::Implementation {
public:
  explicit Implementation(const SessionBudget& budget) : m_budget(budget) {}

  void setPlaces(std::vector<Place> places, ClockPair clock) {
    m_places = std::move(places);
    m_clock = clock;
  }
  void setControl(const SessionControl& control);
  void accept(const ObservationBatch& batch);
  std::shared_ptr<const SessionSnapshot> tick(Moment now);
  [[nodiscard]] std::shared_ptr<const ConnectionDetail> detail(const TrackedConnection& tracked) const;
  [[nodiscard]] const TrackedConnection* find(ConnectionId id) const { return m_table.find(id); }

private:
  void acceptSample(const SocketObservation& sample);
  void acceptListener(const SocketObservation& sample);
  void acceptClosed(const ClosedSocket& closed);
  void acceptOwner(const OwnerObservation& observed);
  void acceptBufferLocks(const BufferLockObservation& observed);
  void acceptGap(const CollectionGap& gap);
  TrackedConnection* startTracking(const SocketObservation& first);
  void stopTracking(TrackedConnection& tracked);
  void takeStep(TrackedConnection& tracked, const SocketObservation& now);
  void dropOldestClosed();

  [[nodiscard]] bool isWanted(ConnectionId id) const { return m_control.focus == id || m_control.pinned.contains(id); }
  void touch(std::uint32_t slot);
  void letSilencePass(Moment now);
  /// Up to when this connection was seen: its last sample, or a later dump that found it unchanged.
  [[nodiscard]] Moment seenUntil(const TrackedConnection& tracked) const;
  void refreshRow(std::uint32_t slot);
  [[nodiscard]] bool passesFilter(const TrackedConnection& tracked, const ConnectionRow& row) const;
  [[nodiscard]] std::vector<ListenerRow> listenerRows() const;

  SessionBudget m_budget;
  SessionControl m_control;
  std::vector<Place> m_places;
  ClockPair m_clock;
  ConnectionTable m_table;
  RowPages m_rows;
  RowOrder m_order;
  OwnerRegister m_owners;
  std::unordered_map<ConnectionId, std::uint32_t> m_listenerOwners;
  std::map<ConnectionId, SocketObservation> m_listeners;
  std::deque<ConnectionId> m_closed;
  std::map<std::pair<PlaceId, GapKind>, std::uint64_t> m_gaps;
  std::map<PlaceId, DumpEnds> m_dumps;
  /// Slots of connections with activity.
  std::vector<std::uint32_t> m_active;
  /// Slots of connections seen only once: whether they are silent the next dump tells.
  std::vector<std::uint32_t> m_seenOnce;
  std::vector<std::uint32_t> m_touched;
  std::vector<bool> m_isTouched;
  std::vector<bool> m_shown;
  bool m_sortAll = true;
  std::uint64_t m_snapshots = 0;
};

void AnalysisSession::Implementation::setControl(const SessionControl& control) {
  const bool sameOrder = control.sortKey == m_control.sortKey && control.sortDescending == m_control.sortDescending &&
                         control.grouping == m_control.grouping && control.keepClosed == m_control.keepClosed &&
                         control.filter.root() == m_control.filter.root() && control.pinned == m_control.pinned;
  m_control = control;
  for (std::uint32_t slot = 0; slot < m_table.slots(); ++slot) {
    TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked == nullptr) continue;
    const bool wanted = isWanted(tracked->last.id);
    if (wanted && !tracked->watched) {
      tracked->watched = std::make_unique<WatchedConnection>(tracked->last, m_budget);
    } else if (!wanted && tracked->watched) {
      tracked->watched.reset();
    }
    if (!sameOrder) touch(slot);
  }
  if (!sameOrder) m_sortAll = true;
}

void AnalysisSession::Implementation::accept(const ObservationBatch& batch) {
  for (const SocketObservation& sample : batch.changed) {
    if (sample.state == TcpState::listen) {
      acceptListener(sample);
    } else {
      acceptSample(sample);
    }
  }
  for (const ClosedSocket& closed : batch.closed) acceptClosed(closed);
  for (const OwnerObservation& observed : batch.owners) acceptOwner(observed);
  for (const BufferLockObservation& observed : batch.bufferLocks) acceptBufferLocks(observed);
  for (const CollectionGap& gap : batch.gaps) acceptGap(gap);
  if (batch.dumpEndedAt) {
    DumpEnds& dumps = m_dumps[batch.place];
    dumps.previous = dumps.last;
    dumps.last = batch.dumpEndedAt;
  }
}

void AnalysisSession::Implementation::acceptListener(const SocketObservation& sample) {
  m_listeners[sample.id] = sample;
}

void AnalysisSession::Implementation::acceptSample(const SocketObservation& sample) {
  TrackedConnection* tracked = m_table.find(sample.id);
  if (tracked == nullptr) {
    startTracking(sample);
    return;
  }
  if (tracked->closed || sample.takenAt <= tracked->last.takenAt) return;
  takeStep(*tracked, sample);
}

TrackedConnection* AnalysisSession::Implementation::startTracking(const SocketObservation& first) {
  if (m_table.size() >= m_budget.sockets) {
    acceptGap({first.id.place, GapKind::socketBudget, 1});
    return nullptr;
  }
  const std::uint32_t slot = m_rows.allocate();
  TrackedConnection& tracked = m_table.insert(first, slot);
  if (isWanted(first.id)) tracked.watched = std::make_unique<WatchedConnection>(first, m_budget);
  m_seenOnce.push_back(slot);
  touch(slot);
  return &tracked;
}

void AnalysisSession::Implementation::takeStep(TrackedConnection& tracked, const SocketObservation& now) {
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

void AnalysisSession::Implementation::acceptClosed(const ClosedSocket& closed) {
  m_listeners.erase(closed.id);
  m_listenerOwners.erase(closed.id);
  TrackedConnection* tracked = m_table.find(closed.id);
  if (tracked == nullptr) {
    if (!closed.last || closed.last->state == TcpState::listen) return;
    tracked = startTracking(*closed.last);
    if (tracked == nullptr) return;
  }
  if (tracked->closed) return;
  if (closed.last && !closed.last->info.empty() && closed.last->takenAt > tracked->last.takenAt) {
    takeStep(*tracked, *closed.last);
  }
  tracked->closed = true;
  tracked->last.state = TcpState::close;
  if (tracked->watched) tracked->watched->addEvent({closed.closedAt, HistoryEventKind::closed, 1});
  m_rows.writable(tracked->slot).closedAt = closed.closedAt;
  touch(tracked->slot);
  m_closed.push_back(closed.id);
  dropOldestClosed();
}

void AnalysisSession::Implementation::dropOldestClosed() {
  const std::size_t allowed = m_control.keepClosed ? m_budget.closedRows : 0;
  std::size_t candidates = m_closed.size();
  while (m_closed.size() > allowed && candidates-- > 0) {
    const ConnectionId oldest = m_closed.front();
    m_closed.pop_front();
    TrackedConnection* tracked = m_table.find(oldest);
    if (tracked == nullptr) continue;
    if (tracked->watched) {
      m_closed.push_back(oldest);
    } else {
      stopTracking(*tracked);
    }
  }
}

void AnalysisSession::Implementation::stopTracking(TrackedConnection& tracked) {
  const std::uint32_t slot = tracked.slot;
  touch(slot);
  m_table.erase(tracked.last.id);
  m_rows.release(slot);
}

void AnalysisSession::Implementation::acceptOwner(const OwnerObservation& observed) {
  const std::uint32_t index = m_owners.indexOf(observed.owner);
  if (const TrackedConnection* tracked = m_table.find(observed.id)) {
    m_rows.writable(tracked->slot).ownerIndex = index;
    touch(tracked->slot);
  } else if (m_listeners.contains(observed.id)) {
    m_listenerOwners[observed.id] = index;
  }
}

void AnalysisSession::Implementation::acceptBufferLocks(const BufferLockObservation& observed) {
  if (TrackedConnection* tracked = m_table.find(observed.id)) {
    tracked->last.bufferLocks = observed.locks;
    touch(tracked->slot);
  }
}

void AnalysisSession::Implementation::acceptGap(const CollectionGap& gap) {
  m_gaps[{gap.place, gap.kind}] += gap.count;
}

void AnalysisSession::Implementation::touch(std::uint32_t slot) {
  if (slot >= m_isTouched.size()) {
    m_isTouched.resize(m_rows.slots(), false);
    m_shown.resize(m_rows.slots(), false);
  }
  if (m_isTouched[slot]) return;
  m_isTouched[slot] = true;
  m_touched.push_back(slot);
}

Moment AnalysisSession::Implementation::seenUntil(const TrackedConnection& tracked) const {
  const auto dumps = m_dumps.find(tracked.last.id.place);
  if (tracked.closed || dumps == m_dumps.end()) return tracked.last.takenAt;
  // A sample that is younger than the last dump but one is of the last dump: that one saw a change.
  const bool sampledInLastDump = !dumps->second.previous || tracked.last.takenAt > *dumps->second.previous;
  return sampledInLastDump ? tracked.last.takenAt : std::max(*dumps->second.last, tracked.last.takenAt);
}

/// Connections that were seen unchanged get their silence; those silent for a whole window lose their activity.
void AnalysisSession::Implementation::letSilencePass(Moment now) {
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
    // Steps of a watched connection end later than its last sample: that lag is no silence.
    const bool wasSilent = seenUntil(*tracked) > tracked->last.takenAt && seenUntil(*tracked) > activity.upTo();
    if (wasSilent && (!activity.endedSilent() || now >= activity.halfEndsAt())) {
      activity.silentUntil(tracked->last, seenUntil(*tracked));
      touch(slot);
    }
    if (!activity.settled() || tracked->watched) return false;
    tracked->activity.reset();
    return true;
  };
  std::erase_if(m_active, isOver);
}

void AnalysisSession::Implementation::refreshRow(std::uint32_t slot) {
  const TrackedConnection* tracked = m_table.inSlot(slot);
  if (tracked == nullptr) {
    m_shown[slot] = false;
    return;
  }
  ConnectionRow& row = m_rows.writable(slot);
  updateRow(*tracked, seenUntil(*tracked), row);
  row.pinned = m_control.pinned.contains(row.id);
  m_shown[slot] = passesFilter(*tracked, row);
}

bool AnalysisSession::Implementation::passesFilter(const TrackedConnection& tracked, const ConnectionRow& row) const {
  if (tracked.closed && !m_control.keepClosed) return false;
  const Owner* owner = row.ownerIndex == kNoOwner ? nullptr : (*m_owners.owners())[row.ownerIndex].get();
  const IntervalMetrics* interval = tracked.activity ? &tracked.activity->interval() : nullptr;
  return m_control.filter.matches({tracked.last, owner, interval, row.limit});
}

std::shared_ptr<const SessionSnapshot> AnalysisSession::Implementation::tick(Moment now) {
  letSilencePass(now);
  for (const std::uint32_t slot : m_touched) refreshRow(slot);
  const RowOrder::Access access{m_rows, [this](const ConnectionRow& row) -> const Owner* {
                                  return row.ownerIndex == kNoOwner ? nullptr
                                                                    : (*m_owners.owners())[row.ownerIndex].get();
                                }};
  m_order.update(access, m_control, m_touched, m_shown, m_sortAll);
  for (const std::uint32_t slot : m_touched) m_isTouched[slot] = false;
  m_touched.clear();
  m_sortAll = false;

  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->number = ++m_snapshots;
  snapshot->time = now;
  snapshot->clock = m_clock;
  snapshot->pages = m_rows.publish();
  snapshot->order = m_order.order();
  snapshot->groups = m_order.groups();
  snapshot->owners = m_owners.owners();
  snapshot->totalRows = m_table.size();
  if (m_control.showListeners) snapshot->listeners = listenerRows();
  snapshot->places = m_places;
  for (const auto& [key, count] : m_gaps) snapshot->gaps.push_back({key.first, key.second, count});
  snapshot->listInterval = m_control.listInterval;
  const auto addDetail = [&](ConnectionId id) {
    if (const TrackedConnection* tracked = m_table.find(id)) snapshot->details[id] = detail(*tracked);
  };
  if (m_control.focus) addDetail(*m_control.focus);
  for (const ConnectionId id : m_control.pinned) addDetail(id);
  return snapshot;
}

std::vector<ListenerRow> AnalysisSession::Implementation::listenerRows() const {
  std::vector<ListenerRow> rows;
  rows.reserve(m_listeners.size());
  for (const auto& [id, socket] : m_listeners) {
    const auto owner = m_listenerOwners.find(id);
    rows.push_back({id, socket.local, socket.receiveQueue.value(), socket.sendQueue.value(),
                    owner == m_listenerOwners.end() ? nullptr : m_owners.at(owner->second), diagnoseListener(socket)});
  }
  return rows;
}

std::shared_ptr<const ConnectionDetail> AnalysisSession::Implementation::detail(
    const TrackedConnection& tracked) const {
  auto detail = std::make_shared<ConnectionDetail>();
  detail->row = m_rows.row(tracked.slot);
  if (detail->row.ownerIndex != kNoOwner) detail->owner = m_owners.at(detail->row.ownerIndex);
  detail->socket = tracked.last;
  if (tracked.activity) {
    detail->interval = tracked.activity->interval();
    detail->window = tracked.activity->window();
  } else if (const Moment until = seenUntil(tracked); until > tracked.last.takenAt) {
    ConnectionActivity silence(std::max(tracked.last.takenAt, until - m_budget.verdictWindow), m_budget.verdictWindow);
    silence.silentUntil(tracked.last, until);
    detail->interval = silence.interval();
    detail->window = silence.window();
  }
  detail->diagnosis = diagnose(tracked.last, detail->window);
  if (tracked.watched) tracked.watched->describe(*detail);
  return detail;
}

AnalysisSession::AnalysisSession(SessionBudget budget) : m_implementation(std::make_unique<Implementation>(budget)) {}
AnalysisSession::~AnalysisSession() = default;

void AnalysisSession::setPlaces(std::vector<Place> places, ClockPair clock) {
  m_implementation->setPlaces(std::move(places), clock);
}

void AnalysisSession::setControl(const SessionControl& control) {
  m_implementation->setControl(control);
}

void AnalysisSession::accept(const ObservationBatch& batch) {
  m_implementation->accept(batch);
}

std::shared_ptr<const SessionSnapshot> AnalysisSession::tick(Moment now) {
  return m_implementation->tick(now);
}

std::shared_ptr<const ConnectionDetail> AnalysisSession::detail(ConnectionId id) const {
  const TrackedConnection* tracked = m_implementation->find(id);
  return tracked == nullptr ? nullptr : m_implementation->detail(*tracked);
}

}  // namespace tcpscope
