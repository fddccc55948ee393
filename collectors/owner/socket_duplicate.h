// A second descriptor of a running program's socket (pidfd_getfd, Linux 5.6), to read and set the options that only the
// socket itself gives access to.
//
// Needs the right to trace the process: an own one where Yama allows it, any with CAP_SYS_PTRACE. The cookie is checked
// on the duplicate, so that a descriptor number that was reused meanwhile is never mistaken for the socket.
#pragma once

#include <cstdint>
#include <optional>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"

namespace tcpscope {

enum class SocketDuplicateError : std::uint8_t {
  /// The process has no descriptor with this inode, or it has ended.
  gone,
  notPermitted,
  /// The descriptor belongs to another socket by now.
  otherSocket,
  /// The kernel has no pidfd_getfd.
  notSupported,
};

/// `inode` is that of the socket (idiag_inode), `cookie` the kernel's socket cookie. Closed in programs that are
/// started later. `number` is the process's descriptor for it where that is known: without it all that the process has
/// are looked through.
Expected<OwnedDescriptor, SocketDuplicateError> duplicateSocket(std::int32_t pid, std::uint32_t inode,
                                                                std::uint64_t cookie,
                                                                std::optional<int> number = std::nullopt);

}  // namespace tcpscope
