// The remote network that identifies a path: /24 of an IPv4 address, /48 of an IPv6 one, the sizes in which networks
// are assigned and routed.
#pragma once

#include <optional>

#include "core/model/endpoint.h"

namespace tcpscope {

class PathPrefix {
public:
  /// Nothing for an address that no path leads to: unspecified, loopback, link-local, multicast. An IPv4-mapped address
  /// is the IPv4 one.
  static std::optional<PathPrefix> of(const IpAddress& remote);
  /// "192.0.2.0/24", "2001:db8::/48", or an address within; nothing for other text and other lengths of a prefix.
  static std::optional<PathPrefix> parse(std::string_view text);

  [[nodiscard]] const IpAddress& network() const { return m_network; }
  [[nodiscard]] unsigned bits() const;
  [[nodiscard]] std::string toString() const;

  auto operator<=>(const PathPrefix&) const = default;

private:
  explicit PathPrefix(const IpAddress& network) : m_network(network) {}

  IpAddress m_network;
};

/// Of a connection; nothing also where both ends have one address, so that nothing leaves the host.
std::optional<PathPrefix> pathOf(const IpAddress& local, const IpAddress& remote);

}  // namespace tcpscope
