#include "core/host/sysctl_values.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using Three = std::array<std::uint64_t, 3>;

TEST(SysctlValues, ReadsNumbersBetweenBlanksAndTabs) {
  SysctlValues values;
  values.set("net.ipv4.tcp_rmem", "4096\t131072 6291456");
  values.set("net.ipv4.tcp_sack", "1");
  EXPECT_EQ(values.three("net.ipv4.tcp_rmem"), (Three{4096, 131072, 6291456}));
  EXPECT_EQ(values.number("net.ipv4.tcp_sack"), 1U);
  EXPECT_EQ(sysctlText({4096, 131072, 6291456}), "4096 131072 6291456");
}

TEST(SysctlValues, DoesNotKnowWhatDoesNotRead) {
  SysctlValues values;
  for (const std::string_view text : {"", "4096 131072", "1 2 3 4", "-1 2 3", "1 2 many", "99999999999999999999 2 3"}) {
    values.set("key", text);
    EXPECT_EQ(values.three("key"), std::nullopt) << text;
  }
  EXPECT_EQ(values.number("absent"), std::nullopt);
  EXPECT_EQ(values.text("absent"), std::nullopt);
}

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
