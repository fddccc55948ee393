// Reads one process from a /proc tree: its descriptors that are sockets, its name, user and unit. The tree's root
// enters by the constructor, so that tests use one of their own making.
//
// A process may end at any moment: whatever cannot be read any more is simply not there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/model/owner.h"

namespace tcpscope {

class ProcessReader {
public:
  struct Descriptor {
    int number = 0;
    std::uint32_t inode = 0;
    bool operator==(const Descriptor&) const = default;
  };
  struct Sockets {
    bool notPermitted = false;
    std::vector<Descriptor> descriptors;
  };

  explicit ProcessReader(std::filesystem::path root) : m_root(std::move(root)) {}

  /// Every process of the tree.
  [[nodiscard]] std::vector<std::int32_t> pids() const;
  /// When the process began, in ticks since boot: together with the pid it is never used twice. Nothing when it is
  /// gone.
  [[nodiscard]] std::optional<std::uint64_t> startTime(std::int32_t pid) const;
  [[nodiscard]] Sockets sockets(std::int32_t pid) const;
  /// False only for lack of privilege; true also where the process is gone.
  [[nodiscard]] bool mayListDescriptors(std::int32_t pid) const;
  /// Does descriptor `number` still name the socket `inode`?
  [[nodiscard]] bool holds(std::int32_t pid, Descriptor descriptor) const;
  [[nodiscard]] std::optional<std::uint32_t> userId(std::int32_t pid) const;
  [[nodiscard]] UntrustedText name(std::int32_t pid) const;
  [[nodiscard]] std::optional<UntrustedText> unitOrContainer(std::int32_t pid) const;

private:
  [[nodiscard]] std::filesystem::path of(std::int32_t pid, const char* part) const;

  std::filesystem::path m_root;
};

/// The unit or container that the text of /proc/PID/cgroup names: "nginx.service", "docker:0123456789ab",
/// "podman:…", "kubernetes:…", "lxc:web". Nothing for a process outside of both.
std::optional<UntrustedText> unitOrContainerOf(std::string_view cgroupText);

}  // namespace tcpscope
