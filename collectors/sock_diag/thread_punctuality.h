// Makes the calling thread one that the system wakes in time: for a thread that does little, and that little at given
// moments.
#pragma once

namespace tcpscope {

/// Timers of this thread fire at their moment, not up to 50 µs later, and the scheduler gives it short slices, so that
/// it may interrupt what runs in longer ones (Linux 6.12). Needs no right; where the kernel knows neither, nothing
/// changes.
void becomePunctual();

}  // namespace tcpscope
