// A capture where a recording is asked for: says which command reads it.
#pragma once

#include <optional>

#include "app/cli/command_options.h"

namespace tcpscope {

/// Nothing where `--from` names no capture; else the exit code after the hint was given.
std::optional<ExitCode> refuseCapture(const CommandOptions& options);

}  // namespace tcpscope
