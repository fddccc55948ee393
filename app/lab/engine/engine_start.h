// Starts the running program a second time, as the lab's engine.
#pragma once

#include <sys/types.h>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"

namespace tcpscope::lab {

/// The engine's only argument, and where it finds its end of the channel to its owner.
inline constexpr const char* kEngineArgument = "lab-engine";
inline constexpr int kEngineChannel = 3;

struct StartedEngine {
  pid_t process = -1;
  /// The owner's end.
  OwnedDescriptor channel;
};

/// Without fork(), so that a threaded process may call it. The engine inherits nothing but standard error and its end
/// of the channel, and has the default signals. The error is errno.
Expected<StartedEngine, int> startEngine();

/// Waits for the engine to end, as it does when its channel is closed, and then kills it.
void awaitEngineEnd(pid_t process);

}  // namespace tcpscope::lab
