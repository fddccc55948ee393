// How the interfaces with hardware behind them are set, as text: they go into every recording beside the settings of
// TCP, and are looked at again as those are.
#pragma once

#include <filesystem>

#include "collectors/host/host_access.h"
#include "collectors/trace/trace_values.h"

namespace tcpscope {

/// More adapters than a host has that one looks at for its TCP.
inline constexpr std::size_t kMostLinkFacts = 32;

/// Keys as core/host/link_setting.h names them; what cannot be read is left out. `root` is above sys.
HostFacts readLinkFacts(const std::filesystem::path& root, const HostAccess& access);

}  // namespace tcpscope
