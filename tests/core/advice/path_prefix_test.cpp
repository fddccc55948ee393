#include "core/advice/path_prefix.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

std::string pathTo(std::string_view address) {
  const auto path = PathPrefix::of(IpAddress::parse(address).value());
  return path ? path->toString() : "none";
}

TEST(PathPrefix, IsTheNetworkThatIsRouted) {
  EXPECT_EQ(pathTo("198.51.100.77"), "198.51.100.0/24");
  EXPECT_EQ(pathTo("2001:db8:1:2::7"), "2001:db8:1::/48");
}

TEST(PathPrefix, OfAMappedAddressIsTheIpv4One) {
  EXPECT_EQ(pathTo("::ffff:198.51.100.77"), "198.51.100.0/24");
}

TEST(PathPrefix, WhatStaysOnTheHostOrItsLinkIsNoPath) {
  for (const char* const address : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "169.254.1.2",
                                    "fe80::1", "febf::1", "::ffff:169.254.1.2", "224.0.0.1", "ff02::1"}) {
    EXPECT_EQ(pathTo(address), "none") << address;
  }
  EXPECT_NE(pathTo("fec0::1"), "none");
  EXPECT_NE(pathTo("169.253.1.2"), "none");
}

TEST(PathPrefix, BetweenTwoEndsOfOneAddressThereIsNone) {
  const auto one = IpAddress::parse("192.0.2.1").value();
  EXPECT_FALSE(pathOf(one, IpAddress::parse("::ffff:192.0.2.1").value()));
  EXPECT_TRUE(pathOf(one, IpAddress::parse("192.0.2.2").value()));
}

TEST(PathPrefix, IsReadAsItIsWritten) {
  for (const char* const text : {"198.51.100.0/24", "2001:db8:1::/48"}) {
    const auto path = PathPrefix::parse(text);
    ASSERT_TRUE(path) << text;
    EXPECT_EQ(path->toString(), text);
  }
  EXPECT_EQ(PathPrefix::parse("198.51.100.9"), PathPrefix::parse("198.51.100.0/24"));
}

TEST(PathPrefix, OtherTextIsNone) {
  for (const char* const text : {"", "/24", "198.51.100.0/", "198.51.100.0/16", "198.51.100.1/24", "198.51.100.0/024",
                                 "2001:db8:1::/64", "127.0.0.0/24", "example.net", "198.51.100.0/24 "}) {
    EXPECT_FALSE(PathPrefix::parse(text)) << text;
  }
}

}  // namespace
}  // namespace tcpscope
