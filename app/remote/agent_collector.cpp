#include "app/remote/agent_collector.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "app/session/local_place.h"
#include "collectors/host/place_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/trace_writer.h"

namespace tcpscope {

namespace {

constexpr std::size_t kChunkBytes = 64U << 10U;
/// When a full queue is tried again.
constexpr int kRetryMs = 5;
constexpr Nanoseconds kClocksDisagree = std::chrono::seconds(10);

timespec asTimespec(Nanoseconds span) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(span);
  timespec value{};
  value.tv_sec = whole.count();
  value.tv_nsec = (span - whole).count();
  return value;
}

/// An agent that is gone must not end this program with it: while this lives, a write to it only fails.
class WithoutPipeSignal {
public:
  WithoutPipeSignal() {
    sigemptyset(&m_pipe);
    sigaddset(&m_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
  }
  ~WithoutPipeSignal() {
    // One that waits would come as soon as it may.
    const timespec now{};
    while (sigismember(&m_before, SIGPIPE) == 0 && sigtimedwait(&m_pipe, nullptr, &now) >= 0) {
    }
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

private:
  sigset_t m_pipe{};
  sigset_t m_before{};
};

}  // namespace

Nanoseconds clockOffset(const TraceHello& hello, std::string_view ownBootId, const ClockPair& heardAt) {
  if (!ownBootId.empty() && hello.place.bootId == ownBootId) return Nanoseconds(0);
  const Nanoseconds behind = heardAt.wall - hello.clock.wall;
  const bool agree = behind >= Nanoseconds(0) && behind <= kClocksDisagree;
  return (heardAt.monotonic - hello.clock.monotonic) - (agree ? behind : Nanoseconds(0));
}

Expected<std::unique_ptr<AgentCollector>, SystemError> AgentCollector::open(const AgentPipes& pipes, PlaceId place,
                                                                            Moment deadline,
                                                                            const AgentInterrupt& interrupt) {
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
      m_reader(place) {}

Expected<void, SystemError> AgentCollector::awaitHello(Moment deadline, const AgentInterrupt& interrupt) {
  while (true) {
    while (const std::optional<TraceValue> value = m_reader.next()) {
      const auto* hello = std::get_if<TraceHello>(&*value);
      // Whoever says something else first is no agent.
      if (hello == nullptr) return Unexpected<SystemError>({SystemAttempt::reachAgent, 0, UntrustedText(m_name)});
      m_hello = *hello;
      m_reader.setClockOffset(clockOffset(*hello, readPlace(m_place).bootId, clockPairNow()));
      return {};
    }
    if (m_hasEnded) return Unexpected<SystemError>({SystemAttempt::reachAgent, EPIPE, UntrustedText(m_name)});
    const Nanoseconds left = deadline - monotonicNow();
    // Also of one that says much and never hello.
    if (left <= Nanoseconds(0)) {
      return Unexpected<SystemError>({SystemAttempt::reachAgent, ETIMEDOUT, UntrustedText(m_name)});
    }
    const timespec timeout = asTimespec(left);
    std::array<pollfd, 3> entries{
        {{m_frames.get(), POLLIN, 0}, {interrupt.wakeDescriptor, POLLIN, 0}, {interrupt.secondDescriptor, POLLIN, 0}}};
    const int ready = ppoll(entries.data(), entries.size(), &timeout, nullptr);
    if (ready <= 0) continue;
    if ((entries[1].revents != 0 || entries[2].revents != 0) && interrupt.isOver()) {
      return Unexpected<SystemError>({SystemAttempt::reachAgent, ECANCELED, UntrustedText(m_name)});
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
    m_reader.end();
    return false;
  }
  m_reader.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
  return true;
}

void AgentCollector::ask(const CollectorRequest& request) {
  // An agent that does not read has asked for nothing more to be said: the newest request follows when it does.
  if (m_output.waiting() > 0) return;
  TraceWriter writer(m_output.buffer());
  const bool isNew = !m_asked;
  if (isNew || request.listInterval != m_asked->listInterval || request.focusInterval != m_asked->focusInterval) {
    writer.write(IntervalRequest{request.listInterval, request.focusInterval});
  }
  // The filter itself stays here: leaving out is allowed, not demanded, and the session filters what it shows.
  if (isNew || request.stateMask != m_asked->stateMask) writer.write(FilterRequest{request.stateMask, {}});
  if (isNew || request.focus != m_asked->focus) writer.write(FocusRequest{request.focus});
  m_asked = request;
  m_output.flush();
}

/// Hands on what was read; false when the sink has no room now.
bool AgentCollector::deliver(const ObservationSink& sink) {
  while (true) {
    if (!m_refused) {
      std::optional<TraceValue> value = m_reader.next();
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
  poll(entries.data(), entries.size(), m_refused ? kRetryMs : -1);
}

void AgentCollector::tellEnd(const ObservationSink& sink) const {
  ObservationBatch batch;
  batch.place = m_place;
  batch.gaps.push_back({m_place, GapKind::agentEnded, 1});
  sink(std::move(batch));
}

void AgentCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  const WithoutPipeSignal quiet;
  while (!stop.stop_requested()) {
    if (const CollectorRequest wanted = requests.take(); wanted != m_asked) ask(wanted);
    m_output.flush();
    if (deliver(sink)) {
      if (m_hasEnded) return tellEnd(sink);
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
