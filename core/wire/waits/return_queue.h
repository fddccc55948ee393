// The queue in which acknowledgments wait between the capture point and the sender of data, from what its segments echo
// (RFC 7323).
//
// A segment echoes the newest acknowledgment that its sender had: one that passed the capture point longer ago than the
// way there and back takes, and is not echoed yet, still waits. One that is echoed has arrived, so that it
// waited no longer than that. Between the two bounds the delay stays what it was: the sender's own pauses show in
// neither.
#pragma once

#include <algorithm>
#include <optional>

#include "core/base/units.h"

namespace tcpscope {

class ReturnQueue {
public:
  /// A segment of the sender passes the capture point. `unechoed`: age of the oldest acknowledgment that it does not
  /// echo; `answer`: age of the newest one that was echoed, when that echo passed first; `way`: to the sender and back
  /// without this queue.
  void take(const std::optional<Nanoseconds>& unechoed, const std::optional<Nanoseconds>& answer, Nanoseconds way) {
    // Clocks tick each millisecond, and a host takes its time to look at what has arrived.
    constexpr Nanoseconds kInexact = std::chrono::milliseconds(2);
    if (answer) m_delay = std::min(m_delay, std::max(*answer - way, Nanoseconds::zero()));
    if (unechoed) m_delay = std::max(m_delay, *unechoed - way - kInexact);
  }
  [[nodiscard]] Nanoseconds delay() const { return m_delay; }

private:
  Nanoseconds m_delay{0};
};

}  // namespace tcpscope
