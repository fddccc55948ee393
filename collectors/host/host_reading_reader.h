// Reads what the check-up of a host needs: interfaces from /sys/class/net, packet work from softnet_stat, TCP's
// counters from netstat; all of the network namespace that this process is in.
#pragma once

#include <filesystem>

#include "core/checkup/host_reading.h"

namespace tcpscope {

/// What cannot be read is absent. `root` is above proc and sys.
HostReading readHost(const std::filesystem::path& root = "/");

}  // namespace tcpscope
