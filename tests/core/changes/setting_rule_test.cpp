// The allow-list: what passes, what does not, and that nothing else does.
#include "core/changes/setting_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tcpscope {
namespace {

SettingRefusal refusalOf(std::string_view key, std::string_view value) {
  const auto checked = checkedSetting(key, value);
  EXPECT_FALSE(checked.has_value()) << key << " = " << value;
  return checked ? SettingRefusal::tooMuch : checked.error().refusal;
}

TEST(SettingRule, PassesWhatMakesSense) {
  EXPECT_EQ(checkedSetting("net.ipv4.tcp_rmem", "4096 131072 67108864")->value, "4096 131072 67108864");
  EXPECT_EQ(checkedSetting("net.ipv4.tcp_congestion_control", "bbr")->value, "bbr");
  EXPECT_EQ(checkedSetting("net.core.default_qdisc", "fq")->value, "fq");
  EXPECT_EQ(checkedSetting("net.ipv4.tcp_notsent_lowat", "4294967295")->value, "4294967295");
}

TEST(SettingRule, WritesTheValueAsTheKernelShowsIt) {
  EXPECT_EQ(checkedSetting("net.ipv4.tcp_rmem", "  4096\t131072   67108864\n")->value, "4096 131072 67108864");
}

TEST(SettingRule, RefusesKeysThatAreNotListed) {
  for (const std::string_view key :
       {"kernel.core_pattern", "net.ipv4.ip_forward", "net.ipv4.tcp_rmem ", "net/ipv4/tcp_rmem", "net.ipv4.tcp_rmem\n",
        "../../etc/passwd", "net.ipv4.tcp_tw_recycle", "", "net.ipv4", "NET.IPV4.TCP_RMEM"}) {
    EXPECT_EQ(refusalOf(key, "1"), SettingRefusal::keyNotAllowed);
  }
}

TEST(SettingRule, RefusesValuesThatTheKernelWouldTake) {
  EXPECT_EQ(refusalOf("net.ipv4.tcp_rmem", "4096 131072"), SettingRefusal::wrongCount);
  EXPECT_EQ(refusalOf("net.ipv4.tcp_rmem", "4096 131072 262144 1"), SettingRefusal::wrongCount);
  EXPECT_EQ(refusalOf("net.ipv4.tcp_rmem", "1 131072 262144"), SettingRefusal::outOfRange);
  EXPECT_EQ(refusalOf("net.ipv4.tcp_rmem", "4096 262144 131072"), SettingRefusal::notOrdered);
  EXPECT_EQ(refusalOf("net.ipv4.tcp_sack", "2"), SettingRefusal::outOfRange);
  EXPECT_EQ(refusalOf("net.core.rmem_max", "99999999999999999999999"), SettingRefusal::outOfRange);
  EXPECT_EQ(refusalOf("net.ipv4.tcp_pacing_ca_ratio", "0"), SettingRefusal::outOfRange);
}

TEST(SettingRule, TakesPlainDecimalNumbersOnly) {
  for (const std::string_view value : {"-1", "+1", "0x1", "01", "1.0", "one", "1;"}) {
    EXPECT_EQ(refusalOf("net.ipv4.tcp_sack", value), SettingRefusal::notANumber);
  }
  EXPECT_EQ(refusalOf("net.ipv4.tcp_sack", ""), SettingRefusal::wrongCount);
}

TEST(SettingRule, TakesNoWordThatCouldBeMoreThanAName) {
  EXPECT_EQ(refusalOf("net.ipv4.tcp_congestion_control", "../bbr"), SettingRefusal::unknownWord);
  EXPECT_EQ(refusalOf("net.ipv4.tcp_congestion_control", "longer_than_kernel"), SettingRefusal::unknownWord);
  EXPECT_EQ(refusalOf("net.core.default_qdisc", "netem"), SettingRefusal::unknownWord);
}

TEST(SettingRule, RefusesARequestThatNamesAKeyTwiceOrIsTooLong) {
  const std::vector<WantedSetting> twice = {{"net.ipv4.tcp_sack", "1"}, {"net.ipv4.tcp_sack", "0"}};
  EXPECT_EQ(checkedRequest(twice).error(), (RefusedSetting{"net.ipv4.tcp_sack", SettingRefusal::keyTwice}));
  const std::vector<WantedSetting> many(kMostSettings + 1, {"net.ipv4.tcp_sack", "1"});
  EXPECT_FALSE(checkedRequest(many).has_value());
  const std::vector<WantedSetting> longOne = {{"net.ipv4.tcp_sack", std::string(kMostRequestBytes, ' ') + "1"}};
  EXPECT_EQ(checkedRequest(longOne).error().refusal, SettingRefusal::tooMuch);
}

/// A key that looks like one: words of the real ones, shuffled, with letters changed.
std::string drawKey(std::mt19937_64& random) {
  const std::vector<std::string_view> allowed = allowedKeys();
  std::string key(allowed[random() % allowed.size()]);
  const std::size_t changes = 1 + random() % 3;
  for (std::size_t change = 0; change < changes; ++change) {
    const std::size_t at = random() % key.size();
    switch (random() % 4) {
      case 0:
        key[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        key.erase(at, 1 + random() % 4);
        break;
      case 2:
        key.insert(at, 1, "./_-\n "[random() % 6]);
        break;
      default:
        key += allowed[random() % allowed.size()].substr(random() % 9);
    }
    if (key.empty()) key = "net";
  }
  return key;
}

TEST(SettingRule, RefusesTenThousandKeysThatAreNotListed) {
  constexpr std::uint64_t kSeed = 2026;
  constexpr int kKeys = 10'000;
  std::mt19937_64 random(kSeed);
  const std::vector<std::string_view> allowed = allowedKeys();
  int refused = 0;
  while (refused < kKeys) {
    const std::string key = drawKey(random);
    // A change may have been undone by another.
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    ASSERT_EQ(refusalOf(key, "1"), SettingRefusal::keyNotAllowed);
    ++refused;
  }
  EXPECT_EQ(refused, kKeys);
}

TEST(SettingRule, HasItsKeysInOrderAndNoneTwice) {
  const std::vector<std::string_view> keys = allowedKeys();
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

}  // namespace
}  // namespace tcpscope
