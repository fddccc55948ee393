#include "core/metric/chronograph.h"

#include <algorithm>

namespace tcpscope {

std::optional<Nanoseconds> chronographDelta(std::optional<Microseconds> before, std::optional<Microseconds> now,
                                            Nanoseconds span) {
  if (!before || !now) return std::nullopt;
  const Microseconds grown = *now - *before;
  if (grown < -kChronographNoise) return std::nullopt;
  return std::clamp<Nanoseconds>(grown, Nanoseconds::zero(), std::max(span, Nanoseconds::zero()));
}

}  // namespace tcpscope
