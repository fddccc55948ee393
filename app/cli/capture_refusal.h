// Where a command needs samples over time, a capture has none: the command that reads it is named.
#pragma once

#include <optional>

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"

namespace tcpscope {

/// The exit code after the sentence where `--from` names a capture; nothing for anything else.
std::optional<ExitCode> refuseCapture(const CommandOptions& options);

}  // namespace tcpscope
