#include "collectors/sock_diag/sock_diag_collector.h"

#include <poll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/sock_diag/filter_bytecode.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kShortestFocusInterval = std::chrono::milliseconds(1);
constexpr Nanoseconds kShortestListInterval = std::chrono::milliseconds(10);
constexpr unsigned long kTimerSlackNs = 1000;
/// Dumps may take a quarter of the time.
constexpr int kIntervalPerDumpTime = 4;
/// Destroyed sockets are looked for every so many receives of a dump, so that their buffer does not overflow meanwhile.
constexpr unsigned kStepsBetweenDestroyed = 8;

bool isReadable(int descriptor) {
  pollfd entry{descriptor, POLLIN, 0};
  return poll(&entry, 1, 0) > 0;
}

}  // namespace

void SlotSchedule::start(Moment first, Nanoseconds interval) {
  m_next = first;
  m_interval = interval;
}

std::uint64_t SlotSchedule::take(Moment now) {
  const std::int64_t passed = std::max<std::int64_t>(0, (now - m_next) / m_interval);
  m_next = m_next + m_interval * (passed + 1);
  return static_cast<std::uint64_t>(passed);
}

Expected<std::unique_ptr<SockDiagCollector>, NetlinkError> SockDiagCollector::open(SockDiagAccess access,
                                                                                   const SockDiagSettings& settings) {
  std::function<Moment()> now = access.now;
  Expected<std::unique_ptr<SockDiagPoller>, NetlinkError> poller = SockDiagPoller::open(std::move(access), settings);
  if (!poller) return Unexpected<NetlinkError>(poller.error());
  return std::unique_ptr<SockDiagCollector>(new SockDiagCollector(std::move(now), std::move(*poller)));
}

SockDiagCollector::SockDiagCollector(std::function<Moment()> now, std::unique_ptr<SockDiagPoller> poller)
    : m_now(std::move(now)), m_poller(std::move(poller)) {}

CollectorDescription SockDiagCollector::describe() const {
  return kDescription;
}

void SockDiagCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  // Only this thread's timers become precise; the default slack of 50 µs would be a twentieth of the shortest slot.
  prctl(PR_SET_TIMERSLACK, kTimerSlackNs, 0, 0, 0);
  accept(requests.take());
  while (!stop.stop_requested() && !m_poller->isBroken()) {
    if (isReadable(requests.wakeDescriptor())) {
      const CollectorRequest request = requests.take();
      if (request != m_request) accept(request);
      continue;
    }
    work(sink);
    if (!m_isDumping) wait(requests.wakeDescriptor());
  }
}

void SockDiagCollector::accept(const CollectorRequest& request) {
  const Moment now = m_now();
  const bool isSameList = m_hasRequest && request.listInterval == m_request.listInterval &&
                          request.stateMask == m_request.stateMask && request.filter == m_request.filter;
  m_hasRequest = true;
  m_request = request;
  m_isFocusGone = false;
  m_focus.start(now, std::max<Nanoseconds>(request.focusInterval, kShortestFocusInterval));
  if (isSameList) return;
  m_poller->setFilter(request.stateMask, compileFilter(request.filter));
  m_list.start(now, listInterval());
}

Nanoseconds SockDiagCollector::listInterval() const {
  return std::max<Nanoseconds>(m_request.listInterval, kShortestListInterval);
}

void SockDiagCollector::work(const ObservationSink& sink) {
  if (m_request.focus && !m_isFocusGone && m_focus.isDue(m_now())) sampleFocus(sink);
  if (m_isDumping) {
    stepDump(sink);
    return;
  }
  const Moment now = m_now();
  if (!m_list.isDue(now)) {
    m_poller->takeDestroyed(sink);
    return;
  }
  m_list.take(now);
  m_dumpBegan = now;
  m_poller->beginDump();
  m_isDumping = true;
}

void SockDiagCollector::stepDump(const ObservationSink& sink) {
  if (++m_steps % kStepsBetweenDestroyed == 0) m_poller->takeDestroyed(sink);
  if (m_poller->step(sink) == SockDiagPoller::Step::more) return;
  m_isDumping = false;
  const Moment now = m_now();
  const Moment earliest = m_dumpBegan + (now - m_dumpBegan) * kIntervalPerDumpTime;
  while (m_list.next() < earliest) m_list.take(earliest);
  // An inconsistent dump is repeated at once, but only once.
  m_isRepeat = m_poller->wasInterrupted() && !m_isRepeat;
  if (m_isRepeat) m_list.start(now, listInterval());
}

void SockDiagCollector::sampleFocus(const ObservationSink& sink) {
  const std::uint64_t missed = m_focus.take(m_now());
  if (missed > 0) m_poller->gaps().add(GapKind::focusSlotMissed, missed);
  m_isFocusGone = !m_poller->sampleFocus(*m_request.focus, sink);
}

void SockDiagCollector::wait(int wakeDescriptor) const {
  Moment until = m_list.next();
  if (m_request.focus && !m_isFocusGone) until = std::min(until, m_focus.next());
  const Nanoseconds left = std::max(until - m_now(), Nanoseconds(0));
  const std::chrono::seconds whole = std::chrono::duration_cast<std::chrono::seconds>(left);
  timespec timeout{};
  timeout.tv_sec = whole.count();
  timeout.tv_nsec = (left - whole).count();
  std::array<pollfd, 2> entries{{{wakeDescriptor, POLLIN, 0}, {m_poller->destroyDescriptor(), POLLIN, 0}}};
  ppoll(entries.data(), entries.size(), &timeout, nullptr);
}

}  // namespace tcpscope
