#include "app/remote/agent_collector.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "app/remote/agent_copy.h"
#include "app/remote/poll_timeout.h"
#include "app/remote/without_pipe_signal.h"
#include "app/session/local_place.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

constexpr std::size_t kChunkBytes = 64U << 10U;
/// When a full queue is tried again.
constexpr int kRetryMs = 5;
constexpr Nanoseconds kHelloTimeout = std::chrono::seconds(10);

timespec asTimespec(Nanoseconds span) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(span);
  timespec value{};
  value.tv_sec = whole.count();
  value.tv_nsec = (span - whole).count();
  return value;
}

}  // namespace

Expected<std::unique_ptr<AgentCollector>, SystemError> AgentCollector::open(const AgentPipes& pipes, PlaceId place,
                                                                            Moment deadline,
                                                                            const AgentInterrupt& interrupt) {
  if (pipes.means == AgentMeans::copied) {
    if (auto copied = copyAgent(pipes, deadline, interrupt); !copied) return Unexpected<SystemError>(copied.error());
    // What comes next is said at once, or not at all.
    deadline = std::max(deadline, monotonicNow() + kHelloTimeout);
  }
  std::unique_ptr<AgentCollector> collector(new AgentCollector(pipes, place));
  if (!collector->m_frames || !collector->m_requests) {
    return Unexpected<SystemError>({SystemAttempt::openWakeDescriptor, errno, {}});
  }
  if (auto heard = collector->awaitHello(deadline, interrupt); !heard) return Unexpected<SystemError>(heard.error());
  return collector;
}

AgentCollector::AgentCollector(const AgentPipes& pipes, PlaceId place)
    : m_frames(duplicate(pipes.framesDescriptor)),
      m_requests(duplicate(pipes.requestsDescriptor)),
      m_output(m_requests.get()),
      m_name(pipes.name),
      m_place(place),
      m_means(pipes.means),
      m_protocol(openProtocol(pipes.means, place)) {}

Expected<void, SystemError> AgentCollector::awaitHello(Moment deadline, const AgentInterrupt& interrupt) {
  const auto notHeard = [this](int errorNumber) {
    return Unexpected<SystemError>({attemptOf(m_means), errorNumber, UntrustedText(m_name)});
  };
  while (true) {
    while (const std::optional<TraceValue> value = m_protocol->next()) {
      const auto* hello = std::get_if<TraceHello>(&*value);
      // A stream that starts with anything else is not an agent's.
      if (hello == nullptr) return notHeard(0);
      m_hello = *hello;
      m_protocol->relateClocks(m_hello, clockPairNow());
      return {};
    }
    if (m_hasEnded) return notHeard(EPIPE);
    const Nanoseconds left = deadline - monotonicNow();
    // Also of one that says much and never hello.
    if (left <= Nanoseconds(0)) return notHeard(ETIMEDOUT);
    const timespec timeout = asTimespec(left);
    std::array<pollfd, 3> entries{
        {{m_frames.get(), POLLIN, 0}, {interrupt.wakeDescriptor, POLLIN, 0}, {interrupt.secondDescriptor, POLLIN, 0}}};
    const int ready = ppoll(entries.data(), entries.size(), &timeout, nullptr);
    if (ready <= 0) continue;
    if ((entries[1].revents != 0 || entries[2].revents != 0) && interrupt.isOver()) {
      return notHeard(ECANCELED);
    }
    if (entries[0].revents != 0) receive();
  }
}

bool AgentCollector::receive() {
  std::vector<std::byte> bytes(kChunkBytes);
  const ssize_t count = ::read(m_frames.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count <= 0) {
    m_hasEnded = true;
    m_protocol->end();
    return false;
  }
  m_protocol->feed(std::span(bytes).first(static_cast<std::size_t>(count)), monotonicNow());
  return true;
}

/// Hands on what was read; false when the sink has no room now.
bool AgentCollector::deliver(const ObservationSink& sink) {
  while (true) {
    if (!m_refused) {
      std::optional<TraceValue> value = m_protocol->next();
      if (!value) return true;
      m_refused = observationsOf(std::move(*value), m_place);
      if (!m_refused) continue;
    }
    if (!sink(std::move(*m_refused))) return false;  // NOLINT(bugprone-use-after-move): refused, so untouched
    m_refused.reset();
  }
}

void AgentCollector::wait(int wakeDescriptor) const {
  std::array<pollfd, 3> entries{{{wakeDescriptor, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLOUT, 0}}};
  if (!m_refused) entries[1].fd = m_frames.get();
  if (m_output.waiting() > 0) entries[2].fd = m_requests.get();
  std::optional<Moment> due = m_deadline;
  const std::optional<Moment> ask = m_output.waiting() > 0 ? std::nullopt : m_protocol->nextAsk();
  if (ask && (!due || *ask < *due)) due = ask;
  poll(entries.data(), entries.size(), m_refused ? kRetryMs : pollTimeout(due));
}

void AgentCollector::reportEnd(const ObservationSink& sink) const {
  ObservationBatch batch;
  batch.place = m_place;
  batch.gaps.push_back({m_place, GapKind::agentEnded, 1});
  sink(std::move(batch));
}

void AgentCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  const WithoutPipeSignal quiet;
  while (!stop.stop_requested() && !(m_deadline && monotonicNow() >= *m_deadline)) {
    const CollectorRequest wanted = requests.take();
    // An agent that does not read has asked for nothing more to be said: the newest request follows when it does.
    if (m_output.waiting() == 0) m_protocol->ask(wanted, monotonicNow(), m_output.buffer());
    m_output.flush();
    if (deliver(sink)) {
      if (m_hasEnded) return reportEnd(sink);
      // By the sink, which may have heard enough: the agent need not say more.
      if (stop.stop_requested()) return;
      pollfd entry{m_frames.get(), POLLIN, 0};
      if (poll(&entry, 1, 0) > 0) {
        receive();
        continue;
      }
    }
    wait(requests.wakeDescriptor());
  }
}

}  // namespace tcpscope
