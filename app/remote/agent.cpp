#include "app/remote/agent.h"

#include <array>
#include <cerrno>
#include <utility>

#include "app/remote/between_dumps.h"
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

}  // namespace

Expected<std::unique_ptr<Agent>, SystemError> Agent::open(const LocalPlace& place, FrameSink& sink, bool resolveOwners,
                                                          Names names) {
  auto collector = openSocketCollector(place);
  if (!collector) return Unexpected<SystemError>(collector.error());
  auto focusCollector = openFocusCollector(place);
  if (!focusCollector) return Unexpected<SystemError>(focusCollector.error());
  std::vector<std::unique_ptr<Collector>> sources = openTracingSources(place);
  sources.push_back(std::move(*focusCollector));
  std::vector<std::unique_ptr<CollectorThread>> threads;
  for (std::unique_ptr<Collector>& source : sources) {
    auto thread = CollectorThread::make(std::move(source), {});
    if (!thread) return Unexpected<SystemError>(thread.error());
    threads.push_back(std::move(*thread));
  }
  ProcessAnswers answers = resolveOwners ? answersFromProc() : ProcessAnswers();
  std::unique_ptr<Agent> agent(
      new Agent(std::move(*collector), std::move(threads), sink, std::move(answers), place.watchSettings(), names));
  agent->greet(place, resolveOwners);
  return agent;
}

Agent::Agent(std::unique_ptr<Collector> collector, std::vector<std::unique_ptr<CollectorThread>> threads,
             FrameSink& sink, ProcessAnswers answers, SettingsWatch settings, Names names)
    : m_collector(std::move(collector)),
      m_queue(kQueuedBatches),
      m_threads(std::move(threads)),
      m_sink(sink),
      m_writer(sink.buffer()),
      m_anonymizer(names == Names::hidden ? std::optional<Anonymizer>(std::in_place) : std::nullopt),
      m_answers(std::move(answers), monotonicNow),
      m_settings(std::move(settings)) {}

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
  for (const auto& thread : m_threads) {
    auto started = thread->start(queue);
    if (!started) {
      stopThreads();
      return started;
    }
  }
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
  for (const auto& thread : m_threads) thread->requestStop();
  for (const auto& thread : m_threads) thread->join();
}

void Agent::write(const ObservationBatch& batch) {
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

void Agent::passToThreads(const CollectorRequest& request) {
  if (request == m_request) return;
  m_request = request;
  m_events.setFiltered(request.filter != nullptr);
  for (const auto& thread : m_threads) thread->post(request);
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
  const ObservationBatch answers = m_answers.answer();
  if (answers.isOfPrograms()) write(answers);
  m_sink.flush();
}

}  // namespace tcpscope
