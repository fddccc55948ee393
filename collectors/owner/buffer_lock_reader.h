// Reads which buffers of a running program's socket the program set itself (SO_BUF_LOCK), through a duplicate of its
// descriptor. Nothing is written.
#pragma once

#include <cstdint>

#include "collectors/owner/socket_duplicate.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// As duplicateSocket(); also fails with `notSupported` where the kernel has no SO_BUF_LOCK.
Expected<BufferLocks, SocketDuplicateError> readBufferLocks(std::int32_t pid, std::uint32_t inode, std::uint64_t cookie,
                                                            std::optional<int> number = std::nullopt);

}  // namespace tcpscope
