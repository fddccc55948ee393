#include "collectors/pcap/link_layer.h"

#include <optional>

namespace tcpscope {

namespace {

constexpr std::uint16_t kEtherTypeVlan = 0x8100;
constexpr std::uint16_t kEtherTypeServiceVlan = 0x88a8;
constexpr std::uint16_t kEtherTypeOldServiceVlan = 0x9100;
constexpr std::uint16_t kEtherTypeMpls = 0x8847;
constexpr std::uint16_t kEtherTypeMplsMulticast = 0x8848;
constexpr std::uint16_t kEtherTypePppoeSession = 0x8864;
/// What is smaller in its place is the length of an 802.3 frame.
constexpr std::uint16_t kSmallestEtherType = 0x0600;

/// No real frame has so many headers in front of IP.
constexpr int kMostHeaders = 16;

/// Steps from header to header: each either moves on to what its header names, or says why it cannot.
class LinkWalk {
public:
  LinkWalk(std::uint16_t etherType, const FrameRest& rest) : m_type(etherType), m_rest(rest) {}

  Expected<FrameRest, NoSegment> toIp() {
    for (int headers = 0; headers < kMostHeaders; ++headers) {
      if (m_type == kEtherTypeIpv4 || m_type == kEtherTypeIpv6) return m_rest;
      if (const std::optional<NoSegment> reason = step()) return Unexpected<NoSegment>(*reason);
    }
    return Unexpected<NoSegment>(NoSegment::malformed);
  }

  /// RFC 1661 with the fields that RFC 1662 and a negotiation may leave out or shorten.
  std::optional<NoSegment> stepPpp() {
    if (m_rest.has(2) && m_rest.u16(0) == 0xff03) m_rest = m_rest.behind(2);
    if (!m_rest.has(2)) return m_rest.missing(2);
    const bool isShort = (m_rest.u8(0) & 1U) != 0;
    const std::uint16_t protocol = isShort ? m_rest.u8(0) : m_rest.u16(0);
    m_rest = m_rest.behind(isShort ? 1 : 2);
    switch (protocol) {
      case 0x0021:
        m_type = kEtherTypeIpv4;
        return std::nullopt;
      case 0x0057:
        m_type = kEtherTypeIpv6;
        return std::nullopt;
      case 0x0281:
      case 0x0283:
        m_type = kEtherTypeMpls;
        return std::nullopt;
      default:
        return NoSegment::otherProtocol;
    }
  }
  /// RFC 2516 §4; a code other than 0 belongs to the discovery.
  std::optional<NoSegment> stepPppoe() {
    if (!m_rest.has(6)) return m_rest.missing(6);
    if (m_rest.u8(1) != 0) return NoSegment::otherProtocol;
    m_rest = m_rest.behind(6);
    return stepPpp();
  }

private:
  std::optional<NoSegment> step() {
    switch (m_type) {
      case kEtherTypeVlan:
      case kEtherTypeServiceVlan:
      case kEtherTypeOldServiceVlan:
        return moveOn(2, 4);
      case kEtherTypeEthernet:
        return moveOn(12, 14);
      case kEtherTypeMpls:
      case kEtherTypeMplsMulticast:
        return stepMpls();
      case kEtherTypePppoeSession:
        return stepPppoe();
      default:
        return m_type < kSmallestEtherType ? stepLlc() : NoSegment::otherProtocol;
    }
  }
  std::optional<NoSegment> moveOn(std::size_t typeAt, std::size_t headerBytes) {
    if (!m_rest.has(headerBytes)) return m_rest.missing(headerBytes);
    m_type = m_rest.u16(typeAt);
    m_rest = m_rest.behind(headerBytes);
    return std::nullopt;
  }
  /// RFC 3032. Nothing says what the labels carry: IP shows itself by its version (RFC 4928), and a control word of a
  /// pseudowire, behind which Ethernet is usual, by a zero (RFC 4385).
  std::optional<NoSegment> stepMpls() {
    if (!m_rest.has(4)) return m_rest.missing(4);
    const bool isLast = (m_rest.u8(2) & 1U) != 0;
    m_rest = m_rest.behind(4);
    if (!isLast) return std::nullopt;
    if (!m_rest.has(4)) return m_rest.missing(4);
    const bool isPseudowire = m_rest.u8(0) >> 4 == 0;
    m_type = isPseudowire ? kEtherTypeEthernet : etherTypeByVersion(m_rest);
    if (isPseudowire) m_rest = m_rest.behind(4);
    return std::nullopt;
  }
  /// IEEE 802.2 with the SNAP header that carries an EtherType (RFC 1042).
  std::optional<NoSegment> stepLlc() {
    if (!m_rest.has(8)) return m_rest.missing(8);
    if (m_rest.u32(0) != 0xaaaa0300 || m_rest.u16(4) != 0) return NoSegment::otherProtocol;
    return m_rest.u16(6) < kSmallestEtherType ? NoSegment::otherProtocol : moveOn(6, 8);
  }

  std::uint16_t m_type;
  FrameRest m_rest;
};

Expected<FrameRest, NoSegment> behindTypeAt(std::size_t typeAt, std::size_t headerBytes, const FrameRest& frame) {
  if (!frame.has(headerBytes)) return Unexpected<NoSegment>(frame.missing(headerBytes));
  return findIpByEtherType(frame.u16(typeAt), frame.behind(headerBytes));
}

/// The address family in the capturing host's byte order, which the file does not record: the smaller reading is right.
/// Systems differ in their number for IPv6.
Expected<FrameRest, NoSegment> behindFamily(const FrameRest& frame) {
  if (!frame.has(4)) return Unexpected<NoSegment>(frame.missing(4));
  const std::uint32_t big = frame.u32(0);
  const std::uint32_t family = std::min(big, __builtin_bswap32(big));
  switch (family) {
    case 2:
    case 10:
    case 24:
    case 28:
    case 30:
      return frame.behind(4);
    default:
      return Unexpected<NoSegment>(NoSegment::otherProtocol);
  }
}

/// Per-packet information: a header of its own, little-endian, that names the link type behind it.
Expected<FrameRest, NoSegment> behindPpi(const FrameRest& frame) {
  constexpr std::size_t kFixedBytes = 8;
  if (!frame.has(kFixedBytes)) return Unexpected<NoSegment>(frame.missing(kFixedBytes));
  const std::size_t headerBytes = __builtin_bswap16(frame.u16(2));
  const std::uint32_t linkType = __builtin_bswap32(frame.u32(4));
  if (headerBytes < kFixedBytes) return Unexpected<NoSegment>(NoSegment::malformed);
  if (!frame.has(headerBytes)) return Unexpected<NoSegment>(frame.missing(headerBytes));
  const bool isKnown = linkType <= UINT16_MAX && static_cast<LinkType>(linkType) != LinkType::ppi;
  if (!isKnown) return Unexpected<NoSegment>(NoSegment::unknownLinkType);
  return findIp(static_cast<LinkType>(linkType), frame.behind(headerBytes));
}

/// What a rule of nftables or iptables logged: attributes as netlink has them, one of which is the IP packet. Their
/// byte order is the capturing host's; no type is so large that it would need its upper byte.
Expected<FrameRest, NoSegment> insideNflog(const FrameRest& frame) {
  constexpr std::size_t kFixedBytes = 4;
  constexpr std::size_t kAttributeBytes = 4;
  constexpr std::uint16_t kPayload = 9;
  constexpr int kMostAttributes = 64;
  if (!frame.has(kFixedBytes)) return Unexpected<NoSegment>(frame.missing(kFixedBytes));
  FrameRest rest = frame.behind(kFixedBytes);
  for (int attributes = 0; attributes < kMostAttributes; ++attributes) {
    if (!rest.has(kAttributeBytes)) return Unexpected<NoSegment>(rest.missing(kAttributeBytes));
    const bool isLittleEndian = rest.u8(3) == 0;
    const std::uint16_t length = isLittleEndian ? __builtin_bswap16(rest.u16(0)) : rest.u16(0);
    const std::uint16_t type = isLittleEndian ? rest.u8(2) : rest.u16(2);
    if (length < kAttributeBytes) return Unexpected<NoSegment>(NoSegment::malformed);
    if (type == kPayload) {
      const FrameRest packet = rest.behind(kAttributeBytes).ofLength(length - kAttributeBytes);
      if (!packet.has(1)) return Unexpected<NoSegment>(packet.missing(1));
      return findIpByEtherType(etherTypeByVersion(packet), packet);
    }
    const std::size_t aligned = (length + 3U) & ~std::size_t{3};
    if (!rest.has(aligned)) return Unexpected<NoSegment>(rest.missing(aligned));
    rest = rest.behind(aligned);
  }
  return Unexpected<NoSegment>(NoSegment::malformed);
}

Expected<FrameRest, NoSegment> behindPpp(const FrameRest& frame, std::optional<NoSegment> (LinkWalk::*first)()) {
  LinkWalk walk(0, frame);
  if (const std::optional<NoSegment> reason = (walk.*first)()) return Unexpected<NoSegment>(*reason);
  return walk.toIp();
}

}  // namespace

std::uint16_t etherTypeByVersion(const FrameRest& packet) {
  const unsigned version = packet.has(1) ? packet.u8(0) >> 4U : 0U;
  if (version == 4) return kEtherTypeIpv4;
  return version == 6 ? kEtherTypeIpv6 : kEtherTypeUnknown;
}

Expected<FrameRest, NoSegment> findIpByEtherType(std::uint16_t etherType, const FrameRest& rest) {
  return LinkWalk(etherType, rest).toIp();
}

Expected<FrameRest, NoSegment> findIp(LinkType linkType, const FrameRest& frame) {
  switch (linkType) {
    case LinkType::ethernet:
      return behindTypeAt(12, 14, frame);
    case LinkType::linuxCooked:
      return behindTypeAt(14, 16, frame);
    case LinkType::linuxCooked2:
      return behindTypeAt(0, 20, frame);
    case LinkType::ciscoHdlc:
      return behindTypeAt(2, 4, frame);
    case LinkType::rawIp:
    case LinkType::bsdRawIp:
    case LinkType::openBsdRawIp:
    case LinkType::ipv4:
    case LinkType::ipv6:
      return frame;
    case LinkType::bsdLoopback:
    case LinkType::openBsdLoopback:
      return behindFamily(frame);
    case LinkType::ppp:
    case LinkType::pppInHdlc:
      return behindPpp(frame, &LinkWalk::stepPpp);
    case LinkType::pppoeSession:
      return behindPpp(frame, &LinkWalk::stepPppoe);
    case LinkType::pppWithDirection:
      // The direction stands in the place of an address, and 03 behind it.
      if (!frame.has(2)) return Unexpected<NoSegment>(frame.missing(2));
      return behindPpp(frame.behind(2), &LinkWalk::stepPpp);
    case LinkType::ppi:
      return behindPpi(frame);
    case LinkType::nflog:
      return insideNflog(frame);
    default:
      return Unexpected<NoSegment>(NoSegment::unknownLinkType);
  }
}

}  // namespace tcpscope
