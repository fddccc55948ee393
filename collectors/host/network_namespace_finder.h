// Which network namespaces exist: those of a thread, of a mount, or of an open descriptor.
//
// A namespace that only a socket keeps, or a descriptor in flight between two processes, is not found: neither can be
// entered by way of /proc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <unordered_set>

namespace tcpscope {

/// Their inodes, perhaps with numbers that are of none. Nothing where one may be hidden: without the right to read
/// every process (ptrace), within a PID namespace, or on a host with more descriptors than are worth reading.
std::optional<std::unordered_set<std::uint64_t>> findNetworkNamespaces(const std::filesystem::path& procRoot);

}  // namespace tcpscope
