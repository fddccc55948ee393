// What changes of state come to, as a log of connections: opened after so long, accepted, failed to open, closed.
#pragma once

#include <optional>
#include <unordered_map>

#include "core/model/kernel_event.h"
#include "core/model/source_event.h"

namespace tcpscope {

class ConnectionLog {
public:
  /// Takes events in order of time. Absent where the change is none that the log shows, and where its socket has no
  /// number.
  std::optional<KernelEvent> take(const SourceEvent& event);

private:
  /// Of so many at once that their ends must have been missed, all are forgotten: their durations are unknown then.
  static constexpr std::size_t kMostOpen = 65'536;

  struct Known {
    /// The SYN of an attempt; of a connection the end of its handshake.
    Moment since;
    std::optional<std::int32_t> thread;
  };

  std::unordered_map<std::uint32_t, Known> m_known;
};

}  // namespace tcpscope
