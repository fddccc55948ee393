#include "collectors/sock_diag/sock_diag_collector.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tcpscope {

namespace {

constexpr Nanoseconds kShortestListInterval = std::chrono::milliseconds(10);
/// Dumps may take a quarter of the time.
constexpr int kIntervalPerDumpTime = 4;
/// Destroyed sockets are looked for every so many receives of a dump, so that their buffer does not overflow meanwhile.
constexpr unsigned kStepsBetweenDestroyed = 8;

bool isReadable(int descriptor) {
  pollfd entry{descriptor, POLLIN, 0};
  return poll(&entry, 1, 0) > 0;
}

}  // namespace

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
  if (isSameList) return;
  m_poller->setFilter(request.stateMask, request.filter);
  m_list.start(now, listInterval());
}

Nanoseconds SockDiagCollector::listInterval() const {
  return std::max<Nanoseconds>(m_request.listInterval, kShortestListInterval);
}

void SockDiagCollector::work(const ObservationSink& sink) {
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

void SockDiagCollector::wait(int wakeDescriptor) const {
  const Nanoseconds left = std::max(m_list.next() - m_now(), Nanoseconds(0));
  const std::chrono::seconds whole = std::chrono::duration_cast<std::chrono::seconds>(left);
  timespec timeout{};
  timeout.tv_sec = whole.count();
  timeout.tv_nsec = (left - whole).count();
  std::array<pollfd, 2> entries{{{wakeDescriptor, POLLIN, 0}, {m_poller->destroyDescriptor(), POLLIN, 0}}};
  ppoll(entries.data(), entries.size(), &timeout, nullptr);
}

}  // namespace tcpscope
