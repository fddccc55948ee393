// The check of an adapter's interrupts: whether its queues share the processors.
#pragma once

#include "core/host/host_checkup.h"

namespace tcpscope {

/// Adds none for an interface that is down or has no hardware. Both links are of the hosts' readings.
void addInterruptChecks(std::vector<CheckRow>& rows, const LinkReading& linkBefore, const LinkReading& linkAfter,
                        const HostReading& before, const HostReading& after);

}  // namespace tcpscope
