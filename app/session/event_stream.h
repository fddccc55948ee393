// The events of a place's connections as its kernel reports them, without samples: for a log of connections.
//
// One thread a source. Events of all network namespaces of the host come, and do not say which: see
// collectors/tracepoint/event_rings.h.
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
  /// Null where this process may not trace, or the kernel reports no changes of state. Fails where the system gives no
  /// descriptor or no thread.
  static Expected<std::unique_ptr<EventStream>, SystemError> open(const LocalPlace& place);
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  struct Events {
    /// In order of time.
    std::vector<KernelEvent> events;
    /// That the kernel reported and found no room.
    std::uint64_t lost = 0;
  };
  /// What came since the last call; does not wait.
  Events take();

private:
  explicit EventStream(std::vector<std::unique_ptr<CollectorThread>> threads);

  BoundedQueue m_queue;
  ConnectionLog m_log;
  std::vector<std::unique_ptr<CollectorThread>> m_threads;
};

}  // namespace tcpscope
