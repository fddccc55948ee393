// A command of the user's, run once and timed.
#pragma once

#include <optional>
#include <string>

#include "core/base/units.h"

namespace tcpscope {

struct TimedRun {
  Nanoseconds elapsed{0};
  /// Of the shell; 128 and the signal's number where one ended it.
  int exitCode = 0;
};

/// By the shell, with the terminal of this program but for standard output, which goes to standard error: so that the
/// comparison alone is on standard output. Behind sudo it runs as the user who called that. Nothing where it cannot be
/// started.
std::optional<TimedRun> runTimed(const std::string& command);

}  // namespace tcpscope
