// The settings of this network namespace that decide what TCP does, as text: they go into every recording, so that a
// later reader knows what the host was like.
#pragma once

#include <filesystem>

#include "collectors/trace/trace_values.h"
#include "core/host/sysctl_values.h"

namespace tcpscope {

/// Those that can be read here; keys as `sysctl` names them.
HostFacts readSysctlFacts(const std::filesystem::path& procRoot = "/proc");

/// The same to be looked up. Whoever told the facts may lie: the values are read as numbers only.
SysctlValues sysctlValues(const HostFacts& facts);

}  // namespace tcpscope
