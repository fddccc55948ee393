// What a child process writes to the end of its output, bounded in size and time.
#pragma once

#include "collectors/system/child_process.h"

namespace tcpscope {

struct OutputLimits {
  std::size_t maxBytes = 1U << 20U;
  Nanoseconds timeout = std::chrono::seconds(30);
};

struct ChildOutput {
  std::string text;
  ExitStatus status;
  /// False where a limit was reached: `text` holds what came before, and the child was killed.
  bool isComplete = false;
};

/// Runs the command with a pipe as its standard output, whatever `command.output` is.
Expected<ChildOutput, ChildError> outputOf(ChildCommand command, const OutputLimits& limits = {});

/// Runs `work` in a forked child (child_process.h) with the pipe that it writes to.
Expected<ChildOutput, ChildError> outputOfFork(const std::function<void(int pipe)>& work,
                                               const OutputLimits& limits = {});

}  // namespace tcpscope
