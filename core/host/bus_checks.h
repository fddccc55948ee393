// The check of who shares an adapter's place on the bus.
#pragma once

#include "core/host/host_checkup.h"

namespace tcpscope {

/// Adds none for an interface that is down or has no hardware.
void addBusChecks(std::vector<CheckRow>& rows, const LinkReading& link, const HostReading& before,
                  const HostReading& after);

}  // namespace tcpscope
