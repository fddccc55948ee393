// Makes the calling thread one that the system wakes in time: for a thread that does little, and that little at given
// moments.
#pragma once

namespace tcpscope {

/// Timers of this thread fire at their moment, not up to 50 µs later, and it runs before what is not urgent: as a
/// real-time thread of the lowest priority where the user may have one, else in short slices (Linux 6.12), which may
/// interrupt longer ones and need no right. Where the kernel refuses all of it, nothing changes.
void becomePunctual();

}  // namespace tcpscope
