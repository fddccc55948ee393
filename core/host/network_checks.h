// The checks of packet sizes, tunnels and routes.
#pragma once

#include "core/host/host_checkup.h"

namespace tcpscope {

/// Of one interface that is up; a tunnel gets a row of its own.
void addPacketSizeChecks(std::vector<CheckRow>& rows, const LinkReading& link);

void addRouteChecks(std::vector<CheckRow>& rows, const HostReading& reading);

}  // namespace tcpscope
