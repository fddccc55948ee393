#include "collectors/owner/socket_duplicate.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

namespace tcpscope {

namespace {

SocketDuplicateError errorFrom(int number) {
  switch (number) {
    case EPERM:
    case EACCES:
      return SocketDuplicateError::notPermitted;
    case ENOSYS:
      return SocketDuplicateError::notSupported;
    default:
      return SocketDuplicateError::gone;
  }
}

/// Number of the process's descriptor for this socket.
Expected<int, SocketDuplicateError> descriptorOf(std::int32_t pid, std::uint32_t inode) {
  DIR* entries = opendir(fmt::format("/proc/{}/fd", pid).c_str());
  if (entries == nullptr) return tl::unexpected(errorFrom(errno));
  const std::string wanted = fmt::format("socket:[{}]", inode);
  Expected<int, SocketDuplicateError> found = tl::unexpected(SocketDuplicateError::gone);
  while (const dirent* entry = readdir(entries)) {
    std::array<char, 64> target{};
    const ssize_t length = readlinkat(dirfd(entries), entry->d_name, target.data(), target.size());
    if (length <= 0 || std::string_view(target.data(), static_cast<std::size_t>(length)) != wanted) continue;
    const std::string_view name(entry->d_name);
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    found = number;
    break;
  }
  closedir(entries);
  return found;
}

bool hasCookie(int descriptor, std::uint64_t cookie) {
  std::uint64_t value = 0;
  socklen_t size = sizeof value;
  return getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &value, &size) == 0 && value == cookie;
}

}  // namespace

Expected<OwnedDescriptor, SocketDuplicateError> duplicateSocket(std::int32_t pid, std::uint32_t inode,
                                                                std::uint64_t cookie, std::optional<int> number) {
  const OwnedDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process) return tl::unexpected(errorFrom(errno));
  if (!number) {
    const auto found = descriptorOf(pid, inode);
    if (!found) return tl::unexpected(found.error());
    number = *found;
  }
  OwnedDescriptor duplicate(static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), *number, 0)));
  if (!duplicate) return tl::unexpected(errorFrom(errno));
  if (!hasCookie(duplicate.get(), cookie)) return tl::unexpected(SocketDuplicateError::otherSocket);
  return duplicate;
}

}  // namespace tcpscope
