#include "core/host/link_setting.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(LinkSetting, IsReadBackFromItsKey) {
  for (const char* const interface : {"eth0", "eth0.100", "a.b.c"}) {
    const std::string key = linkSettingKey({interface, "mtu"});
    const auto read = readLinkSettingKey(key);
    ASSERT_TRUE(read) << key;
    EXPECT_EQ(read->interface, interface);
    EXPECT_EQ(read->what, "mtu");
  }
}

TEST(LinkSetting, OtherKeysAreNone) {
  for (const char* const key : {"", "link", "link.", "link.mtu", "link..mtu", "net.ipv4.tcp_rmem", "linketh0.mtu"}) {
    EXPECT_FALSE(readLinkSettingKey(key)) << key;
  }
}

}  // namespace
}  // namespace tcpscope
