// The clocks of this machine, as core's points in time. Core reads no clock: whoever observes passes the moment in.
#pragma once

#include <chrono>

#include "core/base/moment.h"

namespace tcpscope {

/// CLOCK_MONOTONIC, which is what libstdc++'s steady_clock reads.
inline Moment monotonicNow() {
  return Moment::fromNanoseconds(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

inline WallTime wallNow() {
  return WallTime::fromNanoseconds(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
}

inline ClockPair clockPairNow() {
  return {monotonicNow(), wallNow()};
}

inline std::chrono::steady_clock::time_point asSteadyTime(Moment moment) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(moment.nanoseconds()));
}

}  // namespace tcpscope
