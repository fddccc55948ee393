#include "core/present/text/display_filter.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Endpoint endpoint(std::string_view address, std::uint16_t port) {
  return {IpAddress::parse(address).value_or(IpAddress()), port};
}

TEST(DisplayFilter, NamesBothEnds) {
  EXPECT_EQ(displayFilter(endpoint("192.0.2.1", 40000), endpoint("198.51.100.2", 443)),
            "ip.addr == 192.0.2.1 && ip.addr == 198.51.100.2 && tcp.port == 40000 && tcp.port == 443");
  EXPECT_EQ(displayFilter(endpoint("2001:db8::1", 40000), endpoint("2001:db8::2", 443)),
            "ipv6.addr == 2001:db8::1 && ipv6.addr == 2001:db8::2 && tcp.port == 40000 && tcp.port == 443");
}

TEST(DisplayFilter, NamesMappedAddressesAsTheyAreInPackets) {
  EXPECT_EQ(displayFilter(endpoint("::ffff:192.0.2.1", 80), endpoint("::ffff:198.51.100.2", 5000)),
            "ip.addr == 192.0.2.1 && ip.addr == 198.51.100.2 && tcp.port == 80 && tcp.port == 5000");
}

}  // namespace
}  // namespace tcpscope
