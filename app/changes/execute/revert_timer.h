// The process that reverts a change at the end of its trial. It is detached from the caller and its terminal: a user
// who loses the connection to the host gets the old values back.
#pragma once

#include <functional>

#include "core/base/units.h"

namespace tcpscope {

/// Nanoseconds on CLOCK_BOOTTIME, which includes suspend.
Nanoseconds bootTime();

/// Forks a process in its own session, without the caller's descriptors, that calls `expire` at the deadline and exits.
/// Returns 0 or the errno. For a process with a single thread.
int startRevertTimer(Nanoseconds deadline, const std::function<void()>& expire);

}  // namespace tcpscope
