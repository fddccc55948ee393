// What `list` prints of a capture: its connections as packets show them, without listeners and without figures of a
// kernel.
#pragma once

#include "app/cli/connection_watch.h"

namespace tcpscope {

ExitCode listCaptured(const CommandOptions& options, const ConnectionFilter& filter, ConnectionWatch watch);

}  // namespace tcpscope
