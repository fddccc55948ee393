// Endpoints as the socket calls take them.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>

#include "core/model/endpoint.h"

namespace tcpscope {

struct IpSocketAddress {
  sockaddr_storage bytes{};
  socklen_t size = sizeof(sockaddr_storage);

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
  [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&bytes); }
  [[nodiscard]] int family() const { return bytes.ss_family; }
};

IpSocketAddress ipSocketAddress(const Endpoint& endpoint);
/// Nothing for another family than IP.
std::optional<Endpoint> endpointOf(const IpSocketAddress& address);

}  // namespace tcpscope
