#include "app/lab/path/packet_header.h"

#include <algorithm>

#include "app/lab/path/internet_checksum.h"

namespace tcpscope::lab {

namespace {

using ByteSpan = std::span<const std::uint8_t>;

constexpr std::uint8_t kTcp = 6;
constexpr std::uint8_t kUdp = 17;
constexpr std::size_t kTcpHeaderBytes = 20;
constexpr std::size_t kUdpHeaderBytes = 8;
/// More extension headers than any honest packet has.
constexpr int kMostExtensions = 8;

// Extension headers of IPv6 (RFC 8200 section 4).
constexpr std::uint8_t kHopByHop = 0;
constexpr std::uint8_t kRouting = 43;
constexpr std::uint8_t kFragment = 44;
constexpr std::uint8_t kDestinationOptions = 60;

std::uint16_t read16(ByteSpan bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

std::uint32_t read32(ByteSpan bytes, std::size_t at) {
  return static_cast<std::uint32_t>(read16(bytes, at)) << 16 | read16(bytes, at + 2);
}

template <std::size_t kBytes>
std::array<std::uint8_t, kBytes> readAddress(ByteSpan bytes, std::size_t at) {
  std::array<std::uint8_t, kBytes> address{};
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), kBytes, address.begin());
  return address;
}

void readPorts(ByteSpan transport, PacketHeader& header) {
  header.source.port = read16(transport, 0);
  header.destination.port = read16(transport, 2);
}

std::uint32_t beyond(ByteSpan transport, std::size_t headerBytes) {
  return static_cast<std::uint32_t>(transport.size() - std::min(transport.size(), headerBytes));
}

/// `transport`: what follows the last IP header, to the packet's end.
void readTransport(ByteSpan transport, bool isLaterFragment, PacketHeader& header) {
  if (header.protocol != kTcp && header.protocol != kUdp) return;
  if (isLaterFragment) {
    header.payloadBytes = static_cast<std::uint32_t>(transport.size());
    return;
  }
  if (header.protocol == kUdp && transport.size() >= kUdpHeaderBytes) {
    readPorts(transport, header);
    header.payloadBytes = beyond(transport, kUdpHeaderBytes);
  }
  if (header.protocol == kTcp && transport.size() >= kTcpHeaderBytes) {
    readPorts(transport, header);
    header.sequence = read32(transport, 4);
    const std::size_t headerBytes = (transport[12] >> 4U) * std::size_t{4};
    header.payloadBytes = beyond(transport, std::max(headerBytes, kTcpHeaderBytes));
  }
}

std::optional<PacketHeader> readIpv4(ByteSpan packet) {
  if (packet.size() < kIpv4HeaderBytes) return std::nullopt;
  const std::size_t headerBytes = (packet[0] & 0x0fU) * std::size_t{4};
  const std::size_t totalBytes = read16(packet, 2);
  if (headerBytes < kIpv4HeaderBytes || totalBytes < headerBytes || totalBytes > packet.size()) return std::nullopt;
  PacketHeader header;
  header.ecn = static_cast<EcnCodepoint>(packet[1] & 3U);
  header.protocol = packet[9];
  header.source.address = IpAddress::v4(readAddress<4>(packet, 12));
  header.destination.address = IpAddress::v4(readAddress<4>(packet, 16));
  const bool isLaterFragment = (read16(packet, 6) & 0x1fffU) != 0;
  readTransport(packet.subspan(headerBytes, totalBytes - headerBytes), isLaterFragment, header);
  return header;
}

/// Walks to the transport header; nothing where an extension header does not fit or there are too many.
std::optional<bool> skipExtensions(ByteSpan& rest, std::uint8_t& protocol) {
  bool isLaterFragment = false;
  for (int extension = 0; extension < kMostExtensions; ++extension) {
    const bool isFragment = protocol == kFragment;
    if (!isFragment && protocol != kHopByHop && protocol != kRouting && protocol != kDestinationOptions) {
      return isLaterFragment;
    }
    if (rest.size() < 8) return std::nullopt;
    const std::size_t headerBytes = isFragment ? 8 : (rest[1] + std::size_t{1}) * 8;
    if (rest.size() < headerBytes) return std::nullopt;
    if (isFragment && (read16(rest, 2) & 0xfff8U) != 0) isLaterFragment = true;
    protocol = rest[0];
    rest = rest.subspan(headerBytes);
    // What follows the header of a later fragment is no header.
    if (isLaterFragment) return true;
  }
  return std::nullopt;
}

std::optional<PacketHeader> readIpv6(ByteSpan packet) {
  if (packet.size() < kIpv6HeaderBytes) return std::nullopt;
  const std::size_t payloadBytes = read16(packet, 4);
  if (payloadBytes > packet.size() - kIpv6HeaderBytes) return std::nullopt;
  PacketHeader header;
  header.ecn = static_cast<EcnCodepoint>(packet[1] >> 4U & 3U);
  header.protocol = packet[6];
  header.source.address = IpAddress::v6(readAddress<16>(packet, 8));
  header.destination.address = IpAddress::v6(readAddress<16>(packet, 24));
  ByteSpan rest = packet.subspan(kIpv6HeaderBytes, payloadBytes);
  const std::optional<bool> isLaterFragment = skipExtensions(rest, header.protocol);
  if (!isLaterFragment) return std::nullopt;
  readTransport(rest, *isLaterFragment, header);
  return header;
}

}  // namespace

std::optional<PacketHeader> readPacketHeader(std::span<const std::uint8_t> packet) {
  if (packet.empty()) return std::nullopt;
  switch (packet[0] >> 4U) {
    case 4:
      return readIpv4(packet);
    case 6:
      return readIpv6(packet);
    default:
      return std::nullopt;
  }
}

void markCongestionExperienced(std::span<std::uint8_t> packet) {
  if (packet[0] >> 4U == 6) {
    packet[1] |= 0x30U;
    return;
  }
  const std::uint16_t before = read16(packet, 0);
  packet[1] |= 3U;
  const std::uint16_t checksum = updatedChecksum(read16(packet, 10), before, read16(packet, 0));
  packet[10] = static_cast<std::uint8_t>(checksum >> 8U);
  packet[11] = static_cast<std::uint8_t>(checksum & 0xffU);
}

}  // namespace tcpscope::lab
