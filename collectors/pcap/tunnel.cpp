#include "collectors/pcap/tunnel.h"

#include "collectors/pcap/link_layer.h"

namespace tcpscope {

namespace {

constexpr std::size_t kUdpHeaderBytes = 8;
constexpr std::uint16_t kVxlanPort = 4789;
/// What Linux took before there was a number.
constexpr std::uint16_t kLinuxVxlanPort = 8472;
constexpr std::uint16_t kGenevePort = 6081;
constexpr std::uint16_t kGreInUdpPort = 4754;
constexpr std::uint16_t kGtpUserPort = 2152;

TunnelPayload packetByVersion(const FrameRest& packet) {
  return {etherTypeByVersion(packet), packet};
}

/// Mirrored frames. Without a sequence number in GRE there is no header (type I); else version 1 is type II.
std::optional<TunnelPayload> openErspan(const FrameRest& rest, bool hasSequence) {
  if (!hasSequence) return TunnelPayload{kEtherTypeEthernet, rest};
  if (!rest.has(8) || rest.u8(0) >> 4 != 1) return std::nullopt;
  return TunnelPayload{kEtherTypeEthernet, rest.behind(8)};
}

/// Type III: 12 bytes, and 8 of the platform where the last bit says so.
std::optional<TunnelPayload> openErspan3(const FrameRest& rest) {
  constexpr std::size_t kFixedBytes = 12;
  if (!rest.has(kFixedBytes) || rest.u8(0) >> 4 != 2) return std::nullopt;
  const std::size_t headerBytes = kFixedBytes + ((rest.u8(11) & 1U) != 0 ? 8U : 0U);
  if (!rest.has(headerBytes)) return std::nullopt;
  const FrameRest inner = rest.behind(headerBytes);
  switch (rest.u8(10) >> 2 & 0x1fU) {
    case 0:
      return TunnelPayload{kEtherTypeEthernet, inner};
    case 2:
      return packetByVersion(inner);
    default:
      return std::nullopt;
  }
}

std::optional<TunnelPayload> openGre(const FrameRest& rest) {
  if (!rest.has(4)) return std::nullopt;
  const std::uint16_t flags = rest.u16(0);
  // Version 1 is PPTP's; bit 1 is the routing of RFC 1701, which RFC 2784 removed.
  if ((flags & 0x4007U) != 0) return std::nullopt;
  std::size_t headerBytes = 4;
  for (const unsigned field : {0x8000U, 0x2000U, 0x1000U}) headerBytes += (flags & field) != 0 ? 4U : 0U;
  if (!rest.has(headerBytes)) return std::nullopt;
  const FrameRest inner = rest.behind(headerBytes);
  switch (rest.u16(2)) {
    case 0x88be:
      return openErspan(inner, (flags & 0x1000U) != 0);
    case 0x22eb:
      return openErspan3(inner);
    default:
      return TunnelPayload{rest.u16(2), inner};
  }
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

/// A user's packet between base station and gateway of a mobile network (3GPP TS 29.281 §5.1).
std::optional<TunnelPayload> openGtp(const FrameRest& rest) {
  constexpr std::size_t kFixedBytes = 8;
  constexpr std::size_t kOptionalBytes = 4;
  constexpr std::uint8_t kUserPacket = 0xff;
  constexpr int kMostGtpHeaders = 8;
  if (!rest.has(kFixedBytes) || rest.u8(0) >> 4 != 3 || rest.u8(1) != kUserPacket) return std::nullopt;
  FrameRest inner = rest.behind(kFixedBytes);
  if ((rest.u8(0) & 7U) == 0) return packetByVersion(inner);
  if (!inner.has(kOptionalBytes)) return std::nullopt;
  std::uint8_t next = (rest.u8(0) & 4U) != 0 ? inner.u8(3) : std::uint8_t{0};
  inner = inner.behind(kOptionalBytes);
  for (int headers = 0; next != 0; ++headers) {
    const std::size_t bytes = inner.has(1) ? std::size_t{4} * inner.u8(0) : 0;
    if (bytes == 0 || !inner.has(bytes) || headers == kMostGtpHeaders) return std::nullopt;
    next = inner.u8(bytes - 1);
    inner = inner.behind(bytes);
  }
  return packetByVersion(inner);
}

std::optional<TunnelPayload> openUdp(const FrameRest& rest) {
  if (!rest.has(kUdpHeaderBytes)) return std::nullopt;
  switch (rest.u16(2)) {
    case kVxlanPort:
    case kLinuxVxlanPort:
      return openVxlan(rest.behind(kUdpHeaderBytes));
    case kGenevePort:
      return openGeneve(rest.behind(kUdpHeaderBytes));
    case kGreInUdpPort:
      return openGre(rest.behind(kUdpHeaderBytes));
    case kGtpUserPort:
      return openGtp(rest.behind(kUdpHeaderBytes));
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
