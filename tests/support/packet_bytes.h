// Packets as bytes, one layer a function, so that a test can put them together as it reads:
//
//   ethernetFrame(0x8100, vlanTag(7, 0x0800, ipv4Packet(segment)))
//
// Checksums are 0: a capture point does not look at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/packet_sample.h"

namespace tcpscope::test {

using Octets = std::vector<std::byte>;

/// octets({0x45, 0x00})
Octets octets(std::initializer_list<unsigned> values);
/// The lowest `size` bytes of a number in network order.
Octets bigEndian(std::uint64_t number, std::size_t size);
Octets operator+(Octets front, const Octets& back);

/// endpointAt("192.0.2.1", 443), endpointAt("2001:db8::1", 443)
Endpoint endpointAt(std::string_view address, std::uint16_t port);

/// A TCP segment, by default an acknowledgment of a client to its server.
struct SegmentText {
  Endpoint source = endpointAt("192.0.2.1", 40000);
  Endpoint destination = endpointAt("198.51.100.7", 443);
  std::uint32_t sequence = 1000;
  std::uint32_t acknowledgment = 2000;
  TcpFlags flags{0x10};
  std::uint16_t window = 501;
  /// Whole words of 4 bytes.
  Octets options{};
  std::size_t payloadBytes = 0;
  EcnCodepoint ecn = EcnCodepoint::notCapable;
  std::uint8_t hopLimit = 64;
};

/// What an IP header may say other than the plain truth.
struct IpShape {
  std::uint8_t protocol = 6;
  /// Of IPv4: the whole packet. Of IPv6: what follows the fixed header.
  std::optional<std::uint16_t> length{};
  /// Of IPv4: flags and offset as on the wire.
  std::uint16_t fragment = 0;
  /// Of IPv4.
  std::uint16_t identification = 0x1234;
  /// Of IPv4: whole words. Of IPv6: extension headers, the first of which has the number `protocol`.
  Octets options{};
};

Octets tcpBytes(const SegmentText& segment);
/// The segment's addresses, ECN bits and hop limit around any payload.
Octets ipv4Packet(const SegmentText& segment, const Octets& payload, const IpShape& shape = {});
Octets ipv6Packet(const SegmentText& segment, const Octets& payload, const IpShape& shape = {});
/// The segment itself, in the version of its addresses.
Octets ipPacket(const SegmentText& segment, const IpShape& shape = {});

/// The segment in IP fragments with so many bytes of payload, a multiple of 8; the last has the rest.
std::vector<Octets> ipFragments(const SegmentText& segment, std::size_t bytes, std::uint16_t identification);

/// 0x0800 or 0x86dd.
std::uint16_t etherTypeOf(const Octets& ipPacket);
Octets ethernetFrame(std::uint16_t etherType, const Octets& payload);
Octets ethernetFrame(const Octets& ipPacket);
Octets vlanTag(std::uint16_t id, std::uint16_t etherType, const Octets& payload);
/// One word; the last label of a stack says so.
Octets mplsLabel(std::uint32_t label, bool isLast, const Octets& payload);
Octets pppoeSession(const Octets& pppPayload);
/// Protocol field and packet, without address and control.
Octets ppp(const Octets& ipPacket);
Octets linuxCooked(std::uint16_t etherType, const Octets& payload);
Octets linuxCooked2(std::uint16_t etherType, const Octets& payload);
Octets udp(std::uint16_t destinationPort, const Octets& payload);

}  // namespace tcpscope::test
