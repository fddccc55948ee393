// Reads which buffers of a running program's socket the program set itself (SO_BUF_LOCK), through a duplicate of its
// descriptor (pidfd_getfd, Linux 5.6).
//
// Needs the right to trace the process: an own one where Yama allows it, any with CAP_SYS_PTRACE. The cookie is checked
// on the duplicate, so that a descriptor number that was reused meanwhile is never mistaken for the socket. Nothing is
// written.
#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "core/observation/socket_observation.h"

namespace tcpscope {

enum class BufferLockError : std::uint8_t {
  /// The process has no descriptor with this inode, or it has ended.
  gone,
  notPermitted,
  /// The descriptor belongs to another socket by now.
  otherSocket,
  /// The kernel has no pidfd_getfd or no SO_BUF_LOCK.
  notSupported,
};

/// `inode` is that of the socket (idiag_inode), `cookie` the kernel's socket cookie.
Expected<BufferLocks, BufferLockError> readBufferLocks(std::int32_t pid, std::uint32_t inode, std::uint64_t cookie);

}  // namespace tcpscope
