// The clock of the path's loop, and how long its thread was kept from running.
#pragma once

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope::lab {

/// CLOCK_MONOTONIC.
Moment pathClock();
/// At once where the moment has passed; a signal ends it early.
void sleepUntil(Moment moment);

/// Time that the calling thread was ready to run and did not, over its life: the second number of its schedstat in
/// /proc. 0 where the kernel does not keep it.
Nanoseconds waitedForProcessor();

}  // namespace tcpscope::lab
