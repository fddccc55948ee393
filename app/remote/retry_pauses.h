// How long to wait before the next try to reach a host that was lost: longer from try to try, since a host that starts
// anew, or refuses, is not helped by haste.
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
