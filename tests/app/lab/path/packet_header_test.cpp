#include "app/lab/path/packet_header.h"

#include <gtest/gtest.h>

#include "tests/app/lab/path/ip_packet.h"

namespace tcpscope::lab {
namespace {

using link_test::bytesOf;
using link_test::IpPacket;
using link_test::PacketBytes;

TEST(PacketHeader, SaysFlowSequenceAndPayloadOfTcp) {
  for (const bool ipv6 : {false, true}) {
    IpPacket packet;
    packet.ipv6 = ipv6;
    packet.sequence = 0xfedcba98;
    packet.payload = 1448;
    packet.ecn = EcnCodepoint::ect0;
    const auto header = readPacketHeader(bytesOf(packet));
    ASSERT_TRUE(header);
    EXPECT_EQ(header->source.toString(), ipv6 ? "[fd77::1]:40000" : "10.77.0.1:40000");
    EXPECT_EQ(header->destination.toString(), ipv6 ? "[fd77::2]:5001" : "10.77.0.2:5001");
    EXPECT_EQ(header->protocol, 6);
    EXPECT_EQ(header->sequence, 0xfedcba98U);
    EXPECT_EQ(header->payloadBytes, 1448U);
    EXPECT_EQ(header->ecn, EcnCodepoint::ect0);
  }
}

TEST(PacketHeader, SaysPortsAndPayloadOfUdp) {
  IpPacket packet;
  packet.udp = true;
  packet.payload = 100;
  const auto header = readPacketHeader(bytesOf(packet));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->protocol, 17);
  EXPECT_EQ(header->destination.port, 5001);
  EXPECT_EQ(header->payloadBytes, 100U);
}

TEST(PacketHeader, TakesTcpOptionsForNoPayload) {
  IpPacket packet;
  packet.payload = 32;
  PacketBytes bytes = bytesOf(packet);
  bytes[20 + 12] = 0xd0;
  EXPECT_EQ(readPacketHeader(bytes)->payloadBytes, 0U);
}

TEST(PacketHeader, RefusesWhatIsCutAnywhere) {
  for (const bool ipv6 : {false, true}) {
    IpPacket packet;
    packet.ipv6 = ipv6;
    packet.payload = 10;
    const PacketBytes whole = bytesOf(packet);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(readPacketHeader(std::span(whole).first(size))) << size;
    }
    EXPECT_TRUE(readPacketHeader(whole));
  }
}

TEST(PacketHeader, RefusesOtherVersionsAndHeadersTooShort) {
  PacketBytes bytes = bytesOf({});
  for (const unsigned first : {0x05U, 0x44U, 0x55U, 0xf5U}) {
    bytes[0] = static_cast<std::uint8_t>(first);
    EXPECT_FALSE(readPacketHeader(bytes)) << first;
  }
}

TEST(PacketHeader, DoesNotReadAHeaderInALaterFragment) {
  IpPacket packet;
  packet.payload = 100;
  PacketBytes bytes = bytesOf(packet);
  bytes[7] = 10;
  const auto header = readPacketHeader(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->source.port, 0);
  EXPECT_EQ(header->sequence, 0U);
  EXPECT_EQ(header->payloadBytes, 120U);
}

/// An IPv6 packet with these extension headers before its TCP header.
PacketBytes withExtensions(const PacketBytes& extensions, std::uint8_t firstKind) {
  IpPacket packet;
  packet.ipv6 = true;
  packet.payload = 5;
  PacketBytes bytes = bytesOf(packet);
  bytes[6] = firstKind;
  bytes[5] = static_cast<std::uint8_t>(bytes[5] + extensions.size());
  bytes.insert(bytes.begin() + 40, extensions.begin(), extensions.end());
  return bytes;
}

TEST(PacketHeader, WalksOverExtensionHeaders) {
  // Hop-by-hop of 16 bytes, then destination options of 8, then TCP.
  PacketBytes extensions = {60, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0};
  const auto header = readPacketHeader(withExtensions(extensions, 0));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->source.port, 40'000);
  EXPECT_EQ(header->payloadBytes, 5U);
}

TEST(PacketHeader, RefusesExtensionHeadersThatReachTooFarOrNeverEnd) {
  EXPECT_FALSE(readPacketHeader(withExtensions({6, 255, 0, 0, 0, 0, 0, 0}, 0)));
  PacketBytes endless;
  for (int extension = 0; extension < 20; ++extension) endless.insert(endless.end(), {60, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_FALSE(readPacketHeader(withExtensions(endless, 60)));
}

TEST(PacketHeader, MarksWithARightChecksum) {
  IpPacket packet;
  packet.ecn = EcnCodepoint::ect1;
  PacketBytes bytes = bytesOf(packet);
  markCongestionExperienced(bytes);
  EXPECT_EQ(readPacketHeader(bytes)->ecn, EcnCodepoint::congestionExperienced);
  EXPECT_EQ(foldedChecksum(checksumSum(std::span(bytes).first(20))), 0);
}

}  // namespace
}  // namespace tcpscope::lab
