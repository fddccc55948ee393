// The memory of a process's control group, version 2 of them (Documentation/admin-guide/cgroup-v2.rst).
//
// Where groups of version 1 account for memory, nothing of it is here: `notSupported`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/host/host_reading.h"

namespace tcpscope {

/// Its path in the tree of version 2, "/" first, from the text of /proc/PID/cgroup. Nothing where it is in none, or in
/// one that cannot be seen from here.
std::optional<std::string> groupPathOf(std::string_view cgroupText);

/// The number behind `key` in a file of one "key number" a line, as memory.stat.
std::optional<std::uint64_t> keyedValue(std::string_view text, std::string_view key);

/// `cgroupFile` is /proc/PID/cgroup, `mounted` usually /sys/fs/cgroup.
Reported<GroupMemoryReading> readGroupMemory(const std::filesystem::path& cgroupFile,
                                             const std::filesystem::path& mounted);

}  // namespace tcpscope
