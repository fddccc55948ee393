// A log of connections, from changes of state: opened after so long, accepted, failed to open, closed.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "core/model/kernel_event.h"
#include "core/model/source_event.h"
#include "core/model/tcp_state.h"

namespace tcpscope {

class ConnectionLog {
public:
  /// The name of a thread, empty where there is none. Asked at each SYN: many a program ends with its connection.
  using ThreadNames = std::function<UntrustedText(std::int32_t thread)>;

  /// Without `names` threads have none.
  explicit ConnectionLog(ThreadNames names = {}) : m_names(std::move(names)) {}

  /// Takes events in order of time. Absent where the change is none that the log shows, and where its socket has no
  /// number.
  std::optional<KernelEvent> take(const SourceEvent& event);

private:
  /// Where more are open at once, all are forgotten, and their durations are unknown.
  static constexpr std::size_t kMostOpen = 262'144;

  struct Known {
    /// The SYN of an attempt; of a connection the end of its handshake.
    Moment since;
    /// After the last change: where the next one begins with another, events are missing in between.
    TcpState state = TcpState::unknown;
    /// No connection yet, and opened from here.
    bool isAttempt = false;
    std::optional<std::int32_t> thread;
    UntrustedText threadName;
  };

  ThreadNames m_names;
  std::unordered_map<std::uint32_t, Known> m_known;
};

}  // namespace tcpscope
