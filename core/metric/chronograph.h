// Growth of one of the kernel's chronographs (busy, rwnd_limited, sndbuf_limited, total_rto_time) between two looks.
//
// They tick in jiffies and are read without a lock, so that one may step back by a few ticks or grow by more than the
// time that passed. A large step back is a socket that was disconnected and used again.
#pragma once

#include <algorithm>
#include <optional>

#include "core/base/units.h"

namespace tcpscope {

/// Steps back of up to this are a read without lock: a few ticks of the slowest clock (HZ = 100).
inline constexpr Milliseconds kChronographNoise{40};

/// 0 … span. Nothing where a reading is missing or the chronograph started again.
inline std::optional<Nanoseconds> chronographDelta(std::optional<Microseconds> before, std::optional<Microseconds> now,
                                                   Nanoseconds span) {
  if (!before || !now) return std::nullopt;
  const Microseconds grown = *now - *before;
  if (grown < -kChronographNoise) return std::nullopt;
  return std::clamp<Nanoseconds>(grown, Nanoseconds::zero(), std::max(span, Nanoseconds::zero()));
}

}  // namespace tcpscope
