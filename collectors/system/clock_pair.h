// One instant on both clocks of this host, and how sure that is.
#pragma once

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

struct ClockReading {
  ClockPair pair;
  /// The two may be apart by so much.
  Nanoseconds error{0};
};

/// The best of a few: each reads the monotonic clock before and after the wall's.
ClockReading readClocks();

}  // namespace tcpscope
