#include "app/lab/traffic/event_loop.h"

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <array>

#include "app/lab/host/set_up_error.h"

namespace tcpscope::lab {

namespace {

constexpr unsigned long kTimerSlackNanoseconds = 1000;

timespec toTimespec(Nanoseconds span) {
  const std::int64_t nanoseconds = std::max<std::int64_t>(span.count(), 0);
  timespec result{};
  result.tv_sec = nanoseconds / kNanosecondsPerSecond;
  result.tv_nsec = nanoseconds % kNanosecondsPerSecond;
  return result;
}

}  // namespace

Moment trafficClock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return Moment::fromNanoseconds(now.tv_sec * kNanosecondsPerSecond + now.tv_nsec);
}

Expected<EventLoop, LabError> EventLoop::make() {
  OwnedDescriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return setUpError("a loop for sockets");
  prctl(PR_SET_TIMERSLACK, kTimerSlackNanoseconds);
  return EventLoop(std::move(epoll));
}

void EventLoop::watch(int socket, std::uint32_t events, EventTarget& target) {
  const auto known = m_watched.find(socket);
  if (events == 0) {
    if (known == m_watched.end()) return;
    epoll_ctl(m_epoll.get(), EPOLL_CTL_DEL, socket, nullptr);
    m_watched.erase(known);
    return;
  }
  epoll_event event{};
  event.events = events;
  event.data.ptr = &target;
  if (known == m_watched.end()) {
    epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, socket, &event);
    m_watched.emplace(socket, events);
    if (m_meter != nullptr) m_meter->add(socket);
  } else if (known->second != events) {
    epoll_ctl(m_epoll.get(), EPOLL_CTL_MOD, socket, &event);
    known->second = events;
  }
}

void EventLoop::wakeAt(Moment moment, EventTarget& target) {
  m_awaited.emplace(moment, &target);
}

void EventLoop::run() {
  while (!m_watched.empty() || !m_awaited.empty()) {
    wait();
    const Moment now = trafficClock();
    while (!m_awaited.empty() && m_awaited.begin()->first <= now) {
      EventTarget* const target = m_awaited.begin()->second;
      m_awaited.erase(m_awaited.begin());
      target->due();
    }
    if (m_meter != nullptr) m_meter->after(now);
  }
  if (m_meter != nullptr) m_meter->sample(trafficClock());
}

std::optional<Moment> EventLoop::nextMoment() const {
  std::optional<Moment> next;
  if (!m_awaited.empty()) next = m_awaited.begin()->first;
  const std::optional<Moment> sample = m_meter != nullptr ? m_meter->dueAt() : std::nullopt;
  return sample && (!next || *sample < *next) ? sample : next;
}

void EventLoop::wait() {
  std::array<epoll_event, 64> events;
  timespec timeout{};
  const std::optional<Moment> next = nextMoment();
  if (next) timeout = toTimespec(*next - trafficClock());
  const int count =
      epoll_pwait2(m_epoll.get(), events.data(), static_cast<int>(events.size()), next ? &timeout : nullptr, nullptr);
  if (m_meter != nullptr) m_meter->before(trafficClock());
  for (int at = 0; at < count; ++at) {
    static_cast<EventTarget*>(events[static_cast<std::size_t>(at)].data.ptr)->ready();
  }
}

}  // namespace tcpscope::lab
