// Reads what only a running program's own descriptor shows of its socket: which buffers it set itself (SO_BUF_LOCK),
// and whether small writes wait (TCP_NODELAY, TCP_CORK). Through a duplicate of the descriptor; nothing is written.
#pragma once

#include <cstdint>

#include "collectors/owner/socket_duplicate.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// As duplicateSocket(); also fails with `notSupported` where the kernel has no SO_BUF_LOCK.
Expected<LiveOptions, SocketDuplicateError> readLiveOptions(std::int32_t pid, std::uint32_t inode, std::uint64_t cookie,
                                                            std::optional<int> number = std::nullopt);

}  // namespace tcpscope
