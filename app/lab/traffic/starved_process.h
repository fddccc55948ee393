// A process that is ready to run and seldom does, as on a host with too much to do.
#pragma once

#include "core/base/units.h"

namespace tcpscope::lab {

/// From here on the calling process, which has one thread, runs on one processor only, beside a child that computes
/// there all the time: by its nice value it gets one part in thirty (kernel/sched/core.c, sched_prio_to_weight). The
/// child ends with its parent. False where the system does not allow it.
bool starveThisProcess();

/// Computes for so much of the processor's time, however long it takes to get it.
void compute(Nanoseconds processorTime);

}  // namespace tcpscope::lab
