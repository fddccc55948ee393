#include "app/session/analysis_loop.h"

#include <unordered_set>
#include <utility>

namespace tcpscope {

namespace {

/// A program may set a buffer at any time, and the kernel sends no notification.
constexpr Nanoseconds kBufferLockAge = std::chrono::seconds(5);
/// Shorter than the periods in which a program does not keep up, so that each is seen.
constexpr Nanoseconds kWaitsAge = std::chrono::milliseconds(200);

/// It was not asked about for so long; from here on it was.
bool isDue(ConnectionId id, std::unordered_map<ConnectionId, Moment>& askedAt, Nanoseconds age, Moment now) {
  const auto [asked, isFirst] = askedAt.try_emplace(id, now);
  if (!isFirst && now - asked->second < age) return false;
  asked->second = now;
  return true;
}

/// Weight of batches that the analysis takes in before a snapshot is due: some milliseconds of work, few megabytes.
constexpr std::size_t kGathered = 4096;

std::chrono::steady_clock::time_point asDeadline(Moment moment) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(moment.nanoseconds()));
}

/// Of those sockets that the session does not know any more: of a place that left or came as another one, whose cookies
/// name others from then on.
ObservationBatch endOf(const ObservationBatch& known, const AnalysisSession& session) {
  ObservationBatch end;
  end.place = known.place;
  std::unordered_set<ConnectionId> remaining;
  for (const SocketObservation& socket : session.known(known.place).changed) remaining.insert(socket.id);
  for (const SocketObservation& socket : known.changed) {
    if (!remaining.contains(socket.id)) end.closed.push_back({socket.id, socket.takenAt, {}});
  }
  return end;
}

}  // namespace

CollectorRequest collectorRequestOf(const SessionControl& control) {
  CollectorRequest request;
  request.listInterval = control.listInterval;
  request.focusInterval = control.focusInterval;
  return request;
}

AnalysisLoop::AnalysisLoop(Surroundings surroundings, const SessionBudget& budget, const SessionControl& control)
    : m_around(std::move(surroundings)),
      m_session(budget),
      m_control(control),
      m_pacer(control.listInterval),
      m_requested(collectorRequestOf(control)) {
  m_session.setControl(control);
}

void AnalysisLoop::setControl(const SessionControl& control) {
  {
    const std::lock_guard lock(m_mutex);
    m_newControl = control;
  }
  m_around.queue.wake();
}

void AnalysisLoop::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    // Once there is news, what comes before the next snapshot changes nothing: it may gather.
    const std::size_t enough = m_pacer.hasNews() ? kGathered : 1;
    std::vector<ObservationBatch> batches = m_around.queue.takeAll(asDeadline(m_pacer.due()), enough);
    if (stop.stop_requested()) break;
    takeNewControl();
    takeRecorder();
    for (ObservationBatch& batch : batches) {
      const std::vector<ObservationBatch> before = knownBefore(batch);
      accept(batch);
      for (const ObservationBatch& known : before) m_recorder->take(endOf(known, m_session));
      if (m_recorder) m_recorder->take(std::move(batch));
    }
    forwardRequest();
    forwardCapture();
    if (m_around.now() >= m_pacer.due()) publish();
    if (m_around.ask && !m_questions.empty() && !m_around.isAnswering()) m_around.ask(m_questions.take());
  }
  handOverPaths(PathPoll::always);
}

/// Of each recorded place that the turn in this batch may end.
std::vector<ObservationBatch> AnalysisLoop::knownBefore(const ObservationBatch& batch) const {
  std::vector<ObservationBatch> known;
  const bool mayEnd = batch.turn == PlaceTurn::appeared || batch.turn == PlaceTurn::left;
  if (!m_recorder || !mayEnd) return known;
  for (const PlaceId place : m_recorder->places()) {
    if (place == batch.place || namespaceNumber(place, batch.place)) known.push_back(m_session.known(place));
  }
  return known;
}

void AnalysisLoop::takeNewControl() {
  std::optional<SessionControl> control;
  {
    const std::lock_guard lock(m_mutex);
    control.swap(m_newControl);
  }
  if (!control) return;
  m_control = std::move(*control);
  m_session.setControl(m_control);
  m_pacer.setListInterval(m_control.listInterval);
  m_pacer.noteNews();
}

void AnalysisLoop::takeRecorder() {
  if (!m_around.recorder) return;
  std::shared_ptr<SessionRecorder> recorder = m_around.recorder();
  if (recorder == m_recorder) return;
  m_recorder = std::move(recorder);
  if (!m_recorder) return;
  for (const PlaceId place : m_recorder->places()) m_recorder->take(m_session.known(place));
}

void AnalysisLoop::accept(const ObservationBatch& batch) {
  m_session.accept(batch);
  // The capture would keep its network namespace, and so the interfaces of a container that was stopped.
  if (batch.turn == PlaceTurn::left && m_control.capture) {
    const PlaceId captured = m_control.capture->connection.place;
    if (captured == batch.place || namespaceNumber(captured, batch.place)) m_control.capture->isOver = true;
  }
  if (batch.turn == PlaceTurn::appeared && !batch.appearedHere) m_around.answeringPlaces.insert(batch.place);
  if (!m_around.answeringPlaces.contains(batch.place)) m_questions.note(batch);
  if (batch.turn == PlaceTurn::left) m_questions.forget(batch.place);
  for (const ClosedSocket& closed : batch.closed) {
    m_locksAskedAt.erase(closed.id);
    m_waitsAskedAt.erase(closed.id);
  }
  m_pacer.note(batch);
}

void AnalysisLoop::forwardRequest() {
  CollectorRequest wanted = collectorRequestOf(m_control);
  if (m_control.focus) {
    if (m_requested.focus && m_requested.focus->id == *m_control.focus) {
      wanted.focus = m_requested.focus;
    } else if (const auto detail = m_session.detail(*m_control.focus)) {
      const SocketObservation& socket = detail->socket;
      wanted.focus = SocketAddress{socket.id, socket.local, socket.remote, socket.interfaceIndex};
    }
  }
  if (wanted == m_requested) return;
  m_requested = wanted;
  m_around.request(wanted);
}

void AnalysisLoop::forwardCapture() {
  if (m_control.capture == m_captured) return;
  if (!m_control.capture) {
    m_captured.reset();
    if (m_around.endCapture) m_around.endCapture();
    return;
  }
  const auto detail = m_session.detail(m_control.capture->connection);
  const bool isAnother = !m_captured || m_captured->number != m_control.capture->number;
  // One that runs can be ended and saved after its connection.
  if (!detail && isAnother) return;
  m_captured = m_control.capture;
  m_around.capture(detail ? captureOrderOf(*m_captured, detail->socket) : CaptureOrder{*m_captured, {}, {}, {}, {}});
}

void AnalysisLoop::publish() {
  const Moment began = m_around.now();
  std::shared_ptr<const SessionSnapshot> snapshot =
      m_session.tick(m_around.sessionTime ? m_around.sessionTime() : began);
  askAboutPrograms(*snapshot, began);
  m_around.slot.store(std::move(snapshot));
  handOverPaths(PathPoll::ifDue);
  m_pacer.published(began, m_around.now());
}

void AnalysisLoop::handOverPaths(PathPoll when) {
  if (!m_around.paths) return;
  std::vector<PathSighting> seen = m_session.takePathSightings(when, m_around.now());
  if (!seen.empty()) m_around.paths(std::move(seen));
}

void AnalysisLoop::askAboutPrograms(const SessionSnapshot& snapshot, Moment now) {
  for (const auto& [id, detail] : snapshot.details) {
    if (!detail->owner || detail->row.closed || m_around.answeringPlaces.contains(id.place)) continue;
    if (isDue(id, m_waitsAskedAt, kWaitsAge, now)) m_questions.ask(WaitsQuestion{id, detail->owner->pid});
    if (isDue(id, m_locksAskedAt, kBufferLockAge, now)) {
      m_questions.ask(LiveOptionsQuestion{id, detail->socket.inode, detail->owner->pid});
    }
  }
}

}  // namespace tcpscope
