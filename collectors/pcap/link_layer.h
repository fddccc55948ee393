// From the beginning of a frame to its IP packet: link headers, VLAN tags, MPLS labels, PPP and PPPoE.
//
// Takes any bytes. What does not lead to IP is a reason; how many headers may stand one behind the other is bounded.
#pragma once

#include "collectors/pcap/captured_frame.h"
#include "collectors/pcap/frame_rest.h"
#include "core/base/expected.h"

namespace tcpscope {

/// EtherTypes, as IANA lists them; the last is a whole Ethernet frame inside of something else (RFC 7637, RFC 8926).
inline constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
inline constexpr std::uint16_t kEtherTypeIpv6 = 0x86dd;
inline constexpr std::uint16_t kEtherTypeEthernet = 0x6558;
/// Reserved, and therefore of no frame.
inline constexpr std::uint16_t kEtherTypeUnknown = 0xffff;

/// For what has no EtherType: an IP packet says itself which version it is; unknown where it is none.
std::uint16_t etherTypeByVersion(const FrameRest& packet);

/// Where a frame's IP packet begins. Whether it is IPv4 or IPv6 stands in its first byte.
Expected<FrameRest, NoSegment> findIp(LinkType linkType, const FrameRest& frame);
/// The same from behind a header that has an EtherType.
Expected<FrameRest, NoSegment> findIpByEtherType(std::uint16_t etherType, const FrameRest& rest);

}  // namespace tcpscope
