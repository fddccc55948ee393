// Waits for sockets and for moments, for a program that drives many connections with one thread.
#pragma once

#include <map>

#include "app/lab/traffic/host_meter.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// CLOCK_MONOTONIC.
Moment trafficClock();

/// Must outlive the loop.
class EventTarget {
public:
  EventTarget() = default;
  EventTarget(const EventTarget&) = delete;
  EventTarget& operator=(const EventTarget&) = delete;
  virtual ~EventTarget() = default;

  /// The socket that it watches can do what it was watched for, or has failed.
  virtual void ready() = 0;
  /// Its moment has come.
  virtual void due() = 0;
};

class EventLoop {
public:
  static Expected<EventLoop, LabError> make();

  /// For EPOLLIN, EPOLLOUT; 0 for nothing at all, failures included. Replaces what was watched of this socket before.
  void watch(int socket, std::uint32_t events, EventTarget& target);
  void wakeAt(Moment moment, EventTarget& target);
  /// Samples every socket that is watched from now on. Outlives the loop.
  void meterWith(ProgramMeter& meter) { m_meter = &meter; }
  /// Until nothing is watched or awaited any more.
  void run();

private:
  explicit EventLoop(OwnedDescriptor epoll) : m_epoll(std::move(epoll)) {}
  void wait();
  [[nodiscard]] std::optional<Moment> nextMoment() const;

  OwnedDescriptor m_epoll;
  std::map<int, std::uint32_t> m_watched;
  std::multimap<Moment, EventTarget*> m_awaited;
  ProgramMeter* m_meter = nullptr;
};

}  // namespace tcpscope::lab
