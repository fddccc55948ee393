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
    if (wait(requests.wakeDescriptor())) {
      accept(requests.take());
    } else {
      sample(sink);
    }
  }
}

void FocusCollector::accept(const CollectorRequest& request) {
  if (request.focus == m_request.focus && request.focusInterval == m_request.focusInterval) return;
  m_request = request;
  m_focus = request.focus;
  m_slots.start(m_now(), std::max<Nanoseconds>(request.focusInterval, kShortestInterval));
}

bool FocusCollector::wait(int wakeDescriptor) const {
  pollfd entry{wakeDescriptor, POLLIN, 0};
  if (!m_focus) return poll(&entry, 1, -1) > 0;
  const Nanoseconds left = std::max(m_slots.next() - m_now(), Nanoseconds(0));
  const std::chrono::seconds whole = std::chrono::duration_cast<std::chrono::seconds>(left);
  timespec timeout{};
  timeout.tv_sec = whole.count();
  timeout.tv_nsec = (left - whole).count();
  if (m_sampler.gatheringSince()) {
    // A plain sleep costs a third of ppoll(), and the batch ends soon.
    clock_nanosleep(CLOCK_MONOTONIC, 0, &timeout, nullptr);
    return false;
  }
  return ppoll(&entry, 1, &timeout, nullptr) > 0;
}

void FocusCollector::sample(const ObservationSink& sink) {
  const Moment now = m_now();
  // A signal may end the wait early.
  if (!m_focus || !m_slots.isDue(now)) return;
  if (m_wakeUps.areMany(now - m_slots.next())) becomeRealTime();
  const std::uint64_t missed = m_slots.take(now);
  if (missed > 0) m_sampler.gaps().add(GapKind::focusSlotMissed, missed);
  if (!m_sampler.sample(*m_focus)) m_focus.reset();
  const std::optional<Moment> since = m_sampler.gatheringSince();
  const bool takesMore = m_focus && since && m_slots.next() - *since < kLongestBatch;
  if (!takesMore || m_sampler.isBroken()) m_sampler.deliver(sink);
}

}  // namespace tcpscope
