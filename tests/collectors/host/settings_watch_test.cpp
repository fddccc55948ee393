#include "collectors/host/settings_watch.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

HostFact fact(const std::string& key, const std::string& value) {
  return {UntrustedText(key), UntrustedText(value)};
}

Moment second(int number) {
  return Moment() + std::chrono::seconds(number);
}

TEST(SettingsWatch, ReportsSettingsThatChangedSinceTheLastPoll) {
  HostFacts now = {fact("net.ipv4.tcp_rmem", "4096 131072 6291456"), fact("net.ipv4.tcp_sack", "1")};
  SettingsWatch watch(now, [&] { return now; });
  EXPECT_TRUE(watch.poll(second(1)).empty());
  now[0] = fact("net.ipv4.tcp_rmem", "4096 131072 33554432");
  const ChangeMark expected{second(2), std::nullopt, UntrustedText("net.ipv4.tcp_rmem"),
                            UntrustedText("4096 131072 6291456"), UntrustedText("4096 131072 33554432")};
  EXPECT_EQ(watch.poll(second(2)), std::vector{expected});
  EXPECT_EQ(watch.facts(), now);
  EXPECT_TRUE(watch.poll(second(3)).empty()) << "once is enough";
}

TEST(SettingsWatch, TakesWhatCannotBeReadToBeAsItWas) {
  HostFacts now = {fact("net.ipv4.tcp_sack", "1")};
  SettingsWatch watch(now, [&] { return now; });
  now.clear();
  EXPECT_TRUE(watch.poll(second(1)).empty());
  EXPECT_EQ(watch.facts().size(), 1U);
  now = {fact("net.ipv4.tcp_sack", "0"), fact("net.ipv4.tcp_ecn", "2")};
  EXPECT_EQ(watch.poll(second(2)).size(), 1U) << "what is read for the first time has not changed";
  EXPECT_EQ(watch.facts().size(), 2U);
}

}  // namespace
}  // namespace tcpscope
