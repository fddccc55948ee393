// The settings of this network namespace that decide what TCP does, as text: they go into every recording, so that a
// later reader knows what the host was like.
#pragma once

#include <filesystem>

#include "collectors/trace/trace_values.h"

namespace tcpscope {

/// Those that can be read here; keys as `sysctl` names them.
HostFacts readSysctlFacts(const std::filesystem::path& procRoot = "/proc");

}  // namespace tcpscope
