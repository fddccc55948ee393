// The settings of a network namespace that decide what TCP does, as text: they go into every recording, so that a
// later reader knows what the host was like.
#pragma once

#include <filesystem>

#include "collectors/sock_diag/network_namespace.h"
#include "collectors/trace/trace_values.h"

namespace tcpscope {

/// Those that can be read here; keys as `sysctl` names them.
HostFacts readSysctlFacts(const std::filesystem::path& procRoot = "/proc");

/// Those of another network namespace; none where it cannot be entered. What is set for the whole host reads the same
/// there, where it can be seen at all.
HostFacts readSysctlFactsIn(const NetworkNamespace& where);

}  // namespace tcpscope
