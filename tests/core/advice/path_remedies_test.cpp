// Remedies of options and of what the kernel remembers.
#include "core/present/text/remedy_text.h"
#include "tests/core/advice/advice_situation.h"

namespace tcpscope {
namespace {

using test::AdviceSituation;

constexpr std::uint8_t kSackAndScale = 6;
constexpr std::uint8_t kAllButEcn = 7;
constexpr std::uint8_t kAllWithEcn = 15;

/// A queue of the path overflows, and a fifth of the samples show recovery.
AdviceSituation overflowing() {
  AdviceSituation situation(Side::sending, Limit::network, Cause::pathFull);
  situation.socket.options(kAllButEcn).rtt(std::chrono::milliseconds(40), std::chrono::milliseconds(20));
  situation.window.rttUs.add(40'000);
  situation.window.dataSegmentsOut = 10'000;
  situation.window.retransmittedSegments = 100;
  situation.window.samples = 20;
  situation.window.samplesInRecovery = 4;
  situation.settings.set("net.ipv4.tcp_ecn", "2");
  situation.goal.pathMarks = true;
  return situation;
}

TEST(EcnOff, IsAskedForWhereAQueueOverflowsAndRepairCosts) {
  const auto remedy = overflowing().remedy(RemedyId::ecnOff);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_ecn", "2", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  EXPECT_EQ(remedy->gain.to, std::nullopt);
  EXPECT_EQ(remedy->gain.why, GainReason::pathDecides);
  EXPECT_EQ(remedy->preconditions, (std::vector{Precondition::queuesHaveToMark, Precondition::openingEndHasToAsk}));
}

TEST(EcnOff, IsNoAdviceWhereItIsOnOrNothingOverflowsOrRepairCostsLittle) {
  AdviceSituation agreed = overflowing();
  agreed.socket.options(kAllWithEcn);
  EXPECT_FALSE(agreed.remedy(RemedyId::ecnOff));
  AdviceSituation asks = overflowing();
  asks.settings.set("net.ipv4.tcp_ecn", "1");
  EXPECT_FALSE(asks.remedy(RemedyId::ecnOff)) << "the other end does not want it";
  AdviceSituation healthy = overflowing();
  healthy.window.samplesInRecovery = 1;
  EXPECT_FALSE(healthy.remedy(RemedyId::ecnOff)) << "how a sender learns that the bottleneck is saturated";
  AdviceSituation unmarked = overflowing();
  unmarked.goal.pathMarks = false;
  EXPECT_FALSE(unmarked.remedy(RemedyId::ecnOff)) << "no router on the path is known to mark";
  AdviceSituation noQueue = overflowing();
  noQueue.window.rttUs = {};
  noQueue.window.rttUs.add(20'500);
  EXPECT_FALSE(noQueue.remedy(RemedyId::ecnOff));
}

TEST(TimestampsOff, MatterWhereSequenceNumbersComeRoundInAPacketsLife) {
  AdviceSituation situation(Side::sending, Limit::network, Cause::pathFull);
  situation.socket.options(kSackAndScale);
  situation.settings.set("net.ipv4.tcp_timestamps", "0");
  // 2^31 bytes in 120 s are 143.2 Mbit/s.
  situation.diagnosis.goodput = BitsPerSecond(140e6);
  EXPECT_FALSE(situation.remedy(RemedyId::timestampsOff));
  situation.diagnosis.goodput = BitsPerSecond(150e6);
  auto remedy = situation.remedy(RemedyId::timestampsOff);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_timestamps", "0", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(sentence(remedy->gain), "no change of rate");
  situation.settings.set("net.ipv4.tcp_timestamps", "1");
  remedy = situation.remedy(RemedyId::timestampsOff);
  EXPECT_EQ(remedy->place, RemedyPlace::peer);
  EXPECT_TRUE(letter(*remedy).starts_with("A TCP connection to your host is not as safe")) << letter(*remedy);
  situation.socket.options(kAllButEcn);
  EXPECT_FALSE(situation.remedy(RemedyId::timestampsOff));
}

/// A Reno sender that left slow start at ten segments and lost nothing.
AdviceSituation early() {
  AdviceSituation situation(Side::sending, Limit::network, Cause::unknown);
  situation.socket.congestionControl("reno").congestionWindow(30).retransmitted(0).caState(CaState::open);
  situation.socket.set(tcp_info::kSndSsthresh, 10U);
  situation.settings.set("net.ipv4.tcp_no_ssthresh_metrics_save", "0");
  return situation;
}

TEST(RememberedThreshold, IsForgottenWhereAConnectionThatLostNothingHasOne) {
  AdviceSituation situation = early();
  const auto remedy = situation.remedy(RemedyId::rememberedThreshold);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_no_ssthresh_metrics_save", "0", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  situation.socket.congestionControl("cubic");
  EXPECT_TRUE(situation.remedy(RemedyId::rememberedThreshold));
  situation.socket.set(tcp_info::kSndSsthresh, 16U);
  EXPECT_FALSE(situation.remedy(RemedyId::rememberedThreshold)) << "HyStart may have set it";
}

TEST(RememberedThreshold, IsNoAdviceAfterALossOrWhereTheKernelRemembersNone) {
  AdviceSituation lost = early();
  lost.socket.retransmitted(1);
  EXPECT_FALSE(lost.remedy(RemedyId::rememberedThreshold));
  AdviceSituation forgets = early();
  forgets.settings.set("net.ipv4.tcp_no_ssthresh_metrics_save", "1");
  EXPECT_FALSE(forgets.remedy(RemedyId::rememberedThreshold));
  AdviceSituation unknown = early();
  unknown.settings = {};
  EXPECT_FALSE(unknown.remedy(RemedyId::rememberedThreshold));
  AdviceSituation inSlowStart = early();
  inSlowStart.socket.set(tcp_info::kSndSsthresh, 0x7fffffffU);
  EXPECT_FALSE(inSlowStart.remedy(RemedyId::rememberedThreshold));
  AdviceSituation marked = early();
  marked.socket.delivered(100, 1);
  EXPECT_FALSE(marked.remedy(RemedyId::rememberedThreshold));
}

}  // namespace
}  // namespace tcpscope
