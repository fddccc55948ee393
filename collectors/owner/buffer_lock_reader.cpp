#include "collectors/owner/buffer_lock_reader.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace tcpscope {

namespace {

// Debian 12's headers know neither name; the numbers are from include/uapi/asm-generic/socket.h.
constexpr int kSoBufLock = 72;
constexpr int kSendBufferLocked = 1;
constexpr int kReceiveBufferLocked = 2;

class Descriptor {
public:
  explicit Descriptor(long number) : m_number(static_cast<int>(number)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (m_number >= 0) close(m_number);
  }
  [[nodiscard]] int number() const { return m_number; }
  [[nodiscard]] bool valid() const { return m_number >= 0; }

private:
  int m_number;
};

BufferLockError errorFrom(int number) {
  switch (number) {
    case EPERM:
    case EACCES:
      return BufferLockError::notPermitted;
    case ENOSYS:
    case ENOPROTOOPT:
      return BufferLockError::notSupported;
    default:
      return BufferLockError::gone;
  }
}

/// Number of the process's descriptor for this socket.
Expected<int, BufferLockError> descriptorOf(std::int32_t pid, std::uint32_t inode) {
  DIR* entries = opendir(fmt::format("/proc/{}/fd", pid).c_str());
  if (entries == nullptr) return tl::unexpected(errorFrom(errno));
  const std::string wanted = fmt::format("socket:[{}]", inode);
  Expected<int, BufferLockError> found = tl::unexpected(BufferLockError::gone);
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

template <class Value>
std::optional<Value> socketOption(int descriptor, int option) {
  Value value{};
  socklen_t size = sizeof value;
  if (getsockopt(descriptor, SOL_SOCKET, option, &value, &size) != 0) return std::nullopt;
  return value;
}

}  // namespace

Expected<BufferLocks, BufferLockError> readBufferLocks(std::int32_t pid, std::uint32_t inode, std::uint64_t cookie) {
  const Descriptor process(syscall(SYS_pidfd_open, pid, 0));
  if (!process.valid()) return tl::unexpected(errorFrom(errno));
  const auto number = descriptorOf(pid, inode);
  if (!number) return tl::unexpected(number.error());
  const Descriptor duplicate(syscall(SYS_pidfd_getfd, process.number(), *number, 0));
  if (!duplicate.valid()) return tl::unexpected(errorFrom(errno));
  if (socketOption<std::uint64_t>(duplicate.number(), SO_COOKIE) != cookie) {
    return tl::unexpected(BufferLockError::otherSocket);
  }
  const auto locks = socketOption<int>(duplicate.number(), kSoBufLock);
  if (!locks) return tl::unexpected(BufferLockError::notSupported);
  return BufferLocks{(*locks & kSendBufferLocked) != 0, (*locks & kReceiveBufferLocked) != 0};
}

}  // namespace tcpscope
