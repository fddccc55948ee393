#include "core/filter/packet_filter.h"

#include <fmt/format.h>

namespace tcpscope {

std::string packetFilterOf(const Endpoint& local, const Endpoint& remote) {
  // On the wire an IPv4-mapped address is the IPv4 address.
  const IpAddress here = local.address.unmapped();
  const IpAddress there = remote.address.unmapped();
  if (here == there) {
    return fmt::format("tcp and host {} and port {} and port {}", here.toString(), local.port, remote.port);
  }
  return fmt::format("tcp and host {} and port {} and host {} and port {}", here.toString(), local.port,
                     there.toString(), remote.port);
}

}  // namespace tcpscope
