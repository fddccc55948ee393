#include "core/model/endpoint.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

IpAddress parsed(std::string_view text) {
  return IpAddress::parse(text).value();
}

TEST(IpAddress, ReadsAndWritesTheUsualForms) {
  for (const char* text : {"192.0.2.1", "0.0.0.0", "::", "::1", "2001:db8::a:b", "::ffff:192.0.2.1"}) {
    EXPECT_EQ(parsed(text).toString(), text);
  }
}

TEST(IpAddress, RefusesWhatIsNone) {
  for (const char* text : {"", "10", "1.2.3.4.5", "256.0.0.1", "example.org", "[::1]", "1.2.3.4 ", ":::1"}) {
    EXPECT_FALSE(IpAddress::parse(text)) << text;
  }
  EXPECT_FALSE(IpAddress::parse(std::string_view("1.2.3.4\0.5", 10)));
}

TEST(IpAddress, KeepsMappedAddressesApartUntilAsked) {
  EXPECT_NE(parsed("::ffff:192.0.2.1"), parsed("192.0.2.1"));
  EXPECT_EQ(parsed("::ffff:192.0.2.1").unmapped(), parsed("192.0.2.1"));
  EXPECT_EQ(parsed("2001:db8::1").unmapped(), parsed("2001:db8::1"));
}

TEST(IpAddress, KnowsLoopbackAndUnspecifiedInBothFamilies) {
  for (const char* text : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(parsed(text).isLoopback()) << text;
  }
  for (const char* text : {"128.0.0.1", "::2", "::ffff:10.0.0.1"}) EXPECT_FALSE(parsed(text).isLoopback()) << text;
  for (const char* text : {"0.0.0.0", "::", "::ffff:0.0.0.0"}) EXPECT_TRUE(parsed(text).isUnspecified()) << text;
  EXPECT_FALSE(parsed("::1").isUnspecified());
}

TEST(IpAddress, ComparesPrefixesDownToTheBit) {
  EXPECT_TRUE(parsed("10.255.3.4").isWithin(parsed("10.0.0.0"), 8));
  EXPECT_FALSE(parsed("11.0.0.1").isWithin(parsed("10.0.0.0"), 8));
  EXPECT_TRUE(parsed("11.0.0.1").isWithin(parsed("10.0.0.0"), 7));
  EXPECT_TRUE(parsed("192.0.2.127").isWithin(parsed("192.0.2.0"), 25));
  EXPECT_FALSE(parsed("192.0.2.128").isWithin(parsed("192.0.2.0"), 25));
  EXPECT_TRUE(parsed("203.0.113.9").isWithin(parsed("0.0.0.0"), 0));
  EXPECT_TRUE(parsed("2001:db8:1::1").isWithin(parsed("2001:db8::"), 32));
  EXPECT_FALSE(parsed("2001:db9::1").isWithin(parsed("2001:db8::"), 32));
  EXPECT_TRUE(parsed("::ffff:10.1.2.3").isWithin(parsed("10.0.0.0"), 8));
  EXPECT_FALSE(parsed("::1").isWithin(parsed("0.0.0.0"), 0)) << "families do not mix";
  EXPECT_TRUE(parsed("10.0.0.1").isWithin(parsed("10.0.0.1"), 4000)) << "more bits than there are mean all";
}

TEST(Endpoint, PutsIpv6IntoBrackets) {
  EXPECT_EQ((Endpoint{parsed("192.0.2.1"), 443}.toString()), "192.0.2.1:443");
  EXPECT_EQ((Endpoint{parsed("2001:db8::1"), 80}.toString()), "[2001:db8::1]:80");
}

}  // namespace
}  // namespace tcpscope
