#include "collectors/sock_diag/focus_collector.h"

#include <poll.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "collectors/sock_diag/thread_punctuality.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kShortestInterval = std::chrono::milliseconds(1);
/// 20 a second: a plot still moves, and each wakes the analysis.
constexpr Nanoseconds kLongestBatch = std::chrono::milliseconds(50);

timespec asTimespec(Nanoseconds span) {
  const std::chrono::seconds whole = std::chrono::duration_cast<std::chrono::seconds>(span);
  timespec result{};
  result.tv_sec = whole.count();
  result.tv_nsec = (span - whole).count();
  return result;
}

}  // namespace

Expected<std::unique_ptr<FocusCollector>, NetlinkError> FocusCollector::open(const SockDiagAccess& access,
                                                                             const SockDiagSettings& settings) {
  Expected<FocusSampler, NetlinkError> sampler = FocusSampler::open(access, settings);
  if (!sampler) return Unexpected<NetlinkError>(sampler.error());
  return std::unique_ptr<FocusCollector>(new FocusCollector(access.now, std::move(*sampler)));
}

void FocusCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  becomePunctual();
  accept(requests.take());
  while (!stop.stop_requested() && !m_sampler.isBroken()) {
    const WaitEnd end = wait(requests.wakeDescriptor());
    if (end == WaitEnd::request) accept(requests.take());
    if (end == WaitEnd::slot) sample(sink);
  }
}

void FocusCollector::accept(const CollectorRequest& request) {
  if (request.focus == m_request.focus && request.focusInterval == m_request.focusInterval) return;
  m_request = request;
  m_focus = request.focus;
  m_slots.start(m_now(), std::max<Nanoseconds>(request.focusInterval, kShortestInterval));
}

FocusCollector::WaitEnd FocusCollector::wait(int wakeDescriptor) const {
  // A plain sleep costs a third of ppoll(), and the batch ends soon. That to a moment needs no clock.
  if (m_focus && m_sampler.gatheringSince()) {
    const timespec due = asTimespec(m_slots.next() - Moment());
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr) == 0 ? WaitEnd::slot : WaitEnd::signal;
  }
  const timespec left = asTimespec(std::max(m_slots.next() - m_now(), Nanoseconds(0)));
  pollfd entry{wakeDescriptor, POLLIN, 0};
  const int ready = ppoll(&entry, 1, m_focus ? &left : nullptr, nullptr);
  if (ready < 0) return WaitEnd::signal;
  return ready > 0 ? WaitEnd::request : WaitEnd::slot;
}

void FocusCollector::sample(const ObservationSink& sink) {
  if (!m_sampler.sample(*m_focus)) m_focus.reset();
  // Each look at the clock counts: it is called as a rule from cold caches.
  const Moment asked = m_sampler.askedAt();
  if (m_wakeUps.areMany(asked - m_slots.next())) becomeRealTime();
  const std::uint64_t missed = m_slots.take(asked);
  if (missed > 0) m_sampler.gaps().add(GapKind::focusSlotMissed, missed);
  const std::optional<Moment> since = m_sampler.gatheringSince();
  const bool takesMore = m_focus && since && m_slots.next() - *since < kLongestBatch;
  if (!takesMore || m_sampler.isBroken()) m_sampler.deliver(sink);
}

}  // namespace tcpscope
