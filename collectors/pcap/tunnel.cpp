#include "collectors/pcap/tunnel.h"

#include "collectors/pcap/link_layer.h"

namespace tcpscope {

namespace {

constexpr std::size_t kUdpHeaderBytes = 8;
constexpr std::uint16_t kVxlanPort = 4789;
/// What Linux took before there was a number.
constexpr std::uint16_t kLinuxVxlanPort = 8472;
constexpr std::uint16_t kGenevePort = 6081;

std::optional<TunnelPayload> openGre(const FrameRest& rest) {
  if (!rest.has(4)) return std::nullopt;
  const std::uint16_t flags = rest.u16(0);
  // Version 1 is PPTP's; bit 1 is the routing of RFC 1701, which RFC 2784 removed.
  if ((flags & 0x4007U) != 0) return std::nullopt;
  std::size_t headerBytes = 4;
  for (const unsigned field : {0x8000U, 0x2000U, 0x1000U}) headerBytes += (flags & field) != 0 ? 4U : 0U;
  if (!rest.has(headerBytes)) return std::nullopt;
  return TunnelPayload{rest.u16(2), rest.behind(headerBytes)};
}

std::optional<TunnelPayload> openVxlan(const FrameRest& rest) {
  constexpr std::uint8_t kNetworkIsValid = 0x08;
  if (!rest.has(8) || rest.u8(0) != kNetworkIsValid) return std::nullopt;
  return TunnelPayload{kEtherTypeEthernet, rest.behind(8)};
}

std::optional<TunnelPayload> openGeneve(const FrameRest& rest) {
  if (!rest.has(8) || rest.u8(0) >> 6 != 0) return std::nullopt;
  const std::size_t headerBytes = 8 + (rest.u8(0) & 0x3fU) * 4U;
  if (!rest.has(headerBytes)) return std::nullopt;
  return TunnelPayload{rest.u16(2), rest.behind(headerBytes)};
}

std::optional<TunnelPayload> openUdp(const FrameRest& rest) {
  if (!rest.has(kUdpHeaderBytes)) return std::nullopt;
  switch (rest.u16(2)) {
    case kVxlanPort:
    case kLinuxVxlanPort:
      return openVxlan(rest.behind(kUdpHeaderBytes));
    case kGenevePort:
      return openGeneve(rest.behind(kUdpHeaderBytes));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<TunnelPayload> openTunnel(std::uint8_t protocol, const FrameRest& rest) {
  switch (protocol) {
    case 4:
      return TunnelPayload{kEtherTypeIpv4, rest};
    case 41:
      return TunnelPayload{kEtherTypeIpv6, rest};
    case 47:
      return openGre(rest);
    case 17:
      return openUdp(rest);
    default:
      return std::nullopt;
  }
}

}  // namespace tcpscope
