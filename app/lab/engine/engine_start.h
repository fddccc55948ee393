// Starts the running program a second time, as the lab's engine.
#pragma once

#include "collectors/system/child_process.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"

namespace tcpscope::lab {

/// The engine's only argument, and where it finds its end of the channel to its owner.
inline constexpr const char* kEngineArgument = "lab-engine";
inline constexpr int kEngineChannel = 3;

struct StartedEngine {
  ChildProcess process;
  /// The owner's end.
  OwnedDescriptor channel;
};

/// May be called from a threaded process. The engine inherits nothing but standard error and its end
/// of the channel, and has the default signals. The error is errno.
Expected<StartedEngine, int> startEngine();

}  // namespace tcpscope::lab
