#include "app/probe/socket_address.h"

#include <arpa/inet.h>

#include <array>
#include <cstring>

namespace tcpscope {

IpSocketAddress ipSocketAddress(const Endpoint& endpoint) {
  IpSocketAddress address;
  if (endpoint.address.family() == AddressFamily::ipv4) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(endpoint.port);
    std::memcpy(&v4.sin_addr, endpoint.address.bytes().data(), sizeof v4.sin_addr);
    std::memcpy(&address.bytes, &v4, sizeof v4);
    address.size = sizeof v4;
    return address;
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(endpoint.port);
  std::memcpy(&v6.sin6_addr, endpoint.address.bytes().data(), sizeof v6.sin6_addr);
  std::memcpy(&address.bytes, &v6, sizeof v6);
  address.size = sizeof v6;
  return address;
}

std::optional<Endpoint> endpointOf(const IpSocketAddress& address) {
  if (address.family() == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address.bytes, sizeof v4);
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return Endpoint{IpAddress::v4(bytes), ntohs(v4.sin_port)};
  }
  if (address.family() != AF_INET6) return std::nullopt;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address.bytes, sizeof v6);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return Endpoint{IpAddress::v6(bytes), ntohs(v6.sin6_port)};
}

}  // namespace tcpscope
