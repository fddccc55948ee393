// The events of a place's connections as its kernel reports them, without samples: for a log of connections.
//
// One thread a source. Events of all network namespaces of the host come. Drops and retransmissions name theirs
// (core/model/loss_report.h), changes of state do not: see collectors/tracepoint/event_rings.h.
#pragma once

#include <memory>
#include <vector>

#include "app/session/bounded_queue.h"
#include "app/session/collector_thread.h"
#include "app/session/local_place.h"
#include "collectors/tracepoint/connection_log.h"

namespace tcpscope {

class EventStream {
public:
  /// Null where this process may not trace, or the kernel reports none of these events. Fails where the system gives no
  /// descriptor or no thread.
  static Expected<std::unique_ptr<EventStream>, SystemError> open(const LocalPlace& place,
                                                                  ConnectionLog::ThreadNames names);
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  struct Events {
    /// In order of time, over all calls.
    std::vector<KernelEvent> events;
    /// Events that were lost because a buffer was full.
    std::uint64_t lost = 0;
  };
  /// What happened since the last call, but for the last quarter of a second: sources report at different times. Does
  /// not wait.
  Events take();
  /// Ends the sources; what was not taken yet.
  Events finish();

  struct Reported {
    /// Connections that open, fail to open or close.
    bool changes = false;
    bool retransmissions = false;
    /// Packets that this host drops.
    bool drops = false;
  };
  /// What can be reported here.
  [[nodiscard]] Reported reported() const { return m_reported; }

private:
  EventStream(std::vector<std::unique_ptr<CollectorThread>> threads, Reported reported,
              ConnectionLog::ThreadNames names);
  void stop();
  Events takeUntil(Moment until);

  Reported m_reported;
  std::vector<KernelEvent> m_waiting;
  BoundedQueue m_queue;
  ConnectionLog m_log;
  std::vector<std::unique_ptr<CollectorThread>> m_threads;
};

}  // namespace tcpscope
