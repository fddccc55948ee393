// What an interface's driver reports by SIOCETHTOOL (include/uapi/linux/ethtool.h). Reading needs no privilege.
#pragma once

#include "collectors/host/host_access.h"
#include "core/host/link_reading.h"

namespace tcpscope {

/// `notSupported` where the driver answers none of the questions.
Reported<OffloadReading> readOffloads(const UntrustedText& interface, const HostAccess& access);

Reported<RingReading> readRings(const UntrustedText& interface, const HostAccess& access);
Reported<CoalescingReading> readCoalescing(const UntrustedText& interface, const HostAccess& access);

}  // namespace tcpscope
