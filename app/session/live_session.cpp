#include "app/session/live_session.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/present/text/error_text.h"

namespace tcpscope {

namespace {

std::set<PlaceId> placesThatAnswer(const std::vector<PlacedCollector>& collectors) {
  std::set<PlaceId> places;
  for (const PlacedCollector& placed : collectors) {
    if (placed.bringsOwners) places.insert(placed.place);
  }
  return places;
}

/// A socket in focus is asked for at its place only. An agent answers for the network namespaces of its host, too.
CollectorRequest ownRequest(CollectorRequest request, PlaceId place, bool isAgent) {
  if (!request.focus || request.focus->id.place == place) return request;
  if (!isAgent || !namespaceNumber(request.focus->id.place, place)) request.focus.reset();
  return request;
}

SessionBudget budgetOf(const LiveSessionParts& parts) {
  SessionBudget budget = parts.budget;
  budget.watchesPaths = parts.paths != nullptr;
  return budget;
}

}  // namespace

Expected<std::unique_ptr<LiveSession>, SystemError> LiveSession::start(LiveSessionParts parts,
                                                                       const SessionControl& control) {
  std::unique_ptr<LiveSession> session(new LiveSession(parts, control));
  if (auto started = session->startThreads(std::move(parts.collectors), control); !started) {
    return Unexpected<SystemError>(started.error());
  }
  return session;
}

LiveSession::LiveSession(LiveSessionParts& parts, const SessionControl& control)
    : m_queue(parts.queueCapacity),
      m_answers(std::move(parts.answers)),
      m_loop({m_queue, m_slot, std::move(parts.now), [this](const CollectorRequest& wanted) { request(wanted); },
              [this](const CaptureOrder& order) { capture(order); }, [this] { m_capture.reset(); },
              m_answers ? [this](ProcessQuestions questions) { ask(std::move(questions)); }
                        : std::function<void(ProcessQuestions)>(),
              [this] { return m_isAnswering.load(); }, std::move(parts.sessionTime), [this] { return recorder(); },
              placesThatAnswer(parts.collectors), parts.paths},
             budgetOf(parts), control),
      m_requested(collectorRequestOf(control)),
      m_captures(std::move(parts.captures)) {
  m_loop.setPlaces(std::move(parts.places), parts.clock);
}

Expected<void, SystemError> LiveSession::startThreads(std::vector<PlacedCollector> collectors,
                                                      const SessionControl& control) {
  for (PlacedCollector& placed : collectors) {
    auto thread = CollectorThread::make(std::move(placed.collector), collectorRequestOf(control));
    if (!thread) return Unexpected<SystemError>(thread.error());
    m_running.push_back({placed.place, std::move(*thread), placed.bringsOwners, placed.takesEveryFocus});
  }
  try {
    if (m_answers) m_background = std::make_unique<BackgroundQueue>();
    m_analysis = std::jthread([this](const std::stop_token& stop) { m_loop.run(stop); });
  } catch (const std::system_error& error) {
    return Unexpected<SystemError>({SystemAttempt::startThread, error.code().value(), {}});
  }
  for (const Running& running : m_running) {
    if (auto started = run(*running.thread, running.isOutside); !started) return started;
  }
  return {};
}

Expected<void, SystemError> LiveSession::run(CollectorThread& thread, bool isOutside) {
  return thread.start([this, isOutside](ObservationBatch&& batch) {
    return isOutside ? m_queue.pushFromOutside(std::move(batch)) : m_queue.push(std::move(batch));
  });
}

Expected<void, SystemError> LiveSession::join(const Place& place, std::unique_ptr<Collector> collector,
                                              const std::optional<CaptureMeans>& captures) {
  auto thread = CollectorThread::make(std::move(collector), {});
  if (!thread) return Unexpected<SystemError>(thread.error());
  reportTurn(place.id, PlaceTurn::appeared, std::make_shared<const Place>(place));
  CollectorThread& running = **thread;
  {
    // The mailbox takes what is wanted from here on, also before the thread runs.
    const std::lock_guard lock(m_runningMutex);
    running.post(ownRequest(m_requested, place.id, true));
    m_running.push_back({place.id, std::move(*thread), true});
    if (captures) m_captures.insert_or_assign(place.id, *captures);
  }
  auto started = run(running, true);
  if (!started) leave(place.id);
  return started;
}

void LiveSession::leave(PlaceId place) {
  std::vector<Running> leaving;
  {
    const std::lock_guard lock(m_runningMutex);
    const auto isOther = [place](const Running& running) { return running.place != place; };
    const auto first = std::stable_partition(m_running.begin(), m_running.end(), isOther);
    leaving.assign(std::make_move_iterator(first), std::make_move_iterator(m_running.end()));
    m_running.erase(first, m_running.end());
    m_captures.erase(place);
  }
  for (const Running& running : leaving) running.thread->requestStop();
  // With the last of its threads the last batch of the place is in the queue.
  leaving.clear();
  reportTurn(place, PlaceTurn::left, nullptr);
}

void LiveSession::reportTurn(PlaceId place, PlaceTurn turn, std::shared_ptr<const Place> appeared) {
  ObservationBatch batch;
  batch.place = place;
  batch.turn = turn;
  batch.appeared = std::move(appeared);
  m_queue.pushWaiting(std::move(batch), {});
}

LiveSession::~LiveSession() {
  for (const Running& running : m_running) running.thread->requestStop();
  for (const Running& running : m_running) running.thread->join();
  m_analysis.request_stop();
  m_queue.close();
  if (m_analysis.joinable()) m_analysis.join();
  m_capture.reset();
  m_background.reset();
  // No more batches follow: readers of the recording see its end.
  if (m_recorder) m_recorder->requestStop();
}

void LiveSession::recordInto(std::shared_ptr<SessionRecorder> recorder) {
  {
    const std::lock_guard lock(m_recorderMutex);
    m_recorder = std::move(recorder);
  }
  m_queue.wake();
}

void LiveSession::recordPacketsInto(PacketRecorders recorders) {
  const std::lock_guard lock(m_recorderMutex);
  m_packetRecorders = std::move(recorders);
}

std::shared_ptr<PacketRecorder> LiveSession::packetRecorder(PlaceId place) {
  const std::lock_guard lock(m_recorderMutex);
  const auto found = m_packetRecorders.find(place);
  return found == m_packetRecorders.end() ? nullptr : found->second;
}

std::shared_ptr<SessionRecorder> LiveSession::recorder() {
  const std::lock_guard lock(m_recorderMutex);
  return m_recorder;
}

void LiveSession::request(const CollectorRequest& request) {
  const std::lock_guard lock(m_runningMutex);
  m_requested = request;
  for (const Running& running : m_running) {
    running.thread->post(running.takesEveryFocus ? request : ownRequest(request, running.place, running.isOutside));
  }
}

void LiveSession::capture(const CaptureOrder& order) {
  if (m_capture && m_capture->number() == order.request.number) return m_capture->want(order.request);
  m_capture.reset();
  const auto refuse = [&](LiveCaptureError error) {
    LiveCaptureState state{order.request.number, order.request.connection, LiveCapturePhase::failed};
    state.error = std::move(error);
    m_queue.push(batchOf({std::move(state)}));
  };
  auto means = captureMeansOf(order.request.connection.place);
  if (!means) return refuse({LiveCaptureErrorKind::elsewhere, {}, {}});
  means->recorder = [this, place = order.request.connection.place] { return packetRecorder(place); };
  auto started = ConnectionCapture::start(order, std::move(*means),
                                          [this](CaptureObservation&& observed, const std::stop_token& stop) {
                                            m_queue.pushWaiting(batchOf(std::move(observed)), stop);
                                          });
  if (!started) return refuse({LiveCaptureErrorKind::failed, {}, UntrustedText(sentence(started.error()))});
  m_capture = std::move(*started);
}

std::optional<CaptureMeans> LiveSession::captureMeansOf(PlaceId place) {
  const std::lock_guard lock(m_runningMutex);
  const auto means = m_captures.find(place);
  if (means != m_captures.end()) return means->second;
  const auto seen = m_slot.load();
  if (!seen) return std::nullopt;
  const auto named =
      std::find_if(seen->places.begin(), seen->places.end(), [place](const Place& one) { return one.id == place; });
  if (named == seen->places.end()) return std::nullopt;
  for (const auto& [host, inHost] : m_captures) {
    if (namespaceNumber(place, host) && inHost.inNamespace) return inHost.inNamespace(*named);
  }
  return std::nullopt;
}

ObservationBatch LiveSession::batchOf(CaptureObservation&& observed) {
  ObservationBatch batch;
  batch.place = observed.state.connection.place;
  batch.captures.push_back(std::move(observed));
  return batch;
}

void LiveSession::ask(ProcessQuestions questions) {
  m_isAnswering = true;
  m_background->post([this, questions = std::move(questions)](const std::stop_token& stop) {
    ObservationBatch answers = m_answers(questions, stop);
    if (answers.isOfPrograms()) m_queue.pushWaiting(std::move(answers), stop);
    m_isAnswering = false;
    m_queue.wake();
  });
}

}  // namespace tcpscope
