#include "collectors/pcap/capture_interface.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

IpAddress address(const char* text) {
  return IpAddress::parse(text).value();
}

TEST(CaptureInterface, WhatAHostSendsToItselfPassesTheLoopbackInterface) {
  EXPECT_EQ(captureInterfaceOf(address("127.0.0.1"), address("127.0.0.1")), "lo");
  EXPECT_EQ(captureInterfaceOf(address("::1"), address("::1")), "lo");
  EXPECT_EQ(captureInterfaceOf(address("::ffff:127.0.0.1"), address("::ffff:127.0.0.1")), "lo");
}

TEST(CaptureInterface, AnAddressThatNoInterfaceHasMayPassAnyOfThem) {
  EXPECT_EQ(captureInterfaceOf(address("192.0.2.77"), address("198.51.100.2")), "any");
}

}  // namespace
}  // namespace tcpscope
