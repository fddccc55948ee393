// `watch --ended`: a line for each connection that ends, also for those shorter than an interval.
#pragma once

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"
#include "core/filter/connection_filter.h"

namespace tcpscope {

ExitCode watchEnded(const CommandOptions& options, const ConnectionFilter& filter);

}  // namespace tcpscope
