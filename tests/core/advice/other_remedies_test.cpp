#include "core/present/text/remedy_text.h"

#include <gmock/gmock.h>

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
  EXPECT_EQ(situation.remedy(RemedyId::sackOff)->place, RemedyPlace::peer);
  situation.settings.set("net.ipv4.tcp_sack", "0");
  const auto remedy = situation.remedy(RemedyId::sackOff);
  EXPECT_EQ(remedy->place, RemedyPlace::here);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_sack", "0", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->gain.to, std::nullopt);
}

TEST(SackOff, IsAdvisedWhereRepairTakesTimeWhateverTheVerdictCallsTheLosses) {
  constexpr std::uint8_t kTimestampsAndScale = 5;
  AdviceSituation situation(Side::sending, Limit::network, Cause::pathFull);
  situation.socket.options(kTimestampsAndScale);
  situation.window.samples = 20;
  situation.window.samplesInRecovery = 1;
  EXPECT_FALSE(situation.remedy(RemedyId::sackOff));
  situation.window.samplesInLoss = 1;
  EXPECT_TRUE(situation.remedy(RemedyId::sackOff));
  situation.diagnosis.verdict.cause = Cause::mtu;
  EXPECT_FALSE(situation.remedy(RemedyId::sackOff)) << "nothing large arrives, nothing is repaired";
}

TEST(SackOff, IsNoAdviceForAPathThatLosesNothing) {
  AdviceSituation situation(Side::sending, Limit::network, Cause::pathFull);
  situation.socket.options(5);
  EXPECT_TRUE(situation.advice().remedies.empty());
}

TEST(CongestionWindowClamp, IsRemovedFromTheRouteAndFromTheMetrics) {
  AdviceSituation situation(Side::sending, Limit::network, Cause::cwndClamp);
  const auto remedy = situation.remedy(RemedyId::congestionWindowClamp);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  ASSERT_EQ(remedy->changes.size(), 2U);
  EXPECT_EQ(remedy->changes.back().key, "sudo ip tcp_metrics flush");
  EXPECT_FALSE(undoableKind(*remedy)) << "a route is people's to change";
  situation.diagnosis.verdict.cause = Cause::pathFull;
  EXPECT_FALSE(situation.remedy(RemedyId::congestionWindowClamp));
}

TEST(WindowClamp, IsRaisedOnTheRunningConnection) {
  AdviceSituation situation(Side::receiving, Limit::receiver, Cause::windowClamp);
  situation.socket.receiveMemory(0, 1'000'000).windowScales(7, 7).ownWindow(24'000);
  const auto remedy = situation.remedy(RemedyId::windowClamp);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.front().key, "TCP_WINDOW_CLAMP");
  EXPECT_EQ(remedy->changes.front().now, "24000");
  EXPECT_GE(std::stoull(remedy->changes.front().wanted), 1'000'000U);
  EXPECT_EQ(undoableKind(*remedy), SettingKind::socketOption);
  situation.diagnosis.verdict.cause = Cause::bufferLimit;
  EXPECT_FALSE(situation.remedy(RemedyId::windowClamp));
}

TEST(WindowClamp, ComesBeforeScalingWhichBringsNothingBelowIt) {
  constexpr std::uint8_t kTimestampsAndSack = 3;
  AdviceSituation situation(Side::receiving, Limit::receiver, Cause::windowClamp);
  situation.socket.receiveMemory(0, 400'000).options(kTimestampsAndSack).windowScales(0, 0).ownWindow(32'758);
  situation.settings.set("net.ipv4.tcp_window_scaling", "0");
  const SideAdvice advice = situation.advice();
  ASSERT_EQ(advice.remedies.size(), 2U);
  EXPECT_EQ(advice.remedies[0].id, RemedyId::windowClamp);
  EXPECT_EQ(advice.remedies[0].changes.front().wanted, "65535");
  EXPECT_EQ(advice.remedies[1].id, RemedyId::windowScalingOff);
  EXPECT_EQ(advice.remedies[1].gain.atMost, advice.remedies[1].gain.from);
}

/// 138 segments delivered over 20 ms, all of them in slow start.
AdviceSituation shortTransfer() {
  AdviceSituation situation(Side::sending, Limit::network, Cause::slowStart);
  situation.socket.rtt(std::chrono::milliseconds(20), std::chrono::milliseconds(20)).delivered(138);
  return situation;
}

TEST(SlowStart, IsShortenedByALargerInitialWindowAndByReuse) {
  const AdviceSituation situation = shortTransfer();
  const auto larger = situation.remedy(RemedyId::initialWindow);
  ASSERT_TRUE(larger);
  EXPECT_EQ(larger->gain.savesRtts, 1) << "three instead of four";
  EXPECT_DOUBLE_EQ(*larger->gain.savesSeconds, 0.02);
  const auto reuse = situation.remedy(RemedyId::connectionReuse);
  ASSERT_TRUE(reuse);
  EXPECT_EQ(reuse->gain.savesRtts, 4) << "the handshake, and three of four";
  EXPECT_EQ(situation.advice().remedies.front().id, RemedyId::connectionReuse);
}

TEST(IdleRestart, IsSwitchedOffWhereTheKernelDoesIt) {
  AdviceSituation situation(Side::sending, Limit::application, Cause::slowWriter);
  situation.socket.rtt(std::chrono::milliseconds(20), std::chrono::milliseconds(20));
  situation.window.idleRestarts = 3;
  situation.window.congestionWindowBytes.add(20 * 1448.0);
  situation.window.congestionWindowBytes.add(320 * 1448.0);
  situation.settings.set("net.ipv4.tcp_slow_start_after_idle", "1");
  const auto remedy = situation.remedy(RemedyId::idleRestart);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_slow_start_after_idle", "1", "0"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->reach, Reach::live);
  EXPECT_EQ(remedy->gain.savesRtts, 4);
  situation.settings.set("net.ipv4.tcp_slow_start_after_idle", "0");
  EXPECT_FALSE(situation.remedy(RemedyId::idleRestart));
}

TEST(SmallWrites, LeaveAtOnceWithTcpNodelay) {
  AdviceSituation situation(Side::sending, Limit::application, Cause::nagle);
  const auto remedy = situation.remedy(RemedyId::smallWrites);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.front(), (SettingChange{SettingKind::socketOption, "TCP_NODELAY", "0", "1"}));
  EXPECT_EQ(remedy->reach, Reach::live);
  EXPECT_EQ(undoableKind(*remedy), SettingKind::socketOption);
  situation.socket.nagle(false, true);
  const auto uncorked = situation.remedy(RemedyId::smallWrites);
  ASSERT_TRUE(uncorked);
  EXPECT_EQ(uncorked->changes, (std::vector<SettingChange>{{SettingKind::socketOption, "TCP_CORK", "1", "0"}}))
      << "TCP_CORK outweighs TCP_NODELAY";
  EXPECT_EQ(undoableKind(*uncorked), SettingKind::socketOption);
}

TEST(DelayedAcks, AreThePeersToEndUnlessTheWriterIsCorked) {
  AdviceSituation situation(Side::sending, Limit::application, Cause::nagle);
  const auto remedy = situation.remedy(RemedyId::delayedAcks);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->place, RemedyPlace::peer);
  EXPECT_EQ(commandLine(remedy->changes.front()), "sudo ip route change ROUTE quickack 1");
  EXPECT_THAT(letter(*remedy), testing::HasSubstr("delays acknowledgments"));
  EXPECT_THAT(letter(*remedy), testing::HasSubstr("this connection and new ones"));
  situation.socket.nagle(false, true);
  EXPECT_FALSE(situation.remedy(RemedyId::delayedAcks));
}

TEST(ApplicationWindow, IsForTheProgramToEnlarge) {
  AdviceSituation situation(Side::sending, Limit::application, Cause::applicationWindow);
  situation.socket.remote("192.0.2.1", 22).rtt(std::chrono::milliseconds(80), std::chrono::milliseconds(80));
  situation.window.to = situation.window.from + std::chrono::seconds(4);
  situation.window.ackedBytes = 80'000'000;
  situation.window.receivedBytes = 36'000;
  situation.window.dataSegmentsIn = 1'000;
  for (int sample = 0; sample < 8; ++sample) {
    situation.window.inFlightBytes.add(2'050'000);
    situation.window.rttUs.add(80'000);
  }
  const auto remedy = situation.remedy(RemedyId::applicationWindow);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->place, RemedyPlace::program);
  EXPECT_EQ(remedy->changes.front().now, "2050000 bytes");
  EXPECT_NE(remedy->changes.front().wanted.find("SSH"), std::string::npos);
  EXPECT_FALSE(undoableKind(*remedy)) << "nothing that tcpscope could set";
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

/// A CUBIC sender that loses one packet in a hundred over 20 ms without a queue.
AdviceSituation cubicSenderWithLoss() {
  AdviceSituation situation(Side::sending, Limit::network, Cause::loss);
  situation.window.rttUs.add(20'300);
  situation.socket.rtt(std::chrono::microseconds(20'300), std::chrono::milliseconds(20));
  situation.window.dataSegmentsOut = 10'000;
  situation.window.retransmittedSegments = 100;
  situation.settings.set("net.ipv4.tcp_congestion_control", "cubic");
  return situation;
}

TEST(Order, WhatOnlyThePathEndsComesBeforeWhatIsKnownToBringLittle) {
  constexpr std::uint8_t kTimestampsAndScale = 5;
  AdviceSituation situation = cubicSenderWithLoss();
  situation.socket.options(kTimestampsAndScale);
  situation.window.samples = 20;
  situation.window.samplesInRecovery = 2;
  const SideAdvice advice = situation.advice();
  ASSERT_GE(advice.remedies.size(), 2U);
  EXPECT_EQ(name(advice.remedies[0].id), name(RemedyId::randomLoss));
  EXPECT_EQ(name(advice.remedies[1].id), name(RemedyId::sackOff));
}

TEST(SmallSegments, AreMadeAsLargeAsThePathCarriesBeforeJumboFramesAreThoughtOf) {
  AdviceSituation situation = cubicSenderWithLoss();
  situation.socket.remote("192.0.2.7", 443).mss(524).set(tcp_info::kPmtu, 1500U);
  EXPECT_TRUE(situation.remedy(RemedyId::smallSegments));
  EXPECT_FALSE(situation.remedy(RemedyId::jumboFrames));
  situation.socket.mss(1448);
  EXPECT_FALSE(situation.remedy(RemedyId::smallSegments));
}

TEST(RandomLoss, IsAnsweredByARateBasedCongestionControl) {
  AdviceSituation situation = cubicSenderWithLoss();
  auto remedy = situation.remedy(RemedyId::randomLoss);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_congestion_control", "cubic", "bbr"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->place, RemedyPlace::here);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  EXPECT_EQ(remedy->gain.to, std::nullopt) << "what the path carries is not known";
  EXPECT_EQ(remedy->preconditions,
            (std::vector{Precondition::othersSlowDownForLoss, Precondition::pacedMeetMoreLosses}));
  remedy = situation.aimAt(100e6).remedy(RemedyId::randomLoss);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(99e6)) << "one in a hundred is sent for nothing";
}

TEST(RandomLoss, IsTheProgramsToAnswerWhereItChoseTheControl) {
  AdviceSituation situation = cubicSenderWithLoss();
  situation.settings.set("net.ipv4.tcp_congestion_control", "bbr");
  const auto remedy = situation.remedy(RemedyId::randomLoss);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::socketOption, "TCP_CONGESTION", "cubic", "bbr"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->place, RemedyPlace::program);
  EXPECT_EQ(remedy->reach, Reach::live);
}

TEST(RandomLoss, ClaimsNoSettingThatWasNotRead) {
  AdviceSituation situation = cubicSenderWithLoss();
  situation.settings = {};
  const auto remedy = situation.remedy(RemedyId::randomLoss);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.front().now, std::nullopt) << "the socket's control is not the setting";
  EXPECT_EQ(remedy->preconditions, (std::vector{Precondition::settingsUnknown, Precondition::othersSlowDownForLoss,
                                                Precondition::pacedMeetMoreLosses}));
}

TEST(RandomLoss, IsNoAdviceWhereAQueueOverflows) {
  AdviceSituation situation = cubicSenderWithLoss();
  situation.window.rttUs.add(60'000);
  EXPECT_FALSE(situation.remedy(RemedyId::randomLoss));
}

TEST(RandomLoss, IsNoAdviceForAPolicerAHopelessPathOrAControlThatIgnoresLoss) {
  AdviceSituation policer = cubicSenderWithLoss();
  policer.diagnosis.verdict.cause = Cause::policer;
  EXPECT_FALSE(policer.remedy(RemedyId::randomLoss)) << "it would drop the more";
  AdviceSituation hopeless = cubicSenderWithLoss();
  hopeless.window.retransmittedSegments = 3000;
  EXPECT_FALSE(hopeless.remedy(RemedyId::randomLoss));
  AdviceSituation bbr = cubicSenderWithLoss();
  bbr.socket.congestionControl("bbr");
  EXPECT_FALSE(bbr.remedy(RemedyId::randomLoss));
}

TEST(UnsentData, IsKeptSmallForLatencyAlone) {
  AdviceSituation situation(Side::sending, Limit::network, Cause::pathFull);
  situation.window.notSentBytes.add(1'631'072);
  EXPECT_TRUE(situation.advice().remedies.empty()) << "throughput gains nothing";
  situation.goal.aim = AdviceAim::latency;
  auto remedy = situation.remedy(RemedyId::unsentData);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->preconditions, std::vector{Precondition::settingsUnknown});
  // 1.5 MB less before it, at 12 Mbit/s.
  EXPECT_NEAR(*remedy->gain.waitsLessSeconds, 1.0, 1e-9);
  EXPECT_EQ(sentence(remedy->gain), "data waits about 1.00 s less before transmission");
  situation.settings.set("net.ipv4.tcp_notsent_lowat", "4294967295");
  remedy = situation.remedy(RemedyId::unsentData);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_notsent_lowat", "4294967295", "131072"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->reach, Reach::live);
  situation.settings.set("net.ipv4.tcp_notsent_lowat", "131072");
  EXPECT_EQ(situation.advice().whyNot, WhyNoAdvice::noRemedyKnown);
}

TEST(Advice, SaysWhatThePathMayLoseForATarget) {
  AdviceSituation situation(Side::sending, Limit::receiver, Cause::bufferLimit);
  EXPECT_FALSE(situation.advice().lossBudget);
  situation.aimAt(100e6);
  ASSERT_TRUE(situation.advice().lossBudget);
  EXPECT_NEAR(situation.advice().lossBudget->packetsBetween, 19'873, 10) << "20 ms, as measured";
  situation.goal.targetRtt = Milliseconds(40);
  EXPECT_NEAR(situation.advice().lossBudget->packetsBetween, 4 * 19'873, 40);
  situation.socket.congestionControl("bbr");
  EXPECT_FALSE(situation.advice().lossBudget) << "loss does not steer it";
}

TEST(Advice, ForLatencyRaisesNoBuffer) {
  AdviceSituation situation(Side::receiving, Limit::receiver, Cause::bufferLimit);
  EXPECT_TRUE(situation.aimAt(100e6).remedy(RemedyId::receiveBufferLimit));
  situation.goal.aim = AdviceAim::latency;
  EXPECT_TRUE(situation.advice().remedies.empty());
}

}  // namespace
}  // namespace tcpscope
