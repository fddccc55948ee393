#include "core/filter/packet_filter.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Endpoint end(const std::string& address, std::uint16_t port) {
  return {IpAddress::parse(address).value(), port};
}

TEST(PacketFilter, NamesBothEnds) {
  EXPECT_EQ(packetFilterOf(end("192.0.2.1", 443), end("198.51.100.2", 50000)),
            "tcp and host 192.0.2.1 and port 443 and host 198.51.100.2 and port 50000");
  EXPECT_EQ(packetFilterOf(end("2001:db8::1", 443), end("2001:db8::2", 50000)),
            "tcp and host 2001:db8::1 and port 443 and host 2001:db8::2 and port 50000");
}

TEST(PacketFilter, AMappedAddressIsWhatTheWireCarries) {
  EXPECT_EQ(packetFilterOf(end("::ffff:192.0.2.1", 443), end("::ffff:198.51.100.2", 50000)),
            packetFilterOf(end("192.0.2.1", 443), end("198.51.100.2", 50000)));
}

TEST(PacketFilter, AHostThatTalksToItselfIsNamedOnce) {
  EXPECT_EQ(packetFilterOf(end("127.0.0.1", 443), end("127.0.0.1", 50000)),
            "tcp and host 127.0.0.1 and port 443 and port 50000");
}

}  // namespace
}  // namespace tcpscope
