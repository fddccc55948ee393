// How long poll(2) may wait until a moment.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

/// Milliseconds, a minute at most; -1 for ever where nothing is due.
inline int pollTimeout(std::optional<Moment> due) {
  if (!due) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*due - monotonicNow());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

}  // namespace tcpscope
