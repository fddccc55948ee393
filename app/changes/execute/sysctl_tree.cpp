#include "app/changes/execute/sysctl_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

namespace {

Expected<std::string, int> contentOf(const std::filesystem::path& path) {
  const OwnedDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return tl::unexpected(errno);
  std::array<char, 512> buffer{};
  const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
  if (size < 0) return tl::unexpected(errno);
  return withSingleBlanks({buffer.data(), static_cast<std::size_t>(size)});
}

std::uint64_t inodeOf(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

Expected<std::filesystem::path, int> pathOf(const std::filesystem::path& procRoot, const std::string& key) {
  const auto allowed = allowedKeys();
  if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) return tl::unexpected(EINVAL);
  std::string path = key;
  std::replace(path.begin(), path.end(), '.', '/');
  return procRoot / "sys" / path;
}

}  // namespace

Expected<std::string, int> SysctlTree::read(const std::string& key) const {
  return pathOf(m_procRoot, key).and_then(contentOf);
}

Expected<void, int> SysctlTree::write(const std::string& key, const std::string& value) const {
  const auto path = pathOf(m_procRoot, key);
  if (!path) return tl::unexpected(path.error());
  const OwnedDescriptor file(open(path->c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return tl::unexpected(errno);
  if (::write(file.get(), value.data(), value.size()) < 0) return tl::unexpected(errno);
  return {};
}

Expected<void, int> SysctlTree::checkWritable(const std::string& key) const {
  const auto path = pathOf(m_procRoot, key);
  if (!path) return tl::unexpected(path.error());
  const OwnedDescriptor file(open(path->c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return tl::unexpected(errno);
  return {};
}

std::string SysctlTree::bootId() const {
  return contentOf(m_procRoot / "sys/kernel/random/boot_id").value_or(std::string());
}

std::uint64_t SysctlTree::networkNamespace() const {
  return inodeOf(m_procRoot / "self/ns/net");
}

std::optional<bool> SysctlTree::isHostNamespace() const {
  // Each namespace has its own inodes there. ns/net of PID 1 is only readable with all of that process's capabilities.
  const std::uint64_t own = inodeOf(m_procRoot / "self/net/dev");
  const std::uint64_t host = inodeOf(m_procRoot / "1/net/dev");
  if (own == 0 || host == 0) return std::nullopt;
  return own == host;
}

}  // namespace tcpscope
