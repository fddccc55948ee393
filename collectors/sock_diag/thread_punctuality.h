// Makes the calling thread one that the system wakes in time: for a thread that does little, and that little at given
// moments.
#pragma once

namespace tcpscope {

/// Timers of this thread fire at their moment, not up to 50 µs later, and it runs in short slices (Linux 6.12), which
/// may interrupt longer ones. Needs no right. Where the kernel refuses it, nothing changes.
void becomePunctual();

/// It runs before all that is not real-time, where the user may have that; else nothing changes. Its wake-ups cost
/// more: for a processor that others keep busy.
void becomeRealTime();

}  // namespace tcpscope
