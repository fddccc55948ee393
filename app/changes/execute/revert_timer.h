// The process that undoes a change which nobody confirmed: detached from the caller and its terminal, because the one
// who cut himself off cannot come back and undo it.
#pragma once

#include <functional>

#include "core/base/units.h"

namespace tcpscope {

/// Nanoseconds on CLOCK_BOOTTIME, which goes on while the machine sleeps.
Nanoseconds bootTime();

/// Starts a process of its own session, without the caller's files, that calls `expire` at the deadline and ends; errno
/// where none can be started. For a process with a single thread.
int startRevertTimer(Nanoseconds deadline, const std::function<void()>& expire);

}  // namespace tcpscope
