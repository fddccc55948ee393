#include "tests/support/packet_bytes.h"

#include <algorithm>

namespace tcpscope::test {

namespace {

Octets zeros(std::size_t size) {
  return Octets(size);
}

Octets addressBytes(const IpAddress& address) {
  Octets bytes;
  const std::size_t size = address.family() == AddressFamily::ipv4 ? 4 : 16;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(address.bytes()[i]));
  return bytes;
}

}  // namespace

Octets octets(std::initializer_list<unsigned> values) {
  Octets bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Octets bigEndian(std::uint64_t number, std::size_t size) {
  const std::size_t ofNumber = std::min(size, sizeof number);
  Octets bytes(size - ofNumber);
  for (std::size_t i = ofNumber; i > 0; --i) bytes.push_back(static_cast<std::byte>(number >> (8 * (i - 1))));
  return bytes;
}

Octets operator+(Octets front, const Octets& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

Endpoint endpointAt(std::string_view address, std::uint16_t port) {
  return {IpAddress::parse(address).value(), port};
}

Octets tcpBytes(const SegmentText& segment) {
  const std::size_t words = 5 + segment.options.size() / 4;
  return bigEndian(segment.source.port, 2) + bigEndian(segment.destination.port, 2) + bigEndian(segment.sequence, 4) +
         bigEndian(segment.acknowledgment, 4) + bigEndian(words << 4U, 1) + bigEndian(segment.flags.bits, 1) +
         bigEndian(segment.window, 2) + zeros(4) + segment.options + Octets(segment.payloadBytes, std::byte{'d'});
}

Octets ipv4Packet(const SegmentText& segment, const Octets& payload, const IpShape& shape) {
  const std::size_t headerBytes = 20 + shape.options.size();
  const std::uint16_t length = shape.length.value_or(static_cast<std::uint16_t>(headerBytes + payload.size()));
  return bigEndian(0x40U | headerBytes / 4, 1) + bigEndian(static_cast<std::uint64_t>(segment.ecn), 1) +
         bigEndian(length, 2) + bigEndian(shape.identification, 2) + bigEndian(shape.fragment, 2) +
         bigEndian(segment.hopLimit, 1) + bigEndian(shape.protocol, 1) + zeros(2) +
         addressBytes(segment.source.address) + addressBytes(segment.destination.address) + shape.options + payload;
}

Octets ipv6Packet(const SegmentText& segment, const Octets& payload, const IpShape& shape) {
  const std::size_t payloadBytes = shape.options.size() + payload.size();
  const std::uint32_t first = 6U << 28U | static_cast<std::uint32_t>(segment.ecn) << 20U | 0x12345U;
  return bigEndian(first, 4) + bigEndian(shape.length.value_or(static_cast<std::uint16_t>(payloadBytes)), 2) +
         bigEndian(shape.protocol, 1) + bigEndian(segment.hopLimit, 1) + addressBytes(segment.source.address) +
         addressBytes(segment.destination.address) + shape.options + payload;
}

Octets ipPacket(const SegmentText& segment, const IpShape& shape) {
  const bool isIpv4 = segment.source.address.family() == AddressFamily::ipv4;
  return isIpv4 ? ipv4Packet(segment, tcpBytes(segment), shape) : ipv6Packet(segment, tcpBytes(segment), shape);
}

std::vector<Octets> ipFragments(const SegmentText& segment, std::size_t bytes, std::uint16_t identification) {
  const bool isIpv4 = segment.source.address.family() == AddressFamily::ipv4;
  const Octets payload = tcpBytes(segment);
  std::vector<Octets> fragments;
  for (std::size_t at = 0; at < payload.size(); at += bytes) {
    const std::size_t end = std::min(at + bytes, payload.size());
    const auto step = [](std::size_t offset) { return static_cast<std::ptrdiff_t>(offset); };
    const Octets part(payload.begin() + step(at), payload.begin() + step(end));
    const bool isLast = end == payload.size();
    IpShape shape;
    shape.identification = identification;
    if (isIpv4) {
      shape.fragment = static_cast<std::uint16_t>(at / 8 | (isLast ? 0U : 0x2000U));
      fragments.push_back(ipv4Packet(segment, part, shape));
    } else {
      shape.protocol = 44;
      shape.options = octets({6, 0}) + bigEndian(at | (isLast ? 0U : 1U), 2) + bigEndian(identification, 4);
      fragments.push_back(ipv6Packet(segment, part, shape));
    }
  }
  return fragments;
}

std::uint16_t etherTypeOf(const Octets& ipPacket) {
  return std::to_integer<unsigned>(ipPacket.front()) >> 4U == 4 ? 0x0800 : 0x86dd;
}

Octets ethernetFrame(std::uint16_t etherType, const Octets& payload) {
  return octets({0x02, 0, 0, 0, 0, 0x0b, 0x02, 0, 0, 0, 0, 0x0a}) + bigEndian(etherType, 2) + payload;
}

Octets ethernetFrame(const Octets& ipPacket) {
  return ethernetFrame(etherTypeOf(ipPacket), ipPacket);
}

Octets vlanTag(std::uint16_t id, std::uint16_t etherType, const Octets& payload) {
  return bigEndian(id, 2) + bigEndian(etherType, 2) + payload;
}

Octets mplsLabel(std::uint32_t label, bool isLast, const Octets& payload) {
  return bigEndian(label << 12U | (isLast ? 0x100U : 0U) | 64U, 4) + payload;
}

Octets pppoeSession(const Octets& pppPayload) {
  return octets({0x11, 0x00, 0x00, 0x2a}) + bigEndian(pppPayload.size(), 2) + pppPayload;
}

Octets ppp(const Octets& ipPacket) {
  return bigEndian(etherTypeOf(ipPacket) == 0x0800 ? 0x0021 : 0x0057, 2) + ipPacket;
}

Octets linuxCooked(std::uint16_t etherType, const Octets& payload) {
  return octets({0, 4, 0, 1, 0, 6, 0x02, 0, 0, 0, 0, 0x0a, 0, 0}) + bigEndian(etherType, 2) + payload;
}

Octets linuxCooked2(std::uint16_t etherType, const Octets& payload) {
  return bigEndian(etherType, 2) + octets({0, 0, 0, 0, 0, 2, 0, 1, 4, 6, 0x02, 0, 0, 0, 0, 0x0a, 0, 0}) + payload;
}

Octets udp(std::uint16_t destinationPort, const Octets& payload) {
  return bigEndian(50000, 2) + bigEndian(destinationPort, 2) + bigEndian(8 + payload.size(), 2) + zeros(2) + payload;
}

}  // namespace tcpscope::test
