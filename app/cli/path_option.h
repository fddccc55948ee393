// What `--path HOST` probes: the path from this host to another.
#pragma once

#include <optional>

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"
#include "core/base/expected.h"
#include "core/host/path_reading.h"

namespace tcpscope {

/// Absent without --path; an error was already printed.
Expected<std::optional<PathReading>, ExitCode> readPath(const CommandOptions& options);

}  // namespace tcpscope
