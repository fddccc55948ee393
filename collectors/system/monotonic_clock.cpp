#include "collectors/system/monotonic_clock.h"

#include "core/base/units.h"

namespace tcpscope {

Moment monotonicNow() {
  // steady_clock is CLOCK_MONOTONIC in both standard libraries on Linux.
  return Moment::fromNanoseconds(
      std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace tcpscope
