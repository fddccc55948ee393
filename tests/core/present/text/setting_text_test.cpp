#include "core/present/text/setting_text.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(SettingText, EverySysctlThatCanBeChangedIsExplained) {
  for (const std::string_view key : allowedKeys()) {
    EXPECT_FALSE(explanationOfSysctl(key).empty()) << key;
    EXPECT_FALSE(allowedText(*allowedRange(key)).empty()) << key;
  }
  EXPECT_EQ(explanationOfSysctl("kernel.core_pattern"), "");
  EXPECT_FALSE(allowedRange("kernel.core_pattern"));
}

TEST(SettingText, NamesWhatASettingTakes) {
  EXPECT_EQ(allowedText(*allowedRange("net.ipv4.tcp_sack")), "0 or 1");
  EXPECT_EQ(allowedText(*allowedRange("net.ipv4.tcp_ecn")), "0 to 2");
  EXPECT_EQ(allowedText(*allowedRange("net.ipv4.tcp_rmem")), "three growing numbers, 4,096 to 1,073,741,824");
  EXPECT_EQ(allowedText(*allowedRange("net.core.default_qdisc")), "fq, fq_codel, pfifo_fast, sfq, cake");
  EXPECT_EQ(allowedText(optionRow(SocketOption::sendBuffer)), "4.00 KiB to 512 MiB");
  EXPECT_EQ(allowedText(optionRow(SocketOption::maxPacingRate)), "8.00 kbit/s to 8.00 Tbit/s, or unlimited");
  EXPECT_EQ(allowedText(optionRow(SocketOption::noDelay)), "on or off");
  EXPECT_EQ(allowedText(optionRow(SocketOption::maxSegment)), "no: negotiated in the handshake, needs a reconnect");
}

}  // namespace
}  // namespace tcpscope
