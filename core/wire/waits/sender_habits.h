// What a sender does again and again, which separates its limits. Apart from `WireLimits`, as a short connection has
// none.
#pragma once

#include <cstdint>

#include "core/base/moment.h"
#include "core/wire/waits/burst_pace.h"

namespace tcpscope {

struct SenderHabits {
  /// Waits that ended without an acknowledgment, although the receive window was open and nothing was being repaired.
  struct Unprompted {
    Nanoseconds span{0};
    std::uint32_t count = 0;
    /// Of those: the segment before the wait was not full, and was pushed. There was nothing more to send.
    std::uint32_t afterShort = 0;
  };
  /// Pauses, and those of them that were short and came after a burst of at least two segments that ended with a full
  /// one: an application that has nothing more to send seldom ends at the edge of a segment.
  struct Pauses {
    std::uint32_t count = 0;
    std::uint32_t afterFull = 0;
  };
  /// At the sender: how it refilled what looks like its send buffer: acknowledgment after acknowledgment made room, and
  /// it sent nothing until a good part of what had been in flight was acknowledged, then a burst right at the last of
  /// them. Linux wakes a program that waits for space when a third of the buffer is free (sk_stream_is_writeable() in
  /// include/net/sock.h).
  struct Refills {
    std::uint32_t count = 0;
    /// Acknowledged before the sender continued with a refill.
    std::uint64_t bytes = 0;
  };

  Unprompted unprompted;
  Pauses pauses;
  Refills refills;
  /// Followed at the sender alone.
  BurstPace pace;
};

}  // namespace tcpscope
