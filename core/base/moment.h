// Points in time. `Moment` is CLOCK_MONOTONIC of the place where the sample was taken, `WallTime` is UTC for people.
//
// Core never reads a clock: callers pass the moment in.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace tcpscope {

template <class ClockTag>
class TimePoint {
public:
  constexpr TimePoint() = default;
  static constexpr TimePoint fromNanoseconds(std::int64_t nanoseconds) {
    TimePoint point;
    point.m_sinceEpoch = std::chrono::nanoseconds(nanoseconds);
    return point;
  }
  [[nodiscard]] constexpr std::int64_t nanoseconds() const { return m_sinceEpoch.count(); }
  /// Seconds since the clock's zero, for axes and output.
  [[nodiscard]] constexpr double seconds() const { return std::chrono::duration<double>(m_sinceEpoch).count(); }

  constexpr auto operator<=>(const TimePoint&) const = default;

  template <class Rep, class Period>
  friend constexpr TimePoint operator+(TimePoint point, std::chrono::duration<Rep, Period> span) {
    return point.m_sinceEpoch += std::chrono::duration_cast<std::chrono::nanoseconds>(span), point;
  }
  template <class Rep, class Period>
  friend constexpr TimePoint operator-(TimePoint point, std::chrono::duration<Rep, Period> span) {
    return point.m_sinceEpoch -= std::chrono::duration_cast<std::chrono::nanoseconds>(span), point;
  }
  friend constexpr std::chrono::nanoseconds operator-(TimePoint a, TimePoint b) {
    return a.m_sinceEpoch - b.m_sinceEpoch;
  }

private:
  std::chrono::nanoseconds m_sinceEpoch{0};
};

using Moment = TimePoint<struct MonotonicClockTag>;
using WallTime = TimePoint<struct WallClockTag>;

/// One instant on both clocks of a place; maps its moments to wall time.
struct ClockPair {
  Moment monotonic;
  WallTime wall;

  [[nodiscard]] constexpr WallTime wallAt(Moment moment) const { return wall + (moment - monotonic); }
};

}  // namespace tcpscope
