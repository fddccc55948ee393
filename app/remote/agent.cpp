#include "app/remote/agent.h"

#include <array>
#include <cerrno>
#include <map>
#include <utility>

#include "app/remote/between_dumps.h"
#include "app/session/namespace_focus.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// What the threads may have waiting: samples in focus at 1 kHz for an eighth of a second, more than a receive of a
/// dump takes.
constexpr std::size_t kQueuedBatches = 256;
constexpr Milliseconds kBetweenLooksAtSettings{1000};
/// What was seen does not wait for so long in a file's buffer.
constexpr Milliseconds kLongInterval{250};

std::uint32_t capabilities(bool resolvesOwners) {
  constexpr std::array kAlways = {AgentCapability::list, AgentCapability::focus, AgentCapability::filter,
                                  AgentCapability::destroyEvents};
  std::uint32_t bits = 0;
  for (const AgentCapability one : kAlways) bits |= static_cast<std::uint32_t>(one);
  if (resolvesOwners) {
    bits |=
        static_cast<std::uint32_t>(AgentCapability::owners) | static_cast<std::uint32_t>(AgentCapability::bufferLocks);
  }
  return bits;
}

/// What is of programs of each place.
std::map<PlaceId, ObservationBatch> byPlace(ObservationBatch&& answers) {
  std::map<PlaceId, ObservationBatch> all;
  const auto batchAt = [&all](ConnectionId id) -> ObservationBatch& {
    ObservationBatch& batch = all[id.place];
    batch.place = id.place;
    return batch;
  };
  for (OwnerObservation& one : answers.owners) batchAt(one.id).owners.push_back(std::move(one));
  for (LiveOptionsObservation& one : answers.liveOptions) batchAt(one.id).liveOptions.push_back(one);
  for (ProgramWaitsObservation& one : answers.programWaits) batchAt(one.id).programWaits.push_back(one);
  return all;
}

}  // namespace

Expected<std::unique_ptr<Agent>, SystemError> Agent::open(const LocalPlace& place, FrameSink& sink, bool resolveOwners,
                                                          Names names) {
  auto collector = openSocketCollector(place);
  if (!collector) return Unexpected<SystemError>(collector.error());
  auto focusCollector = openFocusCollector(place);
  if (!focusCollector) return Unexpected<SystemError>(focusCollector.error());
  std::vector<std::unique_ptr<Collector>> sources = openTracingSources(place);
  sources.push_back(std::move(*focusCollector));
  Parts parts;
  parts.collector = std::move(*collector);
  for (std::unique_ptr<Collector>& source : sources) {
    auto thread = CollectorThread::make(std::move(source), {});
    if (!thread) return Unexpected<SystemError>(thread.error());
    parts.threads.push_back(std::move(*thread));
  }
  if (place.andOthers) {
    auto known = std::make_shared<NamespaceRegister>();
    parts.further.emplace(place, known);
    auto thread = CollectorThread::make(focusInOtherNamespaces(place, known), {});
    if (!thread) return Unexpected<SystemError>(thread.error());
    parts.furtherFocus = std::move(*thread);
  }
  ProcessAnswers answers = resolveOwners ? answersFromProc() : ProcessAnswers();
  std::unique_ptr<Agent> agent(new Agent(place, std::move(parts), sink, std::move(answers), names));
  agent->greet(place, resolveOwners);
  return agent;
}

Agent::Agent(const LocalPlace& place, Parts parts, FrameSink& sink, ProcessAnswers answers, Names names)
    : m_collector(std::move(parts.collector)),
      m_queue(kQueuedBatches),
      m_threads(std::move(parts.threads)),
      m_furtherFocus(std::move(parts.furtherFocus)),
      m_further(std::move(parts.further)),
      m_place(place.place.id),
      m_sink(sink),
      m_writer(sink.buffer()),
      m_anonymizer(names == Names::hidden ? std::optional<Anonymizer>(std::in_place) : std::nullopt),
      m_answers(std::move(answers), monotonicNow),
      m_settings(place.watchSettings()) {}

void Agent::greet(const LocalPlace& place, bool resolvesOwners) {
  TraceHello hello;
  hello.place = place.place;
  if (m_anonymizer) m_anonymizer->hide(hello.place);
  hello.clock = clockPairNow();
  hello.capabilities = capabilities(resolvesOwners);
  hello.program = UntrustedText("tcpscope");
  m_writer.write(hello);
  write(place.facts);
  m_sink.flush();
}

Expected<void, SystemError> Agent::run(const std::stop_token& stop, RequestSource& requests,
                                       const std::function<void()>& afterBatch) {
  BetweenDumps betweenDumps(
      requests,
      [&] {
        writeQueued();
        if (std::exchange(m_dumpEnded, false)) {
          pollFurther();
          writeReleased();
          writeAnswers();
          writeChangedSettings();
          if (m_request.listInterval >= kLongInterval) m_sink.settle();
        }
        afterBatch();
      },
      [this](const CollectorRequest& request) { passToThreads(request); });
  if (!betweenDumps.isOpen()) return Unexpected<SystemError>({SystemAttempt::openWakeDescriptor, errno, {}});
  const auto queue = [&](ObservationBatch&& batch) {
    const bool isTaken = m_queue.push(std::move(batch));
    betweenDumps.makeDue();
    return isTaken;
  };
  for (CollectorThread* const thread : allThreads()) {
    auto started = thread->start(queue);
    if (!started) {
      stopThreads();
      return started;
    }
  }
  // Before the first dump ends: a session that had lost its agent hears then which of them have remained.
  pollFurther();
  afterBatch();
  m_collector->run(stop, betweenDumps, [&](ObservationBatch&& batch) {
    const bool isTaken = take(batch);
    if (batch.dumpEndedAt) {
      m_dumpEnded = true;
      betweenDumps.makeDue();
    }
    m_sink.flush();
    afterBatch();
    return isTaken;
  });
  stopThreads();
  writeQueued();
  writeReleased();
  return {};
}

void Agent::stopThreads() {
  for (CollectorThread* const thread : allThreads()) thread->requestStop();
  for (CollectorThread* const thread : allThreads()) thread->join();
}

std::vector<CollectorThread*> Agent::allThreads() const {
  std::vector<CollectorThread*> all;
  for (const auto& thread : m_threads) all.push_back(thread.get());
  if (m_furtherFocus) all.push_back(m_furtherFocus.get());
  return all;
}

void Agent::write(const ObservationBatch& batch) {
  if (const auto further = namespaceNumber(batch.place, m_place)) return m_writer.write(batch, *further);
  if (!m_anonymizer) return m_writer.write(batch);
  ObservationBatch other = batch;
  m_anonymizer->hide(other);
  m_writer.write(other);
}

void Agent::write(HostFacts facts) {
  if (m_anonymizer) {
    for (HostFact& fact : facts) fact.key = UntrustedText(m_anonymizer->hiddenKey(fact.key.rawBytes()));
  }
  m_writer.write(facts);
}

bool Agent::take(const ObservationBatch& batch) {
  if (!m_sink.hasRoom()) return false;
  const bool isNothing = batch.changed.empty() && batch.closed.empty() && batch.gaps.empty() && !batch.dumpEndedAt;
  if (isNothing) return true;
  write(batch);
  m_answers.note(batch);
  m_events.note(batch);
  return true;
}

bool Agent::takeFurther(const ObservationBatch& batch) {
  if (!m_sink.hasRoom()) return false;
  write(batch);
  m_answers.note(batch);
  if (batch.turn == PlaceTurn::left) m_answers.forget(batch.place);
  // A round of many takes longer than what the threads may have waiting.
  writeQueued();
  return true;
}

void Agent::pollFurther() {
  const Moment began = monotonicNow();
  if (!m_further || began < m_furtherDue) return;
  m_further->poll([this](ObservationBatch&& batch) { return takeFurther(batch); });
  // They may take a quarter of the time, as dumps may.
  m_furtherDue = began + (monotonicNow() - began) * 4;
  if (!m_further->mayBeMore() || m_saidHidden || !m_sink.hasRoom()) return;
  m_saidHidden = true;
  ObservationBatch batch;
  batch.place = m_place;
  batch.gaps.push_back({m_place, GapKind::namespacesHidden, 1});
  write(batch);
}

void Agent::passToThreads(const CollectorRequest& request) {
  if (request == m_request) return;
  m_request = request;
  m_events.setFiltered(request.filter != nullptr);
  CollectorRequest own = request;
  if (own.focus && own.focus->id.place != m_place) own.focus.reset();
  for (const auto& thread : m_threads) thread->post(own);
  if (m_further) m_further->setFilter(request.stateMask, request.filter);
  if (m_furtherFocus) m_furtherFocus->post(request);
}

void Agent::writeQueued() {
  for (ObservationBatch& batch : m_queue.takeAll({}, 1)) {
    m_events.hold(batch);
    if (!m_sink.hasRoom()) {
      ++m_lostQueued;
      continue;
    }
    if (m_lostQueued > 0) batch.gaps.push_back({batch.place, GapKind::queueFull, std::exchange(m_lostQueued, 0)});
    write(batch);
  }
  m_sink.flush();
}

void Agent::writeReleased() {
  const ObservationBatch released = m_events.release();
  const bool isNothing = released.events.empty() && released.retransmissions.empty() && released.gaps.empty();
  if (isNothing) return;
  if (!m_sink.hasRoom()) {
    ++m_lostQueued;
    return;
  }
  write(released);
  m_sink.flush();
}

void Agent::writeChangedSettings() {
  const Moment now = monotonicNow();
  if (now < m_settingsDue || !m_sink.hasRoom()) return;
  m_settingsDue = now + kBetweenLooksAtSettings;
  const std::vector<ChangeMark> changes = m_settings.poll(now);
  if (changes.empty()) return;
  write(m_settings.facts());
  for (ChangeMark change : changes) {
    if (m_anonymizer) m_anonymizer->hide(change);
    m_writer.write(change);
  }
  m_sink.flush();
}

void Agent::writeAnswers() {
  for (const auto& [place, answers] : byPlace(m_answers.answer())) write(answers);
  m_sink.flush();
}

}  // namespace tcpscope
