// What an interface's driver says of itself by SIOCETHTOOL (include/uapi/linux/ethtool.h). Reading needs no right.
#pragma once

#include "collectors/host/host_access.h"
#include "core/host/link_reading.h"

namespace tcpscope {

/// `notSupported` where the driver answers none of the questions.
Reported<OffloadReading> readOffloads(const UntrustedText& interface, const HostAccess& access);

Reported<RingReading> readRings(const UntrustedText& interface, const HostAccess& access);
Reported<CoalescingReading> readCoalescing(const UntrustedText& interface, const HostAccess& access);

}  // namespace tcpscope
