// Whether a thread that sleeps until given moments is woken late too often. Time is passed in.
#pragma once

#include "core/base/units.h"

namespace tcpscope {

class LateWakeUps {
public:
  /// More than half of what a sample at 1 kHz may be late.
  static constexpr Nanoseconds kLate = std::chrono::microseconds(300);
  static constexpr unsigned kWindow = 1'000;
  /// A percent.
  static constexpr unsigned kMany = 10;

  /// True for the wake-up that is the tenth late one of a thousand; then it counts from zero.
  [[nodiscard]] bool areMany(Nanoseconds late) {
    if (late > kLate) ++m_late;
    const bool many = m_late >= kMany;
    if (++m_seen >= kWindow || many) *this = {};
    return many;
  }

private:
  unsigned m_seen = 0;
  unsigned m_late = 0;
};

}  // namespace tcpscope
