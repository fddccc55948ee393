// The entry into the lab's engine: what a program that starts labs calls first in its main().
#pragma once

#include <optional>

namespace tcpscope::lab {

/// Where this process was started to be a lab's engine (LabProcess::start starts the running executable again with a
/// first argument of its own), runs it and gives the exit code; otherwise nothing, at once. Call it before anything
/// starts a thread or opens a descriptor.
std::optional<int> runLabEngineIfAsked(int argumentCount, char** arguments);

}  // namespace tcpscope::lab
