// A process that is ready to run and seldom does, as on a host with too much to do.
#pragma once

namespace tcpscope::lab {

/// From here on the calling process, which has one thread, runs on one processor only, beside a child that computes
/// there all the time, and only when nothing else is to run (sched(7), SCHED_IDLE). The child ends with its parent.
/// False where the system does not allow it.
bool starveThisProcess();

}  // namespace tcpscope::lab
