#include "collectors/owner/live_option_reader.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace tcpscope {

namespace {

// Debian 12's headers know neither name; the numbers are from include/uapi/asm-generic/socket.h.
constexpr int kSoBufLock = 72;
constexpr int kSendBufferLocked = 1;
constexpr int kReceiveBufferLocked = 2;

std::optional<int> optionOf(int descriptor, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  if (getsockopt(descriptor, IPPROTO_TCP, option, &value, &size) != 0) return std::nullopt;
  return value;
}

std::optional<NagleOptions> nagleOptionsOf(int descriptor) {
  const auto noDelay = optionOf(descriptor, TCP_NODELAY);
  const auto cork = optionOf(descriptor, TCP_CORK);
  if (!noDelay || !cork) return std::nullopt;
  return NagleOptions{*noDelay != 0, *cork != 0};
}

std::optional<Milliseconds> userTimeoutOf(int descriptor) {
  const auto timeout = optionOf(descriptor, TCP_USER_TIMEOUT);
  if (!timeout || *timeout < 0) return std::nullopt;
  return Milliseconds(*timeout);
}

}  // namespace

Expected<LiveOptions, SocketDuplicateError> readLiveOptions(std::int32_t pid, std::uint32_t inode, std::uint64_t cookie,
                                                            std::optional<int> number) {
  const auto duplicate = duplicateSocket(pid, inode, cookie, number);
  if (!duplicate) return tl::unexpected(duplicate.error());
  int locks = 0;
  socklen_t size = sizeof locks;
  if (getsockopt(duplicate->get(), SOL_SOCKET, kSoBufLock, &locks, &size) != 0) {
    return tl::unexpected(SocketDuplicateError::notSupported);
  }
  return LiveOptions{{(locks & kSendBufferLocked) != 0, (locks & kReceiveBufferLocked) != 0},
                     nagleOptionsOf(duplicate->get()),
                     userTimeoutOf(duplicate->get())};
}

}  // namespace tcpscope
