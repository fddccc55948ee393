// The router's ICMP answers, byte by byte where the standards fix them.
#include "app/lab/path/packet_too_big.h"

#include <gtest/gtest.h>

#include "tests/app/lab/path/ip_packet.h"

namespace tcpscope::lab {
namespace {

using link_test::bytesOf;
using link_test::IpPacket;
using link_test::PacketBytes;

std::uint32_t word(const PacketBytes& bytes, std::size_t at) {
  return static_cast<std::uint32_t>(bytes[at] << 8U | bytes[at + 1]);
}

IpPacket large(bool ipv6) {
  IpPacket packet;
  packet.ipv6 = ipv6;
  packet.payload = 1440;
  return packet;
}

TEST(PacketTooBig, IsFragmentationNeededInIpv4) {
  const PacketBytes packet = bytesOf(large(false));
  const auto message = packetTooBigMessage(packet, Bytes(1400));
  ASSERT_TRUE(message);
  EXPECT_EQ(message->size(), 576U);
  EXPECT_EQ(word(*message, 2), 576U);
  EXPECT_EQ(word(*message, 20), 0x0304U);
  EXPECT_EQ(word(*message, 26), 1400U);
  EXPECT_EQ(readPacketHeader(*message)->source.address, routerAddress(AddressFamily::ipv4));
  EXPECT_TRUE(std::equal(message->begin() + 28, message->end(), packet.begin()));
  EXPECT_EQ(foldedChecksum(checksumSum(std::span(*message).first(20))), 0);
  EXPECT_EQ(foldedChecksum(checksumSum(std::span(*message).subspan(20))), 0);
}

TEST(PacketTooBig, IsPacketTooBigInIpv6) {
  const PacketBytes packet = bytesOf(large(true));
  const auto message = packetTooBigMessage(packet, Bytes(1280));
  ASSERT_TRUE(message);
  EXPECT_EQ(message->size(), 1280U);
  EXPECT_EQ(word(*message, 40), 0x0200U);
  EXPECT_EQ(word(*message, 44), 0U);
  EXPECT_EQ(word(*message, 46), 1280U);
  EXPECT_TRUE(std::equal(message->begin() + 48, message->end(), packet.begin()));
  // Addresses, length and next header, then the message.
  const std::uint32_t pseudo = checksumSum(std::span(*message).subspan(8, 32)) + 1240 + 58;
  EXPECT_EQ(foldedChecksum(pseudo + checksumSum(std::span(*message).subspan(40))), 0);
}

TEST(PacketTooBig, IsNeverSaidOfAnErrorOrALaterFragment) {
  for (const bool ipv6 : {false, true}) {
    const auto error = packetTooBigMessage(bytesOf(large(ipv6)), Bytes(1280));
    EXPECT_FALSE(packetTooBigMessage(*error, Bytes(100)));
  }
  PacketBytes fragment = bytesOf(large(false));
  fragment[7] = 9;
  EXPECT_FALSE(packetTooBigMessage(fragment, Bytes(1000)));
  EXPECT_FALSE(packetTooBigMessage(PacketBytes(2000, 0), Bytes(1000)));
}

}  // namespace
}  // namespace tcpscope::lab
