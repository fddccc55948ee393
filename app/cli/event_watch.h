// `watch --events`: a line for each connection that is opened, accepted, closed or fails to open, for each
// retransmission, and for each packet that this host drops.
#pragma once

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"
#include "core/filter/connection_filter.h"

namespace tcpscope {

ExitCode watchEvents(const CommandOptions& options, const ConnectionFilter& filter);

}  // namespace tcpscope
