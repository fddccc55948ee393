#include "tests/core/advice/advice_situation.h"

namespace tcpscope {
namespace {

using test::AdviceSituation;

TEST(SackOff, NamesTheEndThatHasItOffWhereLossesCost) {
  constexpr std::uint8_t kTimestampsAndScale = 5;
  AdviceSituation situation(Side::sending, Limit::recovery, Cause::loss);
  EXPECT_FALSE(situation.remedy(RemedyId::sackOff));
  situation.socket.options(kTimestampsAndScale);
  EXPECT_EQ(situation.remedy(RemedyId::sackOff)->place, RemedyPlace::eitherEnd)
      << "as long as the setting is not known";
  situation.settings.set("net.ipv4.tcp_sack", "1");
  EXPECT_EQ(situation.remedy(RemedyId::sackOff)->place, RemedyPlace::otherEnd);
  situation.settings.set("net.ipv4.tcp_sack", "0");
  const auto remedy = situation.remedy(RemedyId::sackOff);
  EXPECT_EQ(remedy->place, RemedyPlace::here);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_sack", "0", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->gain.to, std::nullopt);
}

TEST(SackOff, IsNoAdviceForAPathThatLosesNothing) {
  AdviceSituation situation(Side::sending, Limit::network, Cause::pathFull);
  situation.socket.options(5);
  EXPECT_TRUE(situation.advice().remedies.empty());
}

TEST(PacingLimit, IsRaisedToTheTargetInBytesASecond) {
  AdviceSituation situation(Side::sending, Limit::network, Cause::pacing);
  situation.socket.maxPacingRate(BitsPerSecond(12e6));
  const SettingChange lifted{SettingKind::socketOption, "SO_MAX_PACING_RATE", "1500000", "unset"};
  EXPECT_EQ(situation.remedy(RemedyId::pacingLimit)->changes.front(), lifted);
  const auto remedy = situation.aimAt(100e6).remedy(RemedyId::pacingLimit);
  const SettingChange raised{SettingKind::socketOption, "SO_MAX_PACING_RATE", "1500000", "12500000"};
  EXPECT_EQ(remedy->changes.front(), raised);
  EXPECT_EQ(remedy->place, RemedyPlace::program);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(100e6));
  EXPECT_FALSE(situation.aimAt(10e6).remedy(RemedyId::pacingLimit));
}

TEST(MtuBlackHole, IsProbedForWhereTheKernelDoesNotYet) {
  AdviceSituation situation(Side::sending, Limit::timeout, Cause::mtu);
  situation.settings.set("net.ipv4.tcp_mtu_probing", "0");
  const auto remedy = situation.remedy(RemedyId::mtuBlackHole);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_mtu_probing", "0", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  situation.settings.set("net.ipv4.tcp_mtu_probing", "1");
  EXPECT_FALSE(situation.remedy(RemedyId::mtuBlackHole));
}

}  // namespace
}  // namespace tcpscope
