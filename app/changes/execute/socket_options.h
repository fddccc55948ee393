// The catalogue's options of one socket, through a descriptor of it.
#pragma once

#include "core/changes/option_value.h"

namespace tcpscope {

/// What the kernel says of each.
OptionValues readSocketOptions(int socket);
std::optional<OptionValue> readSocketOption(int socket, SocketOption option);

/// 0, or the errno. The value is in the terms of setsockopt(): a buffer's size is doubled by the kernel. One beyond
/// what programs may set gets what its user's rights allow.
int setSocketOption(int socket, const OptionChange& change);

}  // namespace tcpscope
