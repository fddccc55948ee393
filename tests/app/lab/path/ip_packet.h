// Packets for the tests of the path, built as a kernel would send them: one line says what is in them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "app/lab/path/internet_checksum.h"
#include "app/lab/path/packet_header.h"
#include "app/lab/path/path_settings.h"

namespace tcpscope::lab::link_test {

using PacketBytes = std::vector<std::uint8_t>;

struct IpPacket {
  std::size_t from = 0;
  std::size_t to = 1;
  bool ipv6 = false;
  /// TCP, or UDP.
  bool udp = false;
  std::uint16_t sourcePort = 40'000;
  std::uint16_t destinationPort = 5'001;
  std::uint32_t sequence = 1;
  std::size_t payload = 0;
  EcnCodepoint ecn = EcnCodepoint::notCapable;
};

/// One by one: g++ 12 with full optimisation takes an insertion of a list for an overflow.
inline void putBytes(PacketBytes& bytes, std::initializer_list<std::uint8_t> values) {
  for (const std::uint8_t value : values) bytes.push_back(value);
}

inline void put16(PacketBytes& bytes, std::size_t value) {
  bytes.push_back(static_cast<std::uint8_t>(value >> 8U & 0xffU));
  bytes.push_back(static_cast<std::uint8_t>(value & 0xffU));
}

inline void putAddress(PacketBytes& bytes, std::size_t host, bool ipv6) {
  const HostAddress address = hostAddress(host);
  const IpAddress parsed = IpAddress::parse(ipv6 ? address.ipv6 : address.ipv4).value();
  bytes.insert(bytes.end(), parsed.bytes().begin(), parsed.bytes().begin() + (ipv6 ? 16 : 4));
}

inline PacketBytes transportOf(const IpPacket& packet) {
  PacketBytes bytes;
  put16(bytes, packet.sourcePort);
  put16(bytes, packet.destinationPort);
  if (packet.udp) {
    put16(bytes, 8 + packet.payload);
    put16(bytes, 0);
  } else {
    put16(bytes, packet.sequence >> 16U);
    put16(bytes, packet.sequence & 0xffffU);
    putBytes(bytes, {0, 0, 0, 0, 0x50, 0x10, 0xff, 0xff, 0, 0, 0, 0});
  }
  bytes.resize(bytes.size() + packet.payload, 'x');
  return bytes;
}

inline PacketBytes bytesOf(const IpPacket& packet) {
  const PacketBytes transport = transportOf(packet);
  const auto protocol = static_cast<std::uint8_t>(packet.udp ? 17 : 6);
  const auto ecn = static_cast<std::uint8_t>(packet.ecn);
  PacketBytes bytes;
  if (packet.ipv6) {
    putBytes(bytes, {0x60, static_cast<std::uint8_t>(ecn << 4U), 0, 0});
    put16(bytes, transport.size());
    putBytes(bytes, {protocol, 64});
  } else {
    putBytes(bytes, {0x45, ecn});
    put16(bytes, 20 + transport.size());
    putBytes(bytes, {0, 7, 0x40, 0, 64, protocol, 0, 0});
  }
  putAddress(bytes, packet.from, packet.ipv6);
  putAddress(bytes, packet.to, packet.ipv6);
  if (!packet.ipv6) {
    const std::uint16_t checksum = foldedChecksum(checksumSum(bytes));
    bytes[10] = static_cast<std::uint8_t>(checksum >> 8U);
    bytes[11] = static_cast<std::uint8_t>(checksum & 0xffU);
  }
  bytes.insert(bytes.end(), transport.begin(), transport.end());
  return bytes;
}

/// A TCP packet over IPv4 of this size in all.
inline PacketBytes dataPacket(std::size_t size, std::uint32_t sequence = 1) {
  IpPacket packet;
  packet.payload = size - 40;
  packet.sequence = sequence;
  return bytesOf(packet);
}

inline PacketBytes bareAck() {
  return bytesOf(IpPacket{});
}

}  // namespace tcpscope::lab::link_test
