#include "collectors/host/network_namespace_list.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#include "collectors/host/file_values.h"
#include "core/base/expected.h"

namespace tcpscope {

namespace {

/// The inode in "net:[4026531840]"; errno where the link cannot be read.
Expected<std::uint64_t, int> inodeOfLink(const std::filesystem::path& path) {
  constexpr std::string_view kKind = "net:[";
  std::array<char, 64> text{};
  const ssize_t size = readlink(path.c_str(), text.data(), text.size());
  if (size < 0) return Unexpected<int>(errno);
  const std::string_view link(text.data(), static_cast<std::size_t>(size));
  const auto inode =
      link.starts_with(kKind) ? numberIn<std::uint64_t>(link.substr(kKind.size())) : std::optional<std::uint64_t>();
  return inode ? Expected<std::uint64_t, int>(*inode) : Unexpected<int>(EINVAL);
}

using ByInode = std::map<std::uint64_t, ListedNamespace>;

void addThoseOfProcesses(ByInode& found, const std::filesystem::path& procRoot, bool& mayBeMore) {
  std::error_code error;
  std::filesystem::directory_iterator entry(procRoot, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const auto pid = numberIn<std::int32_t>(entry->path().filename().native());
    if (!pid) continue;
    const auto inode = inodeOfLink(entry->path() / "ns/net");
    if (!inode) {
      mayBeMore = mayBeMore || inode.error() == EACCES || inode.error() == EPERM;
      continue;
    }
    ListedNamespace& listed = found[*inode];
    listed.pid = listed.pid ? std::min(*listed.pid, *pid) : *pid;
  }
}

void addThoseWithNames(ByInode& found, const std::filesystem::path& named) {
  std::error_code error;
  std::filesystem::directory_iterator entry(named, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    struct stat status {};
    if (stat(entry->path().c_str(), &status) != 0) continue;
    std::optional<std::string>& name = found[status.st_ino].name;
    const std::string other = entry->path().filename().string();
    if (!name || other < *name) name = other;
  }
}

}  // namespace

NetworkNamespaceList listNetworkNamespaces(const std::filesystem::path& procRoot,
                                           const std::filesystem::path& namedNamespaces) {
  NetworkNamespaceList list;
  ByInode found;
  addThoseOfProcesses(found, procRoot, list.mayBeMore);
  addThoseWithNames(found, namedNamespaces);
  if (const auto own = inodeOfLink(procRoot / "self/ns/net")) found.erase(*own);
  for (auto& [inode, listed] : found) {
    listed.inode = inode;
    list.others.push_back(std::move(listed));
  }
  return list;
}

}  // namespace tcpscope
