// `watch --events`: a line for each connection that is opened, accepted, closed or fails to open, and for each
// retransmission.
#pragma once

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"
#include "core/filter/connection_filter.h"

namespace tcpscope {

ExitCode watchEvents(const CommandOptions& options, const ConnectionFilter& filter);

}  // namespace tcpscope
