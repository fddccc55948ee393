#include "collectors/pcap/packet_decoder.h"

#include <array>
#include <cstring>

#include "collectors/pcap/link_layer.h"
#include "collectors/pcap/tunnel.h"

namespace tcpscope {

namespace {

constexpr std::size_t kEthernetHeaderBytes = 14;
constexpr std::size_t kIpv4HeaderBytes = 20;
constexpr std::size_t kIpv6HeaderBytes = 40;
constexpr std::size_t kTcpHeaderBytes = 20;
constexpr std::uint8_t kProtocolTcp = 6;
/// More of either is no packet that somebody sends for data's sake.
constexpr int kMostExtensionHeaders = 16;
constexpr int kMostTunnels = 4;

using Refusal = std::optional<NoSegment>;

/// What an IP packet carries.
struct IpPayload {
  std::uint8_t protocol = 0;
  bool isLaterFragment = false;
  FrameRest rest;
};

template <std::size_t Size>
std::array<std::uint8_t, Size> addressBytes(const FrameRest& header, std::size_t offset) {
  std::array<std::uint8_t, Size> address;
  std::memcpy(address.data(), header.bytes(offset, Size).data(), Size);
  return address;
}

Refusal readIpv4(PacketSample& sample, IpPayload& payload) {
  const FrameRest ip = payload.rest;
  if (!ip.has(kIpv4HeaderBytes)) return ip.missing(kIpv4HeaderBytes);
  const std::size_t headerBytes = (ip.u8(0) & 0x0fU) * 4U;
  const std::size_t totalBytes = ip.u16(2) == 0 ? ip.onWire() : ip.u16(2);
  if (headerBytes < kIpv4HeaderBytes || totalBytes < headerBytes) return NoSegment::malformed;
  if (!ip.has(headerBytes)) return ip.missing(headerBytes);
  const std::uint16_t fragment = ip.u16(6);
  payload.isLaterFragment = (fragment & 0x1fffU) != 0;
  payload.protocol = ip.u8(9);
  payload.rest = ip.behind(headerBytes).ofLength(totalBytes - headerBytes);
  sample.isFirstFragment = (fragment & 0x2000U) != 0;
  sample.ecn = static_cast<EcnCodepoint>(ip.u8(1) & 3U);
  sample.hopLimit = ip.u8(8);
  sample.source.address = IpAddress::v4(addressBytes<4>(ip, 12));
  sample.destination.address = IpAddress::v4(addressBytes<4>(ip, 16));
  return std::nullopt;
}

/// RFC 8200 §4, and the headers that follow its form.
Refusal walkExtensionHeaders(PacketSample& sample, IpPayload& payload) {
  FrameRest& rest = payload.rest;
  for (int headers = 0; headers < kMostExtensionHeaders; ++headers) {
    constexpr std::size_t kUnit = 8;
    const auto sizeAs = [&rest](std::size_t units, std::size_t unit) {
      return rest.has(kUnit) ? (rest.u8(1) + units) * unit : kUnit;
    };
    std::size_t headerBytes = kUnit;
    const bool isFragment = payload.protocol == 44;
    switch (payload.protocol) {
      case 0:    // hop by hop
      case 43:   // routing
      case 60:   // destination options
      case 135:  // mobility
      case 139:  // host identity
      case 140:  // shim6
        headerBytes = sizeAs(1, kUnit);
        break;
      case 51:  // authentication
        headerBytes = std::max(sizeAs(2, 4), kUnit);
        break;
      case 44:
        break;
      default:
        return std::nullopt;
    }
    if (!rest.has(headerBytes)) return rest.missing(headerBytes);
    payload.protocol = rest.u8(0);
    if (isFragment) {
      payload.isLaterFragment = (rest.u16(2) & 0xfff8U) != 0;
      sample.isFirstFragment = (rest.u16(2) & 1U) != 0;
    }
    rest = rest.behind(headerBytes);
    // What follows in a later fragment is no header.
    if (payload.isLaterFragment) return std::nullopt;
  }
  return NoSegment::malformed;
}

Refusal readIpv6(PacketSample& sample, IpPayload& payload) {
  const FrameRest ip = payload.rest;
  if (!ip.has(kIpv6HeaderBytes)) return ip.missing(kIpv6HeaderBytes);
  payload.isLaterFragment = false;
  payload.protocol = ip.u8(6);
  payload.rest = ip.behind(kIpv6HeaderBytes);
  if (const std::size_t payloadBytes = ip.u16(4); payloadBytes != 0) payload.rest = payload.rest.ofLength(payloadBytes);
  sample.isFirstFragment = false;
  sample.ecn = static_cast<EcnCodepoint>(ip.u8(1) >> 4 & 3U);
  sample.hopLimit = ip.u8(7);
  sample.source.address = IpAddress::v6(addressBytes<16>(ip, 8));
  sample.destination.address = IpAddress::v6(addressBytes<16>(ip, 24));
  return walkExtensionHeaders(sample, payload);
}

Refusal readIp(PacketSample& sample, IpPayload& payload) {
  if (!payload.rest.has(1)) return payload.rest.missing(1);
  switch (payload.rest.u8(0) >> 4) {
    case 4:
      return readIpv4(sample, payload);
    case 6:
      return readIpv6(sample, payload);
    default:
      return NoSegment::malformed;
  }
}

Refusal readTcp(const FrameRest& tcp, PacketSample& sample) {
  if (!tcp.has(kTcpHeaderBytes)) return tcp.missing(kTcpHeaderBytes);
  const std::size_t headerBytes = (tcp.u8(12) >> 4) * 4U;
  if (headerBytes < kTcpHeaderBytes || headerBytes > tcp.onWire()) return NoSegment::malformed;
  sample.source.port = tcp.u16(0);
  sample.destination.port = tcp.u16(2);
  sample.sequence = tcp.u32(4);
  sample.acknowledgment = tcp.u32(8);
  sample.flags.bits = tcp.u8(13);
  sample.window = tcp.u16(14);
  sample.payloadBytes = static_cast<std::uint32_t>(tcp.onWire() - headerBytes);
  sample.optionsAreCut = !tcp.has(headerBytes);
  const std::size_t optionsEnd = std::min(headerBytes, tcp.captured());
  sample.options = tcp.bytes(kTcpHeaderBytes, optionsEnd - kTcpHeaderBytes);
  return std::nullopt;
}

Refusal readSegment(const FrameRest& ip, PacketDecoderSettings settings, PacketSample& sample) {
  IpPayload payload{0, false, ip};
  for (int tunnels = 0; tunnels <= kMostTunnels; ++tunnels) {
    if (const Refusal refusal = readIp(sample, payload)) return refusal;
    if (payload.protocol == kProtocolTcp) {
      return payload.isLaterFragment ? Refusal(NoSegment::laterFragment) : readTcp(payload.rest, sample);
    }
    const auto tunnel = payload.isLaterFragment ? std::nullopt : openTunnel(payload.protocol, payload.rest);
    if (!tunnel) return NoSegment::otherProtocol;
    if (!settings.insideTunnels) return NoSegment::tunnel;
    const auto inner = findIpByEtherType(tunnel->etherType, tunnel->rest);
    if (!inner) return inner.error();
    payload.rest = *inner;
  }
  return NoSegment::malformed;
}

Expected<FrameRest, NoSegment> ipOf(const CapturedFrame& frame) {
  const FrameRest whole(frame.bytes, frame.wireBytes);
  // What nearly all frames are goes the short way.
  if (frame.linkType == LinkType::ethernet && whole.has(kEthernetHeaderBytes) && whole.u16(12) == kEtherTypeIpv4) {
    return whole.behind(kEthernetHeaderBytes);
  }
  return findIp(frame.linkType, whole);
}

}  // namespace

Expected<PacketSample, NoSegment> decodePacket(const CapturedFrame& frame, PacketDecoderSettings settings) {
  Expected<PacketSample, NoSegment> sample;
  Refusal refusal;
  if (const auto ip = ipOf(frame); !ip) {
    refusal = ip.error();
  } else {
    refusal = readSegment(*ip, settings, *sample);
  }
  // Last, so that a packet without a time still counts as what it is.
  if (!refusal && !frame.time) refusal = NoSegment::withoutTime;
  if (refusal) {
    sample = Unexpected<NoSegment>(*refusal);
    return sample;
  }
  sample->time = *frame.time;
  sample->number = frame.number;
  sample->interface = frame.interface;
  return sample;
}

}  // namespace tcpscope
