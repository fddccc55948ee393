// What `list` and `watch` print of a capture: its connections as packets show them, without listeners and without
// figures of a kernel.
#pragma once

#include <optional>

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"

namespace tcpscope {

/// Nothing where `--from` names no capture.
std::optional<ExitCode> listCapture(const CommandOptions& options, const ConnectionFilter& filter);

}  // namespace tcpscope
