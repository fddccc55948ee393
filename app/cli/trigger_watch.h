// `watch --trigger CONDITION`: a line for each connection that begins to satisfy a condition in the words of the
// filter.
#pragma once

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"

namespace tcpscope {

/// `options.filterText` chooses the connections that are watched.
ExitCode watchTrigger(const CommandOptions& options);

}  // namespace tcpscope
