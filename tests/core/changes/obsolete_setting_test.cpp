#include "core/changes/obsolete_setting.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tcpscope {
namespace {

TEST(ObsoleteSetting, KnowsWhatIsGoneWhateverItsValue) {
  for (const std::string_view value : {"0", "1", "", "yes"}) {
    EXPECT_EQ(obsoleteReason("net.ipv4.tcp_tw_recycle", value), ObsoleteReason::recyclingGone);
    EXPECT_EQ(obsoleteReason("net.ipv4.tcp_fack", value), ObsoleteReason::ignored);
  }
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_low_latency", "1"), ObsoleteReason::ignored);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_adv_win_scale", "2"), ObsoleteReason::measuredInstead);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_westwood", "1"), ObsoleteReason::chosenElsewhere);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_abc", "1"), ObsoleteReason::gone);
}

TEST(ObsoleteSetting, KnowsWhatIsNotAboutSpeed) {
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_tw_reuse", "1"), ObsoleteReason::reuseIsNotSpeed);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_tw_reuse", "2"), std::nullopt);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_mem", "8388608 8388608 8388608"), ObsoleteReason::computedAtBoot);
  EXPECT_EQ(obsoleteReason("net.core.rmem_default", "16777216"), ObsoleteReason::notForTcp);
  EXPECT_EQ(obsoleteReason("net.core.wmem_default", "16777216"), ObsoleteReason::notForTcp);
}

TEST(ObsoleteSetting, MindsWhatIsSwitchedOff) {
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_sack", "0"), ObsoleteReason::sackOff);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_dsack", "0"), ObsoleteReason::duplicateSackOff);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_timestamps", " 0 "), ObsoleteReason::timestampsOff);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_window_scaling", "00"), ObsoleteReason::windowScalingOff);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_moderate_rcvbuf", "0"), ObsoleteReason::autoTuningOff);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_abort_on_overflow", "1"), ObsoleteReason::resetsClients);
  for (const std::string_view key : {"net.ipv4.tcp_sack", "net.ipv4.tcp_timestamps", "net.ipv4.tcp_window_scaling",
                                     "net.ipv4.tcp_moderate_rcvbuf"}) {
    EXPECT_EQ(obsoleteReason(key, "1"), std::nullopt) << key;
    EXPECT_EQ(obsoleteReason(key, "no number"), std::nullopt) << key;
  }
}

TEST(ObsoleteSetting, MindsALimitOnlyWhereItIsLowered) {
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_max_tw_buckets", "5000", "131072"), ObsoleteReason::protectionLowered);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_max_orphans", "5000", "8192\n"), std::nullopt);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_max_orphans", "5000", "8192"), ObsoleteReason::protectionLowered);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_max_tw_buckets", "131072", "131072"), std::nullopt);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_max_tw_buckets", "262144", "131072"), std::nullopt);
  EXPECT_EQ(obsoleteReason("net.ipv4.tcp_max_tw_buckets", "5000"), std::nullopt);
}

TEST(ObsoleteSetting, LeavesAloneWhatAdviceProposes) {
  for (const auto& [key, value] :
       {std::pair{"net.ipv4.tcp_rmem", "4096 131072 16777216"}, std::pair{"net.ipv4.tcp_wmem", "4096 16384 16777216"},
        std::pair{"net.ipv4.tcp_congestion_control", "bbr"}, std::pair{"net.core.default_qdisc", "fq"},
        std::pair{"net.ipv4.tcp_mtu_probing", "1"}, std::pair{"net.ipv4.tcp_notsent_lowat", "131072"},
        std::pair{"net.core.rmem_max", "16777216"}}) {
    EXPECT_EQ(obsoleteReason(key, value), std::nullopt) << key;
  }
}

TEST(ObsoleteSetting, NamesEveryReasonDifferently) {
  std::set<std::string_view> names;
  for (std::size_t reason = 0; reason < static_cast<std::size_t>(ObsoleteReason::count); ++reason) {
    names.insert(name(static_cast<ObsoleteReason>(reason)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ObsoleteReason::count));
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace tcpscope
