// What the path needs to know of an IP packet: where it goes, whose data it carries, whether it may be marked.
//
// Takes any bytes as if they came from an enemy: nothing is read outside of them, and what is no whole IPv4 or IPv6
// packet gives nothing. IPv6 extension headers are walked, a bounded number of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/model/endpoint.h"

namespace tcpscope::lab {

/// Without options and extension headers.
inline constexpr std::size_t kIpv4HeaderBytes = 20;
inline constexpr std::size_t kIpv6HeaderBytes = 40;

/// The two ECN bits of the IP header (RFC 3168 section 5).
enum class EcnCodepoint : std::uint8_t { notCapable = 0, ect1 = 1, ect0 = 2, congestionExperienced = 3 };

struct PacketHeader {
  /// Ports are 0 where the packet has none, or is a later fragment.
  Endpoint source;
  Endpoint destination;
  /// As in the IANA list: 6 TCP, 17 UDP, 1 ICMP, 58 ICMPv6; the last one walked to.
  std::uint8_t protocol = 0;
  EcnCodepoint ecn = EcnCodepoint::notCapable;
  /// Of TCP; else 0.
  std::uint32_t sequence = 0;
  /// Of TCP or UDP: without their headers; 0 for anything else. A later fragment of them is all payload.
  std::uint32_t payloadBytes = 0;
};

/// Nothing where the bytes are shorter than their own length fields say, or no IP packet. Bytes behind the packet's end
/// are not looked at. RFC 791, RFC 8200, RFC 9293, RFC 768.
std::optional<PacketHeader> readPacketHeader(std::span<const std::uint8_t> packet);

/// Sets "congestion experienced" and, for IPv4, keeps the header's checksum right (RFC 1624). Only for a packet that
/// readPacketHeader() could read.
void markCongestionExperienced(std::span<std::uint8_t> packet);

}  // namespace tcpscope::lab
