#include "core/present/text/display_filter.h"

#include <fmt/format.h>

namespace tcpscope {

std::string displayFilter(const Endpoint& one, const Endpoint& other) {
  // What a socket calls ::ffff:192.0.2.1 is IPv4 in its packets.
  const IpAddress first = one.address.unmapped();
  const IpAddress second = other.address.unmapped();
  const std::string_view field = first.family() == AddressFamily::ipv4 ? "ip.addr" : "ipv6.addr";
  return fmt::format("{0} == {1} && {0} == {2} && tcp.port == {3} && tcp.port == {4}", field, first.toString(),
                     second.toString(), one.port, other.port);
}

}  // namespace tcpscope
