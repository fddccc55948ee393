// How long to wait before the next attempt to reach a lost host: each pause is longer than the last, since haste does
// not help with a host that reboots or refuses.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/units.h"

namespace tcpscope {

class RetryPauses {
public:
  /// 1, 2, 4, 8, 16, 30, 30 … s.
  std::chrono::seconds next() { return std::exchange(m_next, std::min(2 * m_next, kLongest)); }
  /// A connection ended that had held for so long. A short one is one more failure: who comes and goes at once would
  /// else be called every second.
  void ended(Nanoseconds held) {
    if (held >= kLongest) *this = RetryPauses();
  }

private:
  static constexpr std::chrono::seconds kLongest{30};
  std::chrono::seconds m_next{1};
};

}  // namespace tcpscope
