#include "app/lab/path/packet_too_big.h"

#include <algorithm>

#include "app/lab/path/internet_checksum.h"
#include "app/lab/path/packet_header.h"
#include "app/lab/path/path_settings.h"

namespace tcpscope::lab {

namespace {

using Message = std::vector<std::uint8_t>;

constexpr std::uint8_t kIcmp = 1;
constexpr std::uint8_t kIcmpv6 = 58;
constexpr std::size_t kIcmpHeaderBytes = 8;
/// As much of the packet as fits: RFC 1812 section 4.3.2.3 and RFC 4443 section 2.4.
constexpr std::size_t kLongestIpv4 = 576;
constexpr std::size_t kLongestIpv6 = 1280;
constexpr std::uint8_t kHops = 64;

void append16(Message& message, std::size_t value) {
  message.push_back(static_cast<std::uint8_t>(value >> 8U & 0xffU));
  message.push_back(static_cast<std::uint8_t>(value & 0xffU));
}

void write16(Message& message, std::size_t at, std::uint16_t value) {
  message[at] = static_cast<std::uint8_t>(value >> 8U);
  message[at + 1] = static_cast<std::uint8_t>(value & 0xffU);
}

void append(Message& message, std::span<const std::uint8_t> bytes) {
  message.insert(message.end(), bytes.begin(), bytes.end());
}

Message ipv4Message(std::span<const std::uint8_t> packet, const IpAddress& sender, std::size_t mtu) {
  const std::size_t quoted = std::min(packet.size(), kLongestIpv4 - kIpv4HeaderBytes - kIcmpHeaderBytes);
  Message message = {0x45, 0};
  append16(message, kIpv4HeaderBytes + kIcmpHeaderBytes + quoted);
  append(message, std::array<std::uint8_t, 8>{0, 0, 0, 0, kHops, kIcmp, 0, 0});
  append(message, std::span(routerAddress(AddressFamily::ipv4).bytes()).first(4));
  append(message, std::span(sender.bytes()).first(4));
  write16(message, 10, foldedChecksum(checksumSum(message)));
  append(message, std::array<std::uint8_t, 6>{3, 4, 0, 0, 0, 0});
  append16(message, std::min<std::size_t>(mtu, 0xffff));
  append(message, packet.first(quoted));
  write16(message, kIpv4HeaderBytes + 2, foldedChecksum(checksumSum(std::span(message).subspan(kIpv4HeaderBytes))));
  return message;
}

Message ipv6Message(std::span<const std::uint8_t> packet, const IpAddress& sender, std::size_t mtu) {
  const std::size_t quoted = std::min(packet.size(), kLongestIpv6 - kIpv6HeaderBytes - kIcmpHeaderBytes);
  const std::size_t payload = kIcmpHeaderBytes + quoted;
  Message message = {0x60, 0, 0, 0};
  append16(message, payload);
  append(message, std::array<std::uint8_t, 2>{kIcmpv6, kHops});
  append(message, routerAddress(AddressFamily::ipv6).bytes());
  append(message, sender.bytes());
  append(message, std::array<std::uint8_t, 4>{2, 0, 0, 0});
  append16(message, mtu >> 16U);
  append16(message, mtu & 0xffffU);
  append(message, packet.first(quoted));
  // The pseudo header (RFC 8200 section 8.1): addresses, length, next header.
  const std::uint32_t sum = checksumSum(std::span(message).subspan(8)) + static_cast<std::uint32_t>(payload) + kIcmpv6;
  write16(message, kIpv6HeaderBytes + 2, foldedChecksum(sum));
  return message;
}

/// An ICMP error about an error could go on for ever (RFC 1122 section 3.2.2, RFC 4443 section 2.4).
bool mayBeAnswered(std::span<const std::uint8_t> packet, const PacketHeader& header) {
  if (header.protocol == kIcmpv6) {
    const std::size_t type = kIpv6HeaderBytes;
    return packet[6] == kIcmpv6 && packet.size() > type && packet[type] >= 128;
  }
  const bool isIpv4 = header.source.address.family() == AddressFamily::ipv4;
  if (!isIpv4) return true;
  const bool isLaterFragment = ((packet[6] & 0x1fU) | packet[7]) != 0;
  if (isLaterFragment) return false;
  if (header.protocol != kIcmp) return true;
  const std::size_t type = (packet[0] & 0x0fU) * std::size_t{4};
  return packet.size() > type && (packet[type] == 0 || packet[type] == 8);
}

}  // namespace

std::optional<std::vector<std::uint8_t>> packetTooBigMessage(std::span<const std::uint8_t> packet, Bytes mtu) {
  const std::optional<PacketHeader> header = readPacketHeader(packet);
  if (!header || !mayBeAnswered(packet, *header)) return std::nullopt;
  const IpAddress& sender = header->source.address;
  if (sender.family() == AddressFamily::ipv4) return ipv4Message(packet, sender, mtu.value());
  return ipv6Message(packet, sender, mtu.value());
}

}  // namespace tcpscope::lab
