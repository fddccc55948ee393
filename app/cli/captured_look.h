// The look at the connections of a capture that carry most, with all of their packets.
#pragma once

#include "app/cli/connection_look.h"

namespace tcpscope {

/// Nothing where the file is no capture; an error was told already.
std::optional<Expected<ConnectionLook, ExitCode>> lookAtCapture(const ConnectionFilter& filter,
                                                                const std::string& file);

}  // namespace tcpscope
