#include "core/session/connection_tracker.h"

#include <algorithm>
#include <utility>

#include "core/base/prefetch.h"

namespace tcpscope {

namespace {

/// The kernel drops the socket early and keeps its addresses only, as TIME-WAIT or as FIN-WAIT-2: without TCP_INFO, and
/// under a cookie of its own if the cookie of the original socket was never requested.
bool isRemnant(const SocketObservation& socket) {
  return socket.info.empty() && (socket.state == TcpState::timeWait || socket.state == TcpState::finWait2);
}

bool goOnFrom(Moment last, std::span<const SocketObservation> samples) {
  return std::ranges::all_of(samples, [&last](const SocketObservation& sample) {
    return std::exchange(last, sample.takenAt) < sample.takenAt && !isRemnant(sample);
  });
}

bool carriesLess(const SocketObservation& now, const SocketObservation& last) {
  return (last.bufferLocks && !now.bufferLocks) || (last.programWaits && !now.programWaits);
}

/// Dumps do not carry what only the program shows: what was read once stays.
void carryOver(const SocketObservation& last, SocketObservation& now) {
  if (last.bufferLocks && !now.bufferLocks) {
    now.bufferLocks = last.bufferLocks;
    now.nagle = last.nagle;
    now.userTimeout = last.userTimeout;
  }
  if (last.programWaits && !now.programWaits) now.programWaits = last.programWaits;
}

}  // namespace

template <class Change>
void ConnectionTracker::changeLast(TrackedConnection& tracked, Change&& change) {
  SocketObservation last = tracked.last.unpack();
  change(last);
  keepLast(tracked, last);
}

void ConnectionTracker::keepLast(TrackedConnection& tracked, const SocketObservation& sample) {
  const std::size_t before = tracked.last.bytes();
  tracked.last.pack(sample);
  m_used.replaceSample(tracked, before);
}

void ConnectionTracker::setControl(const SessionControl& control) {
  const bool rateChanges =
      !m_budget.isReplay &&
      (control.focus != m_focus || control.focusInterval != m_focusInterval || control.listInterval != m_listInterval);
  m_focusInterval = control.focusInterval;
  m_listInterval = control.listInterval;
  m_focus = control.focus;
  m_chosen = control.pinned;
  m_chosen.insert(control.followed.begin(), control.followed.end());
  m_keepClosed = control.keepClosed;
  for (std::uint32_t slot = 0; slot < m_table.slots(); ++slot) {
    TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked == nullptr) continue;
    const bool wanted = isWanted(tracked->last.id());
    if (wanted && !tracked->watched) {
      watch(*tracked, tracked->last.unpack());
    } else if (!wanted && tracked->watched) {
      unwatch(*tracked);
    } else if (wanted && rateChanges) {
      tracked->watched->rateChanges();
    }
  }
  dropOldestClosed();
}

bool ConnectionTracker::take(const SocketObservation& sample) {
  TrackedConnection* tracked = m_table.find(sample.id);
  if (tracked == nullptr) {
    if (isRemnant(sample) && findEnded(sample) != nullptr) return true;
    return start(sample) != nullptr;
  }
  if (std::exchange(tracked->unheard, false)) touch(tracked->slot);
  if (tracked->closedAt || sample.takenAt <= tracked->last.takenAt()) return true;
  if (!m_used.hasSpaceForSample(sample, *tracked)) return false;
  if (isRemnant(sample)) {
    if (tracked->last.unpack().state == sample.state) return true;
    // The closing sample of the connection may still arrive: it is compared with its last sample.
    changeLast(*tracked, [&sample](SocketObservation& last) { last.state = sample.state; });
    if (tracked->watched) tracked->watched->addEvent({sample.takenAt, HistoryEventKind::stateChanged, 1});
    touch(tracked->slot);
  } else if (std::exchange(tracked->missedPolls, false)) {
    SocketObservation alone = sample;
    alone.unchangedUntil.reset();
    takeSteps(*tracked, {&alone, 1});
  } else {
    takeSteps(*tracked, {&sample, 1});
  }
  return true;
}

std::size_t ConnectionTracker::takeRun(std::span<const SocketObservation> samples) {
  TrackedConnection* const tracked = m_table.find(samples.front().id);
  const bool isUsual = tracked != nullptr && !tracked->unheard && !tracked->closedAt && !tracked->missedPolls;
  if (isUsual && goOnFrom(tracked->last.takenAt(), samples) && m_used.hasSpaceForSample(samples.back(), *tracked)) {
    takeSteps(*tracked, samples);
    return samples.size();
  }
  return static_cast<std::size_t>(std::ranges::count_if(samples, [this](const auto& sample) { return take(sample); }));
}

TrackedConnection* ConnectionTracker::start(const SocketObservation& first) {
  const bool isJoined = m_joined.contains(first.id.place);
  if (!m_used.hasSpaceForConnection(first, isJoined)) return nullptr;
  TrackedConnection& tracked = m_table.insert(first);
  tracked.isJoined = isJoined;
  m_used.addConnection(tracked);
  if (isWanted(first.id) && !watch(tracked, first)) ++m_leftOut[first.id.place];
  if (isRemnant(first)) m_ended.set(tracked, m_table);
  if (m_budget.keepsEveryHistory) m_byAddresses.set(tracked, m_table);
  m_mayBeSilent[first.id.place].seenOnce.push_back(tracked.slot);
  touch(tracked.slot);
  return &tracked;
}

bool ConnectionTracker::startActivity(TrackedConnection& tracked, Moment from) {
  if (!m_used.hasSpaceForActivity(tracked.isJoined) && !isChosen(tracked.last.id())) return false;
  tracked.activity = m_spares.take(from, m_budget.verdictWindow / 2);
  m_used.addActivity(tracked.isJoined);
  return true;
}

void ConnectionTracker::endActivity(TrackedConnection& tracked) {
  if (!tracked.activity) return;
  m_spares.giveBack(std::exchange(tracked.activity, {}), m_used.connections());
  m_used.removeActivity(tracked.isJoined);
}

bool ConnectionTracker::watch(TrackedConnection& tracked, const SocketObservation& first) {
  if (m_recordBytes >= m_budget.recordBytes && !isChosen(first.id)) return false;
  tracked.watched.emplace(first, m_budget);
  for (const HistoryEvent& event : m_recentEvents.of(FourTuple::of(first))) tracked.watched->addReported(event);
  countRecord(tracked);
  return true;
}

void ConnectionTracker::unwatch(TrackedConnection& tracked) {
  m_recordBytes -= tracked.watched->countedBytes;
  tracked.watched.reset();
}

void ConnectionTracker::countRecord(TrackedConnection& tracked) {
  WatchedConnection& record = *tracked.watched;
  const auto count = [&] {
    m_recordBytes += record.residentBytes() - record.countedBytes;
    record.countedBytes = record.residentBytes();
  };
  count();
  const ConnectionId id = tracked.last.id();
  if (m_recordBytes <= m_budget.recordBytes || isChosen(id)) return;
  // The connection that grows gives: what has ended or is silent has little, and cannot give more.
  const std::size_t dropped = record.dropOldestHalf();
  if (dropped > 0) {
    m_leftOut[id.place] += dropped;
    return count();
  }
  ++m_leftOut[id.place];
  unwatch(tracked);
}

void ConnectionTracker::takeStep(TrackedConnection& tracked, const SocketObservation& last,
                                 const SocketObservation& now) {
  const bool stepIsDue = !tracked.watched || tracked.watched->stepIsDue(now.takenAt);
  if (stepIsDue) {
    const SocketObservation& base = tracked.watched ? tracked.watched->stepBase() : last;
    const bool wasActive = tracked.activity && !tracked.activity->endedSilent();
    if (tracked.activity || startActivity(tracked, base.takenAt)) {
      if (!wasActive) m_mayBeSilent[now.id.place].active.push_back(tracked.slot);
      // "Unchanged until" refers to the time since the last sample: with an earlier base it covers only part of the
      // step.
      const bool pollsBetween = base.takenAt < last.takenAt;
      tracked.activity->step(base, now, pollsBetween ? std::nullopt : now.unchangedUntil);
    } else {
      tracked.seenSilent = false;
      ++m_leftOut[now.id.place];
    }
  }
  if (!tracked.watched) return;
  tracked.watched->append(last, now);
  if (stepIsDue) tracked.watched->closeStep(now);
  countRecordIfDue(tracked);
}

void ConnectionTracker::takeSteps(TrackedConnection& tracked, std::span<const SocketObservation> samples) {
  const SocketObservation last = tracked.last.unpack();
  const SocketObservation* before = &last;
  for (const SocketObservation& now : samples) takeStep(tracked, *std::exchange(before, &now), now);
  const SocketObservation& now = samples.back();
  // A socket that had only a port may get a peer. What is indexed does not change.
  const bool addressesChanged = last.local != now.local || last.remote != now.remote;
  if (addressesChanged) forgetAddresses(tracked);
  if (carriesLess(now, last)) {
    SocketObservation kept = now;
    carryOver(last, kept);
    keepLast(tracked, kept);
  } else {
    keepLast(tracked, now);
  }
  if (addressesChanged) tracked.addressHash = std::hash<FourTuple>()(FourTuple::of(now));
  if (addressesChanged && m_budget.keepsEveryHistory) m_byAddresses.set(tracked, m_table);
  touch(tracked.slot);
}

template <class Use>
void ConnectionTracker::inRecords(const FourTuple& addresses, Moment at, Use&& use) {
  const auto useMatching = [&](TrackedConnection* tracked) {
    if (tracked == nullptr || !tracked->watched) return;
    if (!(FourTuple::of(tracked->last.unpack()) == addresses)) return;
    // The event that closes a connection may arrive after the notification of its end; later ones are another's.
    if (tracked->closedAt && at > *tracked->closedAt) return;
    use(*tracked->watched);
    countRecordIfDue(*tracked);
  };
  if (m_budget.keepsEveryHistory) {
    const TrackedConnection* const latest = m_byAddresses.find(addresses, m_table);
    return useMatching(latest == nullptr ? nullptr : m_table.inSlot(latest->slot));
  }
  if (m_focus && !m_chosen.contains(*m_focus)) useMatching(m_table.find(*m_focus));
  for (const ConnectionId id : m_chosen) useMatching(m_table.find(id));
}

void ConnectionTracker::addRetransmission(PlaceId place, const RetransmissionEvent& event) {
  inRecords(FourTuple::of(place, event.local, event.remote), event.at,
            [&event](WatchedConnection& record) { record.addRetransmission(event.at); });
}

void ConnectionTracker::addEvent(PlaceId place, const SourceEvent& event) {
  const FourTuple addresses = FourTuple::of(place, event.local, event.remote);
  const HistoryEvent reported{event.at, event.kind, event.count, true};
  m_recentEvents.add(addresses, reported);
  inRecords(addresses, event.at, [&reported](WatchedConnection& record) { record.addReported(reported); });
}

void ConnectionTracker::addLoss(const FourTuple& addresses, const ReportedLoss& loss) {
  inRecords(addresses, loss.time, [&loss](WatchedConnection& record) { record.addLoss(loss); });
}

template <class Use>
void ConnectionTracker::ofPlace(PlaceId place, Use&& use) {
  for (std::uint32_t slot = 0; slot < m_table.slots(); ++slot) {
    TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked != nullptr && tracked->last.id().place == place) use(*tracked);
  }
}

void ConnectionTracker::addChange(PlaceId place, const ChangeMark& mark) {
  const auto shared = std::make_shared<const ChangeMark>(mark);
  ofPlace(place, [&](TrackedConnection& tracked) {
    const bool isMeant = !mark.connection || *mark.connection == tracked.last.id();
    if (isMeant && tracked.watched && !tracked.closedAt) tracked.watched->addChange(shared);
  });
}

bool ConnectionTracker::close(const ClosedSocket& closed) {
  TrackedConnection* tracked = m_table.find(closed.id);
  if (tracked == nullptr) {
    if (!closed.last) return true;
    // Its TIME-WAIT socket was seen before its closing sample.
    const TrackedConnection* remnant = findEnded(*closed.last);
    if (remnant != nullptr && !remnant->closedAt) stop(*remnant);
    tracked = start(*closed.last);
    if (tracked == nullptr) return false;
  }
  if (tracked->closedAt) return true;
  if (closed.last && !closed.last->info.empty() && closed.last->takenAt > tracked->last.takenAt()) {
    takeSteps(*tracked, {&*closed.last, 1});
  }
  changeLast(*tracked, [](SocketObservation& last) { last.state = TcpState::close; });
  tracked->unheard = false;
  tracked->closedAt = closed.closedAt;
  if (tracked->watched) tracked->watched->addEvent({closed.closedAt, HistoryEventKind::closed, 1});
  touch(tracked->slot);
  m_ended.set(*tracked, m_table);
  m_closed.push_back(closed.id);
  dropOldestClosed();
  return true;
}

void ConnectionTracker::pollsMissed(PlaceId place) {
  ofPlace(place, [](TrackedConnection& tracked) { tracked.missedPolls = true; });
}

void ConnectionTracker::placeLost(PlaceId place) {
  ofPlace(place, [this](TrackedConnection& tracked) {
    if (tracked.closedAt) return;
    tracked.unheard = true;
    touch(tracked.slot);
  });
}

std::vector<ConnectionId> ConnectionTracker::unheard(PlaceId place) const {
  std::vector<ConnectionId> ids;
  for (std::uint32_t slot = 0; slot < m_table.slots(); ++slot) {
    const TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked != nullptr && tracked->unheard && tracked->last.id().place == place) ids.push_back(tracked->last.id());
  }
  return ids;
}

void ConnectionTracker::forget(PlaceId place) {
  ofPlace(place, [this](const TrackedConnection& tracked) { stop(tracked); });
  std::erase_if(m_closed, [place](ConnectionId id) { return id.place == place; });
  m_dumps.forget(place);
  m_mayBeSilent.erase(place);
  m_joined.erase(place);
}

void ConnectionTracker::dropOldestClosed() {
  // In a recording, closed connections must not disappear while it is replayed.
  const std::size_t allowed = m_keepClosed || m_budget.isReplay ? m_budget.closedRows : 0;
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
  m_used.removeConnection(tracked);
  touch(tracked.slot);
  if (tracked.watched) {
    m_goneHistoryBytes += tracked.watched->copyBytes().shared;
    m_recordBytes -= tracked.watched->countedBytes;
  }
  forgetAddresses(tracked);
  releaseOwner(tracked);
  m_table.erase(tracked.last.id());
}

void ConnectionTracker::forgetAddresses(const TrackedConnection& tracked) {
  m_ended.remove(tracked, m_table);
  m_byAddresses.remove(tracked, m_table);
}

const TrackedConnection* ConnectionTracker::findEnded(const SocketObservation& socket) const {
  return m_ended.find(FourTuple::of(socket), m_table);
}

void ConnectionTracker::setOwner(ConnectionId id, std::uint32_t ownerIndex) {
  TrackedConnection& tracked = *m_table.find(id);
  releaseOwner(tracked);
  tracked.ownerIndex = ownerIndex;
  touch(tracked.slot);
}

void ConnectionTracker::releaseOwner(const TrackedConnection& tracked) {
  if (tracked.ownerIndex != kNoOwner) m_releasedOwners.push_back(tracked.ownerIndex);
}

void ConnectionTracker::setLiveOptions(const LiveOptionsObservation& observed) {
  TrackedConnection* tracked = m_table.find(observed.id);
  if (tracked == nullptr) return;
  changeLast(*tracked, [&options = observed.options](SocketObservation& last) {
    last.bufferLocks = options.locks;
    if (options.nagle) last.nagle = options.nagle;
    if (options.userTimeout) last.userTimeout = options.userTimeout;
  });
  touch(tracked->slot);
}

void ConnectionTracker::setProgramWaits(const ProgramWaitsObservation& observed) {
  TrackedConnection* tracked = m_table.find(observed.id);
  if (tracked == nullptr) return;
  const ProgramWaits waits = tracked->watched ? tracked->watched->take(observed.waits) : observed.waits;
  changeLast(*tracked, [&waits](SocketObservation& last) { last.programWaits = waits; });
  touch(tracked->slot);
}

CopyBytes ConnectionTracker::copyBytes() const {
  CopyBytes bytes{m_table.slots() * sizeof(TrackedConnection) + m_used.sampleBytes(), m_goneHistoryBytes};
  for (std::uint32_t slot = 0; slot < m_table.slots(); ++slot) {
    const TrackedConnection* tracked = m_table.inSlot(slot);
    if (tracked == nullptr) continue;
    if (tracked->activity) bytes.own += tracked->activity->bytes();
    if (tracked->watched) bytes += tracked->watched->copyBytes();
  }
  return bytes;
}

Moment ConnectionTracker::seenUntil(const TrackedConnection& tracked) const {
  const Moment lastSample = tracked.last.takenAt();
  return tracked.closedAt ? lastSample : m_dumps.seenUntil(tracked.last.id().place, lastSample);
}

void ConnectionTracker::dumpEnded(PlaceId place, Moment at) {
  m_dumps.dumpEnded(place, at);
  letSilencePass(place, at);
}

void ConnectionTracker::letSilencePass(PlaceId place, Moment at) {
  MayBeSilent& here = m_mayBeSilent[place];
  // A slot may have been given to a connection of another place.
  const auto openIn = [this, place](std::uint32_t slot) -> TrackedConnection* {
    TrackedConnection* tracked = m_table.inSlot(slot);
    return tracked == nullptr || tracked->closedAt || tracked->last.id().place != place ? nullptr : tracked;
  };
  const auto isNews = [&](std::uint32_t slot) {
    TrackedConnection* tracked = openIn(slot);
    if (tracked == nullptr) return true;
    if (seenUntil(*tracked) == tracked->last.takenAt()) return false;
    tracked->seenSilent = true;
    touch(slot);
    return true;
  };
  std::erase_if(here.seenOnce, isNews);

  const auto passAndSort = [&](std::uint32_t slot) {
    TrackedConnection* tracked = openIn(slot);
    if (tracked == nullptr || !tracked->activity || !passSilence(*tracked)) return;
    if (tracked->activity->endedSilent()) {
      here.silent.push_back({slot, tracked->activity->changesAt()});
    } else {
      here.active.push_back(slot);
    }
  };
  std::vector<std::uint32_t> active = std::exchange(here.active, {});

  std::vector<SilentConnection> due;
  const auto isDue = [&](const SilentConnection& silent) {
    if (at < silent.changesAt) return false;
    due.push_back(silent);
    return true;
  };
  std::erase_if(here.silent, isDue);
  const auto passIfSilent = [&](const SilentConnection& silent) {
    const TrackedConnection* tracked = m_table.inSlot(silent.slot);
    const bool isSame = tracked != nullptr && tracked->activity && tracked->activity->endedSilent() &&
                        tracked->activity->changesAt() == silent.changesAt;
    // Otherwise a sample came meanwhile, or the slot was given to another connection.
    if (!isSame) return;
    if (tracked->activity->settlesBy(at)) {
      // Its statistics are not read any more.
      passAndSort(silent.slot);
    } else {
      active.push_back(silent.slot);
    }
  };
  forEachPrefetched(
      std::span<const SilentConnection>(due), passIfSilent,
      [this](const SilentConnection& silent) { m_table.prefetchEntry(silent.slot); },
      [this](const SilentConnection& silent) { m_table.prefetchState(silent.slot); });
  forEachPrefetched(
      std::span<const std::uint32_t>(active), passAndSort, [this](std::uint32_t slot) { m_table.prefetchEntry(slot); },
      [this](std::uint32_t slot) { prefetchForSilence(slot); });
}

bool ConnectionTracker::passSilence(TrackedConnection& tracked) {
  ConnectionActivity& activity = *tracked.activity;
  const Moment until = seenUntil(tracked);
  // Steps of a watched connection end later than its last sample: that lag is no silence.
  const bool wasSilent = until > tracked.last.takenAt() && until > activity.upTo();
  if (!tracked.watched && (wasSilent ? activity.settlesBy(until) : activity.settled())) {
    endActivity(tracked);
    tracked.seenSilent = true;
    touch(tracked.slot);
    return false;
  }
  if (wasSilent && (!activity.endedSilent() || until >= activity.changesAt())) {
    activity.silentUntil(tracked.last.unpack(), until);
    touch(tracked.slot);
  }
  return true;
}

void ConnectionTracker::touch(std::uint32_t slot) {
  if (slot >= m_isTouched.size()) m_isTouched.resize(m_table.slots(), false);
  if (m_isTouched[slot]) return;
  m_isTouched[slot] = true;
  m_touched.push_back(slot);
}

std::uint32_t ConnectionTracker::takeLossEvents(std::uint32_t slot) {
  TrackedConnection* tracked = m_table.inSlot(slot);
  return tracked == nullptr || !tracked->activity ? 0 : tracked->activity->takeLossEvents();
}

std::vector<std::uint32_t> ConnectionTracker::takeTouched() {
  for (const std::uint32_t slot : m_touched) m_isTouched[slot] = false;
  return std::exchange(m_touched, {});
}

}  // namespace tcpscope
