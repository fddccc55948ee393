// Reads and sets the options of the catalogue (core/changes/socket_option.h) of one socket.
#pragma once

#include "core/changes/option_value.h"

namespace tcpscope {

/// Absent for an option that the kernel does not have.
OptionValues readSocketOptions(int socket);
std::optional<OptionValue> readSocketOption(int socket, SocketOption option);

/// 0, or the errno. The value is that of setsockopt(), where the kernel doubles a buffer's size. A size beyond
/// net.core.wmem_max or rmem_max is forced where the rights allow it.
int setSocketOption(int socket, const OptionChange& change);

}  // namespace tcpscope
