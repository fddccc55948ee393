// The timer that a socket waits for, as the diagnosis message and `ss -o` report it.
#pragma once

#include <cstdint>

#include "core/base/units.h"

namespace tcpscope {

/// With the kernel's numbers (`idiag_timer`, net/ipv4/inet_diag.c).
enum class TimerKind : std::uint8_t { retransmission = 1, keepAlive = 2, timeWait = 3, windowProbe = 4 };

struct SocketTimer {
  TimerKind kind = TimerKind::retransmission;
  /// Retransmissions without an acknowledgment so far; of the other kinds, probes without an answer.
  Count attempts;
  /// From when the sample was taken.
  Milliseconds expiresIn{0};

  bool operator==(const SocketTimer&) const = default;
};

}  // namespace tcpscope
