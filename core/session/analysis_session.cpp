#include "core/session/analysis_session.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/base/prefetch.h"
#include "core/host/sysctl_values.h"
#include "core/session/capture/captured_packets.h"
#include "core/session/connection_list.h"
#include "core/session/listener_table.h"
#include "core/session/path_capacity.h"
#include "core/session/path_watch.h"
#include "core/session/places_lost.h"
#include "core/session/problems.h"

namespace tcpscope {

namespace {

/// The place as before: the cookies of its sockets name the same ones.
bool isSame(const Place& before, const Place& now) {
  return !now.bootId.empty() && now.bootId == before.bootId && now.networkNamespace == before.networkNamespace &&
         now.container == before.container && now.host == before.host;
}

/// How many of the samples, from the first on, are of one connection or one listener.
std::size_t lengthOfRun(std::span<const SocketObservation> samples) {
  const auto isOther = [](const SocketObservation& one, const SocketObservation& next) {
    return one.id != next.id || (one.state == TcpState::listen) != (next.state == TcpState::listen);
  };
  const auto last = std::ranges::adjacent_find(samples, isOther);
  return last == samples.end() ? samples.size() : static_cast<std::size_t>(last - samples.begin()) + 1;
}

}  // namespace

class AnalysisSession::Implementation {
public:
  explicit Implementation(const SessionBudget& budget)
      : m_verdictWindow(budget.verdictWindow), m_tracker(budget), m_listeners(budget.listeners), m_owners(budget) {
    if (budget.watchesPaths) m_paths.emplace(budget.verdictWindow / 2);
  }

  void setPlaces(std::vector<Place> places, ClockPair clock) {
    m_places = std::move(places);
    m_clock = clock;
  }
  void setControl(const SessionControl& control);
  void accept(const ObservationBatch& batch);
  std::shared_ptr<const SessionSnapshot> tick(Moment now);
  [[nodiscard]] CopyBytes copyBytes() const;
  [[nodiscard]] std::shared_ptr<const ConnectionDetail> detail(ConnectionId id) const;
  std::vector<PathSighting> takePathSightings(PathPoll when, Moment now);
  [[nodiscard]] ObservationBatch known(PlaceId place) const;

private:
  void acceptSamples(std::span<const SocketObservation> samples);
  void acceptSample(const SocketObservation& sample);
  /// Many of one connection after the other.
  void acceptFocused(std::span<const SocketObservation> samples);
  void acceptClosed(const ClosedSocket& closed);
  void acceptOwner(const OwnerObservation& observed);
  void acceptEvent(PlaceId place, const SourceEvent& event);
  void acceptChange(PlaceId place, ChangeMark mark);
  /// Owners that no connection has any more go.
  void releaseOwners();
  void takeTurns(const ObservationBatch& batch);
  void takeTurn(const ObservationBatch& batch);
  /// Of the further network namespaces of a host.
  void takeTurnOfNamespaces(PlaceId host, PlaceTurn turn, const std::function<bool(PlaceId)>& isMeant);
  void listProblems(SessionSnapshot& snapshot);
  /// As the place's settings have them.
  [[nodiscard]] RetryLimits retryLimits(PlaceId id) const;
  void setSettings(PlaceId id, const std::shared_ptr<const SysctlValues>& settings);
  void addNewChanges(const std::vector<ChangeMark>& marks);
  void countGap(const CollectionGap& gap);
  void addDetail(ConnectionId id, SessionSnapshot& snapshot) const;

  Nanoseconds m_verdictWindow;
  SessionControl m_control;
  std::vector<Place> m_places;
  ClockPair m_clock;
  ConnectionTracker m_tracker;
  ConnectionList m_list;
  ListenerTable m_listeners;
  OwnerRegister m_owners;
  std::map<std::pair<PlaceId, GapKind>, std::uint64_t> m_gaps;
  PlacesLost m_lost;
  std::vector<PlaceChange> m_changes;
  /// The newest of the requested live capture.
  std::optional<CaptureObservation> m_capture;
  /// Places whose kernel reports each retransmission.
  std::set<PlaceId> m_reportRetransmission;
  /// Of the changes that come with the control: those up to here are in.
  std::optional<Moment> m_changesUntil;
  /// Nothing unless path sightings are requested.
  std::optional<PathWatch> m_paths;
  std::uint64_t m_snapshots = 0;
  /// As of m_problemsAt.
  std::shared_ptr<const std::vector<Problem>> m_problems;
  Moment m_problemsAt;
};

void AnalysisSession::Implementation::setControl(const SessionControl& control) {
  m_control = control;
  m_tracker.setControl(control);
  releaseOwners();
  m_list.setControl(control);
  addNewChanges(control.changeMarks);
  if (m_capture && (!control.capture || control.capture->number != m_capture->state.number)) m_capture.reset();
}

void AnalysisSession::Implementation::accept(const ObservationBatch& batch) {
  if (batch.turn != PlaceTurn::none) takeTurns(batch);
  for (const CollectionGap& gap : batch.gaps) {
    countGap(gap);
    if (missesPolls(gap.kind)) m_tracker.pollsMissed(gap.place);
  }
  batch.rate == SampleRate::focus ? acceptFocused(batch.changed) : acceptSamples(batch.changed);
  for (const ClosedSocket& closed : batch.closed) acceptClosed(closed);
  for (const OwnerObservation& observed : batch.owners) acceptOwner(observed);
  for (const LiveOptionsObservation& observed : batch.liveOptions) m_tracker.setLiveOptions(observed);
  for (const ProgramWaitsObservation& observed : batch.programWaits) m_tracker.setProgramWaits(observed);
  for (const RetransmissionEvent& event : batch.retransmissions) m_tracker.addRetransmission(batch.place, event);
  for (const SourceEvent& event : batch.events) acceptEvent(batch.place, event);
  if (batch.settings) setSettings(batch.place, batch.settings);
  for (const ChangeMark& mark : batch.changeMarks) acceptChange(batch.place, mark);
  if (batch.reportsRetransmissions) m_reportRetransmission.insert(batch.place);
  for (const CaptureObservation& capture : batch.captures) {
    if (m_control.capture && m_control.capture->number == capture.state.number) m_capture = capture;
  }
  if (batch.dumpEndedAt) m_tracker.dumpEnded(batch.place, *batch.dumpEndedAt);
  if (m_lost.hasReturnedWith(batch)) {
    for (const ConnectionId id : m_tracker.unheard(batch.place)) acceptClosed({id, *batch.dumpEndedAt, {}});
    // An agent reports them before its first dump ends.
    takeTurnOfNamespaces(batch.place, PlaceTurn::left, [this](PlaceId place) { return m_lost.isMissing(place); });
  }
  releaseOwners();
  for (const auto& [place, count] : m_tracker.takeLeftOut()) countGap({place, GapKind::recordBudget, count});
}

void AnalysisSession::Implementation::countGap(const CollectionGap& gap) {
  std::uint64_t& count = m_gaps[{gap.place, gap.kind}];
  // Each further agent of a host reports it again.
  count = gap.kind == GapKind::namespacesHidden ? gap.count : count + gap.count;
}

void AnalysisSession::Implementation::takeTurns(const ObservationBatch& batch) {
  takeTurn(batch);
  // With a host they are lost, and leave.
  takeTurnOfNamespaces(batch.place, batch.turn == PlaceTurn::lost ? PlaceTurn::lost : PlaceTurn::left,
                       [](PlaceId) { return true; });
}

void AnalysisSession::Implementation::takeTurnOfNamespaces(PlaceId host, PlaceTurn turn,
                                                           const std::function<bool(PlaceId)>& isMeant) {
  std::vector<PlaceId> namespaces;
  for (const Place& place : m_places) {
    if (namespaceNumber(place.id, host) && isMeant(place.id)) namespaces.push_back(place.id);
  }
  for (const PlaceId place : namespaces) {
    ObservationBatch batch;
    batch.place = place;
    batch.turn = turn;
    takeTurn(batch);
  }
}

void AnalysisSession::Implementation::takeTurn(const ObservationBatch& batch) {
  const auto isIt = [&batch](const Place& place) { return place.id == batch.place; };
  if (batch.turn == PlaceTurn::lost) {
    m_lost.lose(batch.place);
    m_tracker.placeLost(batch.place);
    m_listeners.forget(batch.place);
    return;
  }
  const auto known = std::find_if(m_places.begin(), m_places.end(), isIt);
  if (m_lost.isLost(batch.place) && batch.appeared && known != m_places.end() && isSame(*known, *batch.appeared)) {
    *known = *batch.appeared;
    m_lost.nameAgain(batch.place);
    return;
  }
  m_lost.forget(batch.place);
  m_tracker.forget(batch.place);
  m_listeners.forget(batch.place);
  if (batch.turn == PlaceTurn::appeared) m_tracker.placeJoined(batch.place);
  std::erase_if(m_changes, [&batch](const PlaceChange& change) { return change.place == batch.place; });
  m_reportRetransmission.erase(batch.place);
  if (batch.turn == PlaceTurn::left) {
    std::erase_if(m_gaps, [&batch](const auto& gap) { return gap.first.first == batch.place; });
    if (known != m_places.end()) m_places.erase(known);
  } else if (batch.appeared && known != m_places.end()) {
    *known = *batch.appeared;
  } else if (batch.appeared) {
    m_places.push_back(*batch.appeared);
  }
}

void AnalysisSession::Implementation::acceptSamples(std::span<const SocketObservation> samples) {
  const ConnectionTable& table = m_tracker.table();
  forEachPrefetched(
      samples, [this](const SocketObservation& sample) { acceptSample(sample); },
      [&](const SocketObservation& sample) { table.prefetchIndex(sample.id); },
      [&](const SocketObservation& sample) { table.prefetchEntry(sample.id); },
      [&](const SocketObservation& sample) { table.prefetchData(sample.id); });
}

void AnalysisSession::Implementation::acceptFocused(std::span<const SocketObservation> samples) {
  while (!samples.empty()) {
    const std::span<const SocketObservation> run = samples.first(lengthOfRun(samples));
    samples = samples.subspan(run.size());
    if (run.front().state == TcpState::listen) {
      for (const SocketObservation& sample : run) acceptSample(sample);
    } else if (const std::size_t taken = m_tracker.takeRun(run); taken < run.size()) {
      countGap({run.front().id.place, GapKind::socketBudget, run.size() - taken});
    }
  }
}

void AnalysisSession::Implementation::acceptSample(const SocketObservation& sample) {
  if (sample.state == TcpState::listen) {
    if (!m_listeners.take(sample)) countGap({sample.id.place, GapKind::socketBudget, 1});
  } else if (!m_tracker.take(sample)) {
    countGap({sample.id.place, GapKind::socketBudget, 1});
  }
}

void AnalysisSession::Implementation::acceptClosed(const ClosedSocket& closed) {
  if (m_listeners.erase(closed.id)) return;
  if (closed.last && closed.last->state == TcpState::listen) return;
  // A socket that had a port and never a peer was no connection.
  if (closed.last && closed.last->remote.port == 0 && m_tracker.find(closed.id) == nullptr) return;
  if (m_paths) m_paths->lookAtEnd(m_tracker, m_list, m_clock, closed);
  if (!m_tracker.close(closed)) countGap({closed.id.place, GapKind::socketBudget, 1});
}

void AnalysisSession::Implementation::acceptOwner(const OwnerObservation& observed) {
  const TrackedConnection* const tracked = m_tracker.find(observed.id);
  const bool isConnection = tracked != nullptr;
  if (!isConnection && !m_listeners.contains(observed.id)) return;
  Owner owner = observed.owner;
  if (cutTexts(owner)) countGap({observed.id.place, GapKind::textCut, 1});
  if (!isConnection) return m_listeners.setOwner(observed.id, std::make_shared<const Owner>(std::move(owner)));
  const std::uint32_t index = m_owners.indexOf(owner, tracked->isJoined);
  if (index == kNoOwner) countGap({observed.id.place, GapKind::ownerBudget, 1});
  m_tracker.setOwner(observed.id, index);
  releaseOwners();
}

void AnalysisSession::Implementation::releaseOwners() {
  for (const std::uint32_t index : m_tracker.takeReleasedOwners()) m_owners.release(index);
}

void AnalysisSession::Implementation::acceptEvent(PlaceId place, const SourceEvent& event) {
  const auto report = lossReportOf(event);
  if (!report) return m_tracker.addEvent(place, event);
  if (report->isElsewhere) return;
  m_tracker.addLoss(FourTuple::of(place, event.local, event.remote), {event.at, event.kind, false, *report});
  // Either end of a dropped packet may be at the place.
  if (event.kind != HistoryEventKind::localDrop) return;
  m_tracker.addLoss(FourTuple::of(place, event.remote, event.local), {event.at, event.kind, true, *report});
}

void AnalysisSession::Implementation::acceptChange(PlaceId place, ChangeMark mark) {
  if (cutTexts(mark)) countGap({place, GapKind::textCut, 1});
  m_tracker.addChange(place, mark);
  if (m_changes.size() >= kMostChanges) m_changes.erase(m_changes.begin());
  m_changes.push_back({place, std::move(mark)});
}

void AnalysisSession::Implementation::setSettings(PlaceId id, const std::shared_ptr<const SysctlValues>& settings) {
  for (Place& place : m_places) {
    if (place.id == id) place.settings = settings;
  }
}

void AnalysisSession::Implementation::addNewChanges(const std::vector<ChangeMark>& marks) {
  const auto known = m_changesUntil;
  for (const ChangeMark& mark : marks) {
    if (!mark.connection || (known && mark.time <= *known)) continue;
    m_tracker.addChange(mark.connection->place, mark);
    m_changesUntil = mark.time;
  }
}

std::shared_ptr<const SessionSnapshot> AnalysisSession::Implementation::tick(Moment now) {
  for (Place& place : m_places) place.lostSince = m_lost.since(place.id, now);
  const std::vector<std::uint32_t> touched = m_list.update(m_tracker, m_owners, now);
  if (m_paths) m_paths->note(touched);

  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->number = ++m_snapshots;
  snapshot->time = now;
  snapshot->clock = m_clock;
  m_list.publish(*snapshot);
  snapshot->owners = m_owners.publish();
  snapshot->totalRows = m_tracker.size();
  if (m_control.showListeners) snapshot->listeners = m_listeners.rows();
  snapshot->places = m_places;
  listProblems(*snapshot);
  snapshot->changes = m_changes;
  for (const auto& [key, count] : m_gaps) snapshot->gaps.push_back({key.first, key.second, count});
  snapshot->listInterval = m_control.listInterval;
  if (m_capture) snapshot->capture = m_capture->state;
  if (m_control.focus) addDetail(*m_control.focus, *snapshot);
  for (const auto* const chosen : {&m_control.pinned, &m_control.followed}) {
    for (const ConnectionId id : *chosen) addDetail(id, *snapshot);
  }
  return snapshot;
}

CopyBytes AnalysisSession::Implementation::copyBytes() const {
  CopyBytes bytes = m_tracker.copyBytes();
  bytes.own += m_owners.bytes() + m_listeners.bytes();
  return bytes;
}

void AnalysisSession::Implementation::addDetail(ConnectionId id, SessionSnapshot& snapshot) const {
  if (auto known = detail(id)) snapshot.details[id] = std::move(known);
}

void AnalysisSession::Implementation::listProblems(SessionSnapshot& snapshot) {
  constexpr Nanoseconds kEvery = std::chrono::seconds(1);
  if (!m_control.listsProblems) return;
  // A replay may step back in time.
  const bool isRecent = m_problems && snapshot.time >= m_problemsAt && snapshot.time < m_problemsAt + kEvery;
  if (!isRecent) {
    m_problems = std::make_shared<const std::vector<Problem>>(problemsOf(snapshot, m_control.filter));
    m_problemsAt = snapshot.time;
  }
  snapshot.problems = m_problems;
}

RetryLimits AnalysisSession::Implementation::retryLimits(PlaceId id) const {
  const auto place = std::find_if(m_places.begin(), m_places.end(), [id](const Place& one) { return one.id == id; });
  if (place == m_places.end() || !place->settings) return {};
  const auto count = [&](std::string_view key) {
    const auto number = place->settings->number(key);
    return number ? std::optional(Count(*number)) : std::nullopt;
  };
  return {count("net.ipv4.tcp_syn_retries"), count("net.ipv4.tcp_syn_linear_timeouts"), count("net.ipv4.tcp_retries2")};
}

std::shared_ptr<const ConnectionDetail> AnalysisSession::Implementation::detail(ConnectionId id) const {
  const TrackedConnection* tracked = m_tracker.find(id);
  if (tracked == nullptr) return nullptr;
  auto detail = std::make_shared<ConnectionDetail>();
  detail->owner = m_owners.share(tracked->ownerIndex);
  detail->socket = tracked->last.unpack();
  detail->row = m_list.rowOf(*tracked, detail->socket);
  if (tracked->unheard) {
    // No current figures: the previous ones must not pass for them.
  } else if (tracked->activity) {
    detail->interval = tracked->activity->interval();
    detail->window = tracked->activity->window();
  } else if (const Moment until = m_tracker.seenUntil(*tracked); until > tracked->last.takenAt()) {
    ConnectionActivity silence(std::max(tracked->last.takenAt(), until - m_verdictWindow), m_verdictWindow);
    silence.silentUntil(detail->socket, until);
    detail->interval = silence.interval();
    detail->window = silence.window();
  }
  BesideSamples beside{retryLimits(id.place)};
  if (tracked->watched) {
    tracked->watched->describe(*detail);
    tracked->watched->addHeldUpPeriods(beside);
  }
  detail->diagnosis = diagnose(detail->socket, detail->window, beside);
  if (m_capture && m_capture->state.connection == id) {
    detail->packets = m_capture->packets;
    if (detail->packets) learnCapacity(*detail, detail->packets->analysis);
  }
  if (tracked->watched && m_reportRetransmission.contains(id.place)) {
    const auto rtt = detail->socket.info.rtt();
    detail->losses = tracked->watched->losses(rtt ? std::optional<Nanoseconds>(*rtt) : std::nullopt);
  }
  return detail;
}

std::vector<PathSighting> AnalysisSession::Implementation::takePathSightings(PathPoll when, Moment now) {
  if (!m_paths || (when == PathPoll::ifDue && !m_paths->isDue(now))) return {};
  return m_paths->take(m_tracker, m_list, m_clock, now);
}

ObservationBatch AnalysisSession::Implementation::known(PlaceId place) const {
  ObservationBatch batch;
  batch.place = place;
  for (std::uint32_t slot = 0; slot < m_tracker.slots(); ++slot) {
    const TrackedConnection* tracked = m_tracker.inSlot(slot);
    if (tracked == nullptr || tracked->closedAt || tracked->last.id().place != place) continue;
    batch.changed.push_back(tracked->last.unpack());
    if (const Owner* owner = m_owners.find(tracked->ownerIndex)) batch.owners.push_back({tracked->last.id(), *owner});
  }
  m_listeners.report(batch);
  for (const Place& one : m_places) {
    if (one.id == place) batch.settings = one.settings;
  }
  batch.reportsRetransmissions = m_reportRetransmission.contains(place);
  return batch;
}

AnalysisSession::AnalysisSession(SessionBudget budget) : m_implementation(std::make_unique<Implementation>(budget)) {}
AnalysisSession::AnalysisSession(std::unique_ptr<Implementation> implementation)
    : m_implementation(std::move(implementation)) {}
AnalysisSession::~AnalysisSession() = default;

std::unique_ptr<AnalysisSession> AnalysisSession::copy() const {
  return std::unique_ptr<AnalysisSession>(new AnalysisSession(std::make_unique<Implementation>(*m_implementation)));
}

CopyBytes AnalysisSession::copyBytes() const {
  return m_implementation->copyBytes();
}

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
  return m_implementation->detail(id);
}

std::vector<PathSighting> AnalysisSession::takePathSightings(PathPoll when, Moment now) {
  return m_implementation->takePathSightings(when, now);
}

ObservationBatch AnalysisSession::known(PlaceId place) const {
  return m_implementation->known(place);
}

}  // namespace tcpscope
