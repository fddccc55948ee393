// The other network namespaces of this host, as far as this process may see them: those of processes, and those with a
// name. network_namespace_finder.h finds every one, or none at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tcpscope {

struct ListedNamespace {
  std::uint64_t inode = 0;
  /// In /run/netns, as `ip netns` gives it.
  std::optional<std::string> name;
  /// The lowest of the processes in it; a container's first one.
  std::optional<std::int32_t> pid;

  bool operator==(const ListedNamespace&) const = default;
};

struct NetworkNamespaceList {
  /// By inode, without the caller's own.
  std::vector<ListedNamespace> others;
  /// Processes that this one may not ask may live in more.
  bool mayBeMore = false;
};

NetworkNamespaceList listNetworkNamespaces(const std::filesystem::path& procRoot = "/proc",
                                           const std::filesystem::path& namedNamespaces = "/run/netns");

}  // namespace tcpscope
