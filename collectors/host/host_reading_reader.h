// Reads what the check-up of a host needs: interfaces from /sys/class/net, ethtool and rtnetlink, packet work from
// softnet_stat, TCP's counters from netstat, what TCP remembers, and the control group's memory; all of the network
// namespace that this process is in.
#pragma once

#include <filesystem>

#include "collectors/host/host_access.h"
#include "core/host/host_reading.h"

namespace tcpscope {

/// What cannot be read is absent. `root` is above proc and sys.
HostReading readHost(const std::filesystem::path& root, const HostAccess& access);

/// Of this machine.
HostReading readHost();

}  // namespace tcpscope
