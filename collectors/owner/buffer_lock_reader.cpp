#include "collectors/owner/buffer_lock_reader.h"

#include <sys/socket.h>

namespace tcpscope {

namespace {

// Debian 12's headers know neither name; the numbers are from include/uapi/asm-generic/socket.h.
constexpr int kSoBufLock = 72;
constexpr int kSendBufferLocked = 1;
constexpr int kReceiveBufferLocked = 2;

}  // namespace

Expected<BufferLocks, SocketDuplicateError> readBufferLocks(std::int32_t pid, std::uint32_t inode, std::uint64_t cookie,
                                                            std::optional<int> number) {
  const auto duplicate = duplicateSocket(pid, inode, cookie, number);
  if (!duplicate) return tl::unexpected(duplicate.error());
  int locks = 0;
  socklen_t size = sizeof locks;
  if (getsockopt(duplicate->get(), SOL_SOCKET, kSoBufLock, &locks, &size) != 0) {
    return tl::unexpected(SocketDuplicateError::notSupported);
  }
  return BufferLocks{(locks & kSendBufferLocked) != 0, (locks & kReceiveBufferLocked) != 0};
}

}  // namespace tcpscope
