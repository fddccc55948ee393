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

}  // namespace
}  // namespace tcpscope
