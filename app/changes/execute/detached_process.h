// A process that outlives its caller: in a session of its own, without the caller's terminal and descriptors.
#pragma once

#include <functional>

namespace tcpscope {

/// Forks a process that runs `work` and exits. Returns 0 or the errno. For a process with a single thread.
int startDetached(const std::function<void()>& work);

}  // namespace tcpscope
