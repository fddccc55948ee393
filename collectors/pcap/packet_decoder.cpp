#include "collectors/pcap/packet_decoder.h"

#include <array>
#include <cstring>
#include <new>

#include "collectors/pcap/link_layer.h"
#include "collectors/pcap/tunnel.h"

namespace tcpscope {

namespace {

constexpr std::size_t kEthernetHeaderBytes = 14;
/// Without its checksum.
constexpr std::size_t kShortestFrame = 60;
constexpr std::size_t kIpv4HeaderBytes = 20;
constexpr std::size_t kIpv6HeaderBytes = 40;
constexpr std::size_t kTcpHeaderBytes = 20;
constexpr std::uint8_t kProtocolTcp = 6;
constexpr std::uint8_t kFragmentHeader = 44;
constexpr std::uint8_t kAuthenticationHeader = 51;
/// No packet that carries data has more of either.
constexpr int kMostExtensionHeaders = 16;
constexpr int kMostTunnels = 4;

using Refusal = std::optional<NoSegment>;

template <std::size_t Size>
std::array<std::uint8_t, Size> addressBytes(const FrameRest& header, std::size_t offset) {
  std::array<std::uint8_t, Size> address;
  std::memcpy(address.data(), header.bytes(offset, Size).data(), Size);
  return address;
}

/// Made in its place: an address that is copied where it was just written piece by piece stalls the processor for
/// longer than all else takes here.
void placeV4(IpAddress& place, const FrameRest& header, std::size_t offset) {
  new (&place) IpAddress(IpAddress::v4(addressBytes<4>(header, offset)));
}
void placeV6(IpAddress& place, const FrameRest& header, std::size_t offset) {
  new (&place) IpAddress(IpAddress::v6(addressBytes<16>(header, offset)));
}

/// From IP packet to segment, through at most the given number of tunnels. Each step calls the next, so that the usual
/// path is straight and its state stays in registers.
class SegmentWalk {
public:
  /// `fragment` is written where the packet is one.
  SegmentWalk(PacketSample& sample, IpFragment& fragment, PacketDecoderSettings settings)
      : m_sample(sample), m_fragment(fragment), m_tunnels(settings.insideTunnels ? kMostTunnels : 0) {}

  Refusal takeIp(const FrameRest& ip) {
    if (!ip.has(1)) return ip.missing(1);
    switch (ip.u8(0) >> 4) {
      case 4:
        return takeIpv4(ip);
      case 6:
        return takeIpv6(ip);
      default:
        return NoSegment::malformed;
    }
  }

  /// Some senders count the padding of the shortest Ethernet frame into the length of the packet: zeros behind a header
  /// that end with the frame, and that no application pushed. TCP's own last bytes carry PSH.
  void leaveOutPadding(const FrameRest& frame) {
    constexpr std::size_t kMostPadding = kShortestFrame - kEthernetHeaderBytes - kIpv4HeaderBytes - kTcpHeaderBytes;
    constexpr std::uint8_t kPush = 0x08;
    const std::size_t payloadBytes = m_sample.payloadBytes;
    const bool mayBe = payloadBytes > 0 && payloadBytes <= kMostPadding && (m_sample.flags.bits & kPush) == 0 &&
                       !m_sample.isFirstFragment;
    const bool endsWithFrame = frame.captured() == kShortestFrame &&
                               frame.u16(kEthernetHeaderBytes + 2) == kShortestFrame - kEthernetHeaderBytes;
    if (!mayBe || !endsWithFrame) return;
    for (const std::byte octet : frame.bytes(kShortestFrame - payloadBytes, payloadBytes)) {
      if (octet != std::byte{0}) return;
    }
    m_sample.payloadBytes = 0;
  }

private:
  Refusal takeIpv4(const FrameRest& ip) {
    if (!ip.has(kIpv4HeaderBytes)) return ip.missing(kIpv4HeaderBytes);
    const std::size_t headerBytes = std::size_t{4} * (ip.u8(0) & 0x0fU);
    const std::size_t totalBytes = ip.u16(2) == 0 ? ip.onWire() : ip.u16(2);
    if (headerBytes < kIpv4HeaderBytes || totalBytes < headerBytes) return NoSegment::malformed;
    if (!ip.has(headerBytes)) return ip.missing(headerBytes);
    const std::uint16_t fragment = ip.u16(6);
    m_sample.isFirstFragment = (fragment & 0x2000U) != 0;
    m_sample.identification = ip.u16(4);
    m_sample.ecn = static_cast<EcnCodepoint>(ip.u8(1) & 3U);
    m_sample.hopLimit = ip.u8(8);
    placeV4(m_sample.source.address, ip, 12);
    placeV4(m_sample.destination.address, ip, 16);
    const FrameRest payload = ip.behind(headerBytes).ofLength(totalBytes - headerBytes);
    const std::uint32_t offset = (fragment & 0x1fffU) * 8;
    if (offset != 0 || m_sample.isFirstFragment) [[unlikely]] {
      noteFragment(m_sample.identification, offset, payload, !m_sample.isFirstFragment);
    }
    return takePayload(ip.u8(9), offset != 0, payload);
  }

  Refusal takeIpv6(const FrameRest& ip) {
    if (!ip.has(kIpv6HeaderBytes)) return ip.missing(kIpv6HeaderBytes);
    m_sample.isFirstFragment = false;
    m_sample.identification = 0;
    m_sample.ecn = static_cast<EcnCodepoint>(ip.u8(1) >> 4 & 3U);
    m_sample.hopLimit = ip.u8(7);
    placeV6(m_sample.source.address, ip, 8);
    placeV6(m_sample.destination.address, ip, 24);
    const std::size_t payloadBytes = ip.u16(4);
    const FrameRest payload = ip.behind(kIpv6HeaderBytes);
    return takeExtensionHeaders(ip.u8(6), payloadBytes == 0 ? payload : payload.ofLength(payloadBytes));
  }

  /// RFC 8200 §4, and the headers that follow its form.
  Refusal takeExtensionHeaders(std::uint8_t protocol, FrameRest rest) {
    constexpr std::size_t kUnit = 8;
    for (int headers = 0; headers < kMostExtensionHeaders; ++headers) {
      std::size_t headerBytes = kUnit;
      const std::size_t saidUnits = rest.has(kUnit) ? rest.u8(1) : 0;
      switch (protocol) {
        case 0:    // hop by hop
        case 43:   // routing
        case 60:   // destination options
        case 135:  // mobility
        case 139:  // host identity
        case 140:  // shim6
          headerBytes = (saidUnits + 1) * kUnit;
          break;
        case kAuthenticationHeader:
          headerBytes = std::max((saidUnits + 2) * 4, kUnit);
          break;
        case kFragmentHeader:
          break;
        default:
          return takePayload(protocol, false, rest);
      }
      if (!rest.has(headerBytes)) return rest.missing(headerBytes);
      const bool isFragment = protocol == kFragmentHeader;
      const std::uint16_t fragment = isFragment ? rest.u16(2) : std::uint16_t{0};
      const std::uint32_t identification = isFragment ? rest.u32(4) : 0;
      protocol = rest.u8(0);
      rest = rest.behind(headerBytes);
      if (isFragment) {
        m_sample.isFirstFragment = (fragment & 1U) != 0;
        noteFragment(identification, fragment & 0xfff8U, rest, !m_sample.isFirstFragment);
      }
      // What follows in a later fragment is no header.
      if ((fragment & 0xfff8U) != 0) return takePayload(protocol, true, rest);
    }
    return NoSegment::malformed;
  }

  void noteFragment(std::uint32_t identification, std::uint32_t offset, const FrameRest& payload, bool isLast) {
    m_fragment = {identification, offset, static_cast<std::uint32_t>(payload.onWire()), isLast};
  }

  Refusal takePayload(std::uint8_t protocol, bool isLaterFragment, const FrameRest& payload) {
    if (isLaterFragment) return protocol == kProtocolTcp ? NoSegment::fragment : NoSegment::otherProtocol;
    if (protocol == kProtocolTcp) return takeTcp(payload);
    // RFC 4302: what is signed is not encrypted. Of IPv6 it is among the headers before.
    return protocol == kAuthenticationHeader ? takeExtensionHeaders(protocol, payload) : takeTunnel(protocol, payload);
  }

  Refusal takeTunnel(std::uint8_t protocol, const FrameRest& payload) {
    const auto tunnel = openTunnel(protocol, payload);
    if (!tunnel) return NoSegment::otherProtocol;
    if (m_tunnels == 0) return NoSegment::tunnel;
    --m_tunnels;
    const auto inner = findIpByEtherType(tunnel->etherType, tunnel->rest);
    return inner ? takeIp(*inner) : inner.error();
  }

  Refusal takeTcp(const FrameRest& tcp) {
    if (!tcp.has(kTcpHeaderBytes)) return tcp.missing(kTcpHeaderBytes);
    const std::size_t headerBytes = std::size_t{4} * (tcp.u8(12) >> 4U);
    if (headerBytes < kTcpHeaderBytes || headerBytes > tcp.onWire()) return NoSegment::malformed;
    m_sample.source.port = tcp.u16(0);
    m_sample.destination.port = tcp.u16(2);
    m_sample.sequence = tcp.u32(4);
    m_sample.acknowledgment = tcp.u32(8);
    m_sample.flags.bits = tcp.u8(13);
    m_sample.window = tcp.u16(14);
    m_sample.payloadBytes = static_cast<std::uint32_t>(tcp.onWire() - headerBytes);
    m_sample.optionsAreCut = !tcp.has(headerBytes);
    const std::size_t optionsEnd = std::min(headerBytes, tcp.captured());
    m_sample.options = tcp.bytes(kTcpHeaderBytes, optionsEnd - kTcpHeaderBytes);
    return std::nullopt;
  }

  PacketSample& m_sample;
  IpFragment& m_fragment;
  /// That may still be looked into.
  int m_tunnels;
};

Refusal takeFrame(const CapturedFrame& frame, SegmentWalk& walk) {
  const FrameRest whole(frame.bytes, frame.wireBytes);
  // What nearly all frames are goes the short way.
  if (frame.linkType == LinkType::ethernet && whole.has(kEthernetHeaderBytes) && whole.u16(12) == kEtherTypeIpv4) {
    const Refusal refusal = walk.takeIp(whole.behind(kEthernetHeaderBytes));
    if (whole.onWire() == kShortestFrame && !refusal) [[unlikely]] {
      walk.leaveOutPadding(whole);
    }
    return refusal;
  }
  if (frame.linkType == LinkType::rawIp) return walk.takeIp(whole);
  const auto ip = findIp(frame.linkType, whole);
  return ip ? walk.takeIp(*ip) : ip.error();
}

/// Where and when; last, so that a packet without a time still counts as what it is.
Refusal place(PacketSample& sample, const CapturedFrame& frame) {
  if (!frame.time) return NoSegment::withoutTime;
  sample.time = *frame.time;
  sample.number = frame.number;
  sample.interface = frame.interface;
  return std::nullopt;
}

}  // namespace

std::optional<NoSegment> PacketDecoder::decode(PacketSample& sample, const CapturedFrame& frame) {
  if (m_copy.isRepeated(frame)) [[unlikely]] {
    return NoSegment::repeated;
  }
  IpFragment fragment;
  SegmentWalk walk(sample, fragment, m_settings);
  const Refusal refusal = takeFrame(frame, walk);
  if (refusal && *refusal != NoSegment::fragment) return refusal;
  if (const Refusal withoutTime = place(sample, frame)) return withoutTime;
  const bool isPart = refusal || sample.isFirstFragment;
  if (isPart && m_fragments.take(sample, fragment) == FragmentReassembly::Result::kept) [[unlikely]] {
    return NoSegment::fragment;
  }
  return std::nullopt;
}

Expected<PacketSample, NoSegment> decodePacket(const CapturedFrame& frame, PacketDecoderSettings settings) {
  PacketSample sample;
  IpFragment fragment;
  SegmentWalk walk(sample, fragment, settings);
  Refusal refusal = takeFrame(frame, walk);
  if (!refusal) refusal = place(sample, frame);
  if (refusal) return Unexpected<NoSegment>(*refusal);
  return sample;
}

}  // namespace tcpscope
