// Reads a capture; its busiest connections with all of their packets.
#pragma once

#include "app/cli/connection_watch.h"

namespace tcpscope {

/// Absent where the file is not a capture; an error was already printed.
std::optional<Expected<ConnectionWatch, ExitCode>> readCapturedConnections(const ConnectionFilter& filter,
                                                                           const std::string& file);

}  // namespace tcpscope
