// The checks of one network interface, its hardware and its queue.
#pragma once

#include "core/host/host_checkup.h"

namespace tcpscope {

/// What a bus carries: transfers a second and lane, in billions, and lanes.
BitsPerSecond busRateOf(double gts, std::uint32_t lanes);

/// Adds none for an interface that is down, and none of hardware where there is none. `hostForwards`: whether packets
/// are passed on between interfaces.
void addLinkChecks(std::vector<CheckRow>& rows, const LinkReading& before, const LinkReading& after,
                   std::optional<bool> hostForwards);

}  // namespace tcpscope
