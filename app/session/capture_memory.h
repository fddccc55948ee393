// How much memory the analysis of a capture may take on this machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tcpscope {

/// The smaller of 2 GiB and half of what the kernel says is available.
std::size_t captureMemory();

/// MemAvailable of /proc/meminfo (proc_meminfo(5)) in bytes; nothing where the kernel does not report it.
std::optional<std::size_t> availableMemory(std::string_view meminfo);

}  // namespace tcpscope
