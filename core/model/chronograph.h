// Growth of one of the kernel's chronographs (busy, rwnd_limited, sndbuf_limited, total_rto_time) between two samples.
//
// They tick in jiffies and are read without a lock, so that one may step back by a few ticks or grow by more than the
// time that passed. A large step back is a socket that was disconnected and used again.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/units.h"

namespace tcpscope {

/// Steps back of up to this are a read without lock: a few ticks of the slowest clock (HZ = 100).
inline constexpr Milliseconds kChronographNoise{40};

/// 0 … span. Nothing where a reading is missing or the chronograph started again. `carry` is what it reported beyond
/// the span, or what it stepped back, and counts at the next sample: samples may be closer together than its ticks.
/// Always inline, as the fields of TcpInfoSample are.
[[gnu::always_inline]] inline std::optional<Nanoseconds> chronographDelta(const std::optional<Microseconds>& before,
                                                                          const std::optional<Microseconds>& now,
                                                                          Nanoseconds span, Nanoseconds& carry) {
  const Nanoseconds carried = std::exchange(carry, Nanoseconds::zero());
  if (!before || !now) return std::nullopt;
  const Nanoseconds grown = *now - *before;
  if (grown < -kChronographNoise) return std::nullopt;
  const Nanoseconds all = grown + carried;
  const Nanoseconds taken = std::max(Nanoseconds::zero(), std::min(all, span));
  const Nanoseconds noise = kChronographNoise;
  carry = std::max(-noise, std::min(all - taken, noise));
  return taken;
}

/// Of looks that are far apart.
[[gnu::always_inline]] inline std::optional<Nanoseconds> chronographDelta(const std::optional<Microseconds>& before,
                                                                          const std::optional<Microseconds>& now,
                                                                          Nanoseconds span) {
  Nanoseconds carry{0};
  return chronographDelta(before, now, span, carry);
}

/// Of all chronographs of a socket.
struct ChronographCarry {
  Nanoseconds busy{0};
  Nanoseconds receiver{0};
  Nanoseconds sendBuffer{0};
  Nanoseconds timeout{0};
  /// Waited for retransmission timers, and longer than the step in which they fired: total_rto_time begins then.
  Nanoseconds timerWait{0};
};

}  // namespace tcpscope
