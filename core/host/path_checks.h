// The checks of the path to another host.
#pragma once

#include "core/host/host_checkup.h"
#include "core/host/path_reading.h"

namespace tcpscope {

/// Where the path gets longer by most; nothing where fewer than two hops answered.
std::optional<PathStep> longestStep(const std::vector<PathHop>& hops);

/// Two rows, behind the others of the network layer, about the host as the user named it.
void addPathChecks(std::vector<CheckRow>& rows, const UntrustedText& host, const PathReading& reading);

}  // namespace tcpscope
