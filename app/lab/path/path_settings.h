// The whole emulated network: hosts on a left and a right side, each on a link of its own, and one path between the
// sides (a dumbbell). Two hosts and a path are the usual case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lab/path/link_settings.h"
#include "core/model/endpoint.h"

namespace tcpscope::lab {

/// Both directions of one link.
struct DuplexSettings {
  /// Left to right; on a host's own link: from the host.
  LinkSettings forward;
  LinkSettings backward;
  bool operator==(const DuplexSettings&) const = default;
};

enum class PathSide : std::uint8_t { left, right };

struct AttachedHost {
  std::string name;
  PathSide side = PathSide::left;
  DuplexSettings access;
  bool operator==(const AttachedHost&) const = default;
};

struct PathSettings {
  DuplexSettings path;
  /// Host number n (from 0) has the addresses of hostAddress(n).
  std::vector<AttachedHost> hosts;
  /// Random numbers of every link come from it.
  std::uint64_t seed = 1;
  bool operator==(const PathSettings&) const = default;
};

/// IPv4 10.77.0.(n+1)/24 and IPv6 fd77::(n+1)/64; port of host n on the emulator is n.
struct HostAddress {
  std::string ipv4;
  std::string ipv6;
};
HostAddress hostAddress(std::size_t hostNumber);
constexpr std::size_t kMostHosts = 253;

/// The number of the host whose address it is.
std::optional<std::size_t> hostWithAddress(const IpAddress& address);

/// Where the path's own ICMP messages come from.
IpAddress routerAddress(AddressFamily family);

}  // namespace tcpscope::lab
