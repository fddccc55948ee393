// The checks of the path to another host.
#pragma once

#include "core/host/host_checkup.h"
#include "core/host/path_reading.h"

namespace tcpscope {

/// Two rows, behind the others of the network layer, about the host as the user named it.
void addPathChecks(std::vector<CheckRow>& rows, const UntrustedText& host, const PathReading& reading);

}  // namespace tcpscope
