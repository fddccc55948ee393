#include "core/host/layer_checks.h"

#include <algorithm>
#include <array>

#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

/// A kind of tunnel as rtnetlink names it, and the fewest bytes that it puts in front of each packet: IPv4 outside, no
/// options.
struct TunnelKind {
  std::string_view kind;
  std::uint64_t header;
};

constexpr std::array kTunnels = {
    TunnelKind{"ipip", 20},  TunnelKind{"sit", 20},       TunnelKind{"gre", 24},    TunnelKind{"gretap", 38},
    TunnelKind{"vxlan", 50}, TunnelKind{"geneve", 50},    TunnelKind{"ip6tnl", 40}, TunnelKind{"ip6gre", 44},
    TunnelKind{"vti", 0},    TunnelKind{"xfrm", 0},       TunnelKind{"tun", 0},     TunnelKind{"ppp", 0},
    TunnelKind{"gtp", 36},   TunnelKind{"wireguard", 60}, TunnelKind{"erspan", 50}, TunnelKind{"ip6gretap", 58},
};

CheckRow mtuOf(const LinkReading& link) {
  // What IPv6 needs (RFC 8200, section 5).
  constexpr std::uint64_t kLeast = 1280;
  CheckRow row{CheckId::mtu, CheckLayer::network, CheckStatus::unknown, link.name};
  row.mtu = link.mtu;
  if (link.mtu) row.status = link.mtu->value() < kLeast ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

CheckRow tunnelOf(const LinkReading& link, const TunnelKind& tunnel) {
  CheckRow row{CheckId::tunnel, CheckLayer::network, CheckStatus::unknown, link.name};
  row.names = {link.kind};
  row.mtu = link.mtu;
  row.lowerMtu = link.lowerMtu;
  if (!link.mtu) return row;
  const bool isTooLarge = link.lowerMtu && link.mtu->value() + tunnel.header > link.lowerMtu->value();
  row.status = isTooLarge ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

CheckRow defaultRouteOf(const HostReading& reading) {
  CheckRow row{CheckId::defaultRoute, CheckLayer::network, CheckStatus::unknown, {}};
  if (!reading.routes) return unknown(row, reading.routes.error());
  row.count = reading.routes->defaults;
  if (*row.count == 0 && !reading.routes->isWhole) return row;
  row.status = *row.count == 0 ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

CheckRow routeSettingsOf(const HostReading& reading) {
  CheckRow row{CheckId::routeSettings, CheckLayer::network, CheckStatus::unknown, {}};
  if (!reading.routes) return unknown(row, reading.routes.error());
  const RoutesReading& routes = *reading.routes;
  row.count = routes.withSettings;
  row.most = routes.routes;
  for (const RouteSettings& route : routes.examples) {
    std::string text = route.destination;
    for (const UntrustedText& setting : route.settings) text += " " + setting.rawBytes();
    row.names.emplace_back(std::move(text));
  }
  if (routes.withSettings == 0 && !routes.isWhole) return row;
  row.status = routes.withSettings > 0 ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

}  // namespace

void addPacketSizeChecks(std::vector<CheckRow>& rows, const LinkReading& link) {
  rows.push_back(mtuOf(link));
  const auto* tunnel = std::find_if(kTunnels.begin(), kTunnels.end(),
                                    [&](const TunnelKind& one) { return one.kind == link.kind.rawBytes(); });
  if (tunnel != kTunnels.end()) rows.push_back(tunnelOf(link, *tunnel));
}

void addRouteChecks(std::vector<CheckRow>& rows, const HostReading& reading) {
  rows.push_back(defaultRouteOf(reading));
  rows.push_back(routeSettingsOf(reading));
}

}  // namespace tcpscope
