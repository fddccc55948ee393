// The checks of TCP itself: its counters, its memory and what it remembers.
#pragma once

#include "core/host/host_checkup.h"

namespace tcpscope {

/// The reverse path, whose counter stands among TCP's, with them.
void addTransportChecks(std::vector<CheckRow>& rows, const HostReading& before, const HostReading& after);

}  // namespace tcpscope
