// What of a packet is left for data: the MTU less the headers of IP and of TCP, with timestamps, which Linux sends
// unless a host refuses them.
#pragma once

#include "core/base/units.h"

namespace tcpscope {

/// 20 bytes of IPv4, 20 of TCP, 12 of timestamps.
inline constexpr Bytes kIpv4Headers{52};
/// 40 bytes of IPv6.
inline constexpr Bytes kIpv6Headers{72};

/// Of Ethernet, and of its jumbo frames as most adapters and switches have them.
inline constexpr Bytes kEthernetMtu{1500};
inline constexpr Bytes kJumboMtu{9000};

/// `mtu` must not be less than the headers.
constexpr Bytes segmentOf(Bytes mtu, Bytes headers = kIpv4Headers) {
  return mtu - headers;
}

}  // namespace tcpscope
