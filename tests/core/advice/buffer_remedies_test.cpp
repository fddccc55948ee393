#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/advice/remedies.h"
#include "tests/core/advice/advice_situation.h"

namespace tcpscope {
namespace {

using test::AdviceSituation;

AdviceSituation smallReceiveBuffer() {
  return {Side::receiving, Limit::receiver, Cause::bufferLimit};
}

AdviceSituation smallSendBuffer() {
  return {Side::sending, Limit::sendBuffer, Cause::bufferLimit};
}

TEST(BufferForPath, IsTwoBandwidthDelayProductsInWholeSteps) {
  // 100 Mbit/s * 20 ms / 8 = 250,000 bytes; twice that is 7.63 times 64 KiB.
  EXPECT_EQ(bufferForPath(BitsPerSecond(100e6), 0.020), Bytes(524'288));
  // Exactly one step: 2 * 26.2144 Mbit/s * 10 ms / 8 = 65,536.
  EXPECT_EQ(bufferForPath(BitsPerSecond(26.2144e6), 0.010), Bytes(65'536));
  // No larger than the kernel's int holds.
  EXPECT_EQ(bufferForPath(BitsPerSecond(400e9), 0.3), Bytes(2'147'418'112));
}

TEST(ReceiveBufferLimit, RaisesTheThirdNumberToWhatTheTargetNeeds) {
  const auto remedy = smallReceiveBuffer().aimAt(100e6).remedy(RemedyId::receiveBufferLimit);
  ASSERT_TRUE(remedy);
  ASSERT_EQ(remedy->changes.size(), 1U);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_rmem", "4096 65536 65536", "4096 65536 524288"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->place, RemedyPlace::here);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  EXPECT_EQ(remedy->gain.from, BitsPerSecond(12e6));
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(100e6));
  EXPECT_EQ(remedy->gain.why, GainReason::targetRate);
  EXPECT_EQ(remedy->memoryPerConnection, Bytes(524'288));
  // 1000 pages of 4096 bytes hold 7.8 of them.
  EXPECT_EQ(remedy->connectionsThatFit, 7U);
  EXPECT_DOUBLE_EQ(remedy->confidenceRatio, 0.9);
  EXPECT_EQ(remedy->evidence.size(), 1U);
}

TEST(ReceiveBufferLimit, WithoutATargetStartsFromTheKernelsDefaultAndPromisesNoRate) {
  AdviceSituation situation = smallReceiveBuffer();
  const auto remedy = situation.remedy(RemedyId::receiveBufferLimit);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.front().wanted, "4096 65536 6291456");
  EXPECT_EQ(remedy->gain.to, std::nullopt);
  EXPECT_EQ(remedy->gain.why, GainReason::pathDecides);
  // What is as large already is doubled.
  situation.settings.set("net.ipv4.tcp_rmem", "4096 131072 6291456");
  EXPECT_EQ(situation.remedy(RemedyId::receiveBufferLimit)->changes.front().wanted, "4096 131072 12582912");
}

TEST(ReceiveBufferLimit, IsSilentWhereTheBufferIsLargeEnoughForTheTarget) {
  AdviceSituation situation = smallReceiveBuffer().aimAt(100e6);
  situation.settings.set("net.ipv4.tcp_rmem", "4096 131072 524288");
  EXPECT_FALSE(situation.remedy(RemedyId::receiveBufferLimit));
  EXPECT_EQ(situation.advice().whyNot, WhyNoAdvice::noRemedyKnown);
}

TEST(ReceiveBufferLimit, SaysSoWhereTheSettingsAreNotKnown) {
  AdviceSituation situation = smallReceiveBuffer().aimAt(100e6);
  situation.settings = {};
  const auto remedy = situation.remedy(RemedyId::receiveBufferLimit);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.front().now, std::nullopt);
  EXPECT_EQ(remedy->changes.front().wanted, "4096 131072 524288");
  EXPECT_EQ(remedy->preconditions.front(), Precondition::settingsUnknown);
  EXPECT_EQ(remedy->connectionsThatFit, std::nullopt);
}

TEST(AutoTuningOff, IsSwitchedOnInsteadOfRaisingALimitThatHoldsNothing) {
  AdviceSituation situation = smallReceiveBuffer();
  situation.settings.set("net.ipv4.tcp_moderate_rcvbuf", "0");
  const auto remedy = situation.remedy(RemedyId::autoTuningOff);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_moderate_rcvbuf", "0", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  EXPECT_FALSE(situation.remedy(RemedyId::receiveBufferLimit));
  EXPECT_FALSE(smallReceiveBuffer().remedy(RemedyId::autoTuningOff));
}

TEST(SendBufferLimit, RaisesTheThirdNumberOfTheSendersSetting) {
  const auto remedy = smallSendBuffer().aimAt(100e6).remedy(RemedyId::sendBufferLimit);
  ASSERT_TRUE(remedy);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_wmem", "4096 16384 65536", "4096 16384 524288"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_EQ(remedy->reach, Reach::live);
}

TEST(SendBufferLimit, PromisesTheNextLimitWhereNoTargetIsGiven) {
  AdviceSituation situation = smallSendBuffer();
  situation.diagnosis.verdict.next = NextLimit{BitsPerSecond(40e6), {}, {}, {}};
  const auto remedy = situation.remedy(RemedyId::sendBufferLimit);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(40e6));
  EXPECT_EQ(remedy->gain.why, GainReason::nextLimit);
  EXPECT_EQ(remedy->changes.front().wanted, "4096 16384 4194304");
}

TEST(SendBufferLimit, ExpectsWhatThePathCarries) {
  AdviceSituation situation = smallSendBuffer();
  situation.diagnosis.verdict.next =
      NextLimit{BitsPerSecond(95e6), NextLimitMethod::ackDispersion, BitsPerSecond(90e6), BitsPerSecond(100e6)};
  const auto remedy = situation.remedy(RemedyId::sendBufferLimit);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(95e6));
  EXPECT_EQ(remedy->gain.why, GainReason::pathCapacity);
}

TEST(SendBufferLimit, ExpectsNoMoreThanThePathCarriesOfATarget) {
  AdviceSituation situation = smallSendBuffer();
  situation.aimAt(500e6);
  situation.diagnosis.verdict.next =
      NextLimit{BitsPerSecond(95e6), NextLimitMethod::ackDispersion, BitsPerSecond(90e6), BitsPerSecond(100e6)};
  const auto remedy = situation.remedy(RemedyId::sendBufferLimit);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(95e6));
}

TEST(LockedSendBuffer, IsUnlockedLiveAfterASize) {
  AdviceSituation situation(Side::sending, Limit::sendBuffer, Cause::bufferLocked);
  situation.aimAt(100e6).socket.locks(true, false).sendMemory(131'072, 131'072);
  const auto remedy = situation.remedy(RemedyId::lockedSendBuffer);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->place, RemedyPlace::program);
  EXPECT_EQ(remedy->reach, Reach::live);
  // The kernel doubles what is asked for.
  const std::vector<SettingChange> wanted = {{SettingKind::socketOption, "SO_SNDBUF", "131072", "262144"},
                                             {SettingKind::socketOption, "SO_BUF_LOCK", "1", "0"}};
  EXPECT_EQ(remedy->changes, wanted);
  situation.settings.set("net.core.wmem_max", "212992");
  EXPECT_EQ(situation.remedy(RemedyId::lockedSendBuffer)->changes.front().wanted, "212992");
}

TEST(LockedReceiveBuffer, HasToBeLeftOutAtTheNextConnectionWhereTheScaleCapsIt) {
  AdviceSituation situation(Side::receiving, Limit::receiver, Cause::bufferLocked);
  situation.aimAt(100e6).socket.locks(true, true).receiveMemory(1000, 131'072).windowScales(7, 1);
  const auto remedy = situation.remedy(RemedyId::lockedReceiveBuffer);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  const std::vector<SettingChange> wanted = {{SettingKind::socketOption, "SO_RCVBUF", "131072", "unset"}};
  EXPECT_EQ(remedy->changes, wanted);
  // 65535 * 2 * 2 bytes, and 262,144 are to be window.
  situation.socket.windowScales(7, 2);
  EXPECT_EQ(situation.remedy(RemedyId::lockedReceiveBuffer)->reach, Reach::afterReconnect);
  // With room, live; the lock of the other buffer stays.
  situation.socket.windowScales(7, 3);
  EXPECT_EQ(situation.remedy(RemedyId::lockedReceiveBuffer)->reach, Reach::live);
  EXPECT_EQ(situation.remedy(RemedyId::lockedReceiveBuffer)->changes.back().wanted, "1");
  const SettingChange clamp{SettingKind::socketOption, "TCP_WINDOW_CLAMP", std::nullopt, "524288"};
  EXPECT_EQ(situation.remedy(RemedyId::lockedReceiveBuffer)->changes.at(1), clamp);
}

TEST(WindowScalingOff, NamesTheEndThatHasItOff) {
  constexpr std::uint8_t kTimestampsAndSack = 3;
  AdviceSituation situation(Side::receiving, Limit::receiver, Cause::windowScale);
  situation.socket.options(kTimestampsAndSack).windowScales(0, 0);
  EXPECT_EQ(situation.remedy(RemedyId::windowScalingOff)->place, RemedyPlace::peer);
  situation.settings.set("net.ipv4.tcp_window_scaling", "0");
  const auto remedy = situation.remedy(RemedyId::windowScalingOff);
  EXPECT_EQ(remedy->place, RemedyPlace::here);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  const SettingChange wanted{SettingKind::sysctl, "net.ipv4.tcp_window_scaling", "0", "1"};
  EXPECT_EQ(remedy->changes.front(), wanted);
  EXPECT_FALSE(situation.remedy(RemedyId::receiveBufferLimit));
}

TEST(ReceiverElsewhere, AppliesToThePeer) {
  AdviceSituation situation(Side::sending, Limit::receiver, Cause::bufferLimit);
  const auto remedy = situation.aimAt(100e6).remedy(RemedyId::receiverElsewhere);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->place, RemedyPlace::peer);
  EXPECT_EQ(remedy->reach, Reach::afterReconnect);
  EXPECT_EQ(remedy->changes.front().now, std::nullopt);
  EXPECT_EQ(remedy->changes.front().wanted, "4096 131072 524288");
}

TEST(ReceiverElsewhere, IsAdvisedAtItsOwnEndWhereThatIsThisHost) {
  AdviceSituation situation(Side::sending, Limit::receiver, Cause::bufferLimit);
  situation.socket.remote("127.0.0.1", 5001);
  EXPECT_TRUE(situation.aimAt(100e6).advice().remedies.empty());
  EXPECT_EQ(situation.advice().whyNot, WhyNoAdvice::receiverIsHere);
}

/// A small window at the peer, no window scaling, and a path that carries 95 Mbit/s.
AdviceSituation smallPeerBufferWithoutScaling() {
  constexpr std::uint8_t kTimestampsAndSack = 3;
  AdviceSituation situation(Side::sending, Limit::receiver, Cause::bufferLimit);
  situation.socket.options(kTimestampsAndSack).windowScales(0, 0);
  situation.diagnosis.verdict.next =
      NextLimit{BitsPerSecond(95e6), NextLimitMethod::ackDispersion, BitsPerSecond(90e6), BitsPerSecond(100e6)};
  return situation;
}

TEST(ReceiverElsewhere, AsksForWindowScalingWhereTheHandshakeLacksIt) {
  AdviceSituation situation = smallPeerBufferWithoutScaling();
  const SettingChange scaling{SettingKind::sysctl, "net.ipv4.tcp_window_scaling", std::nullopt, "1"};
  auto remedy = situation.remedy(RemedyId::receiverElsewhere);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.back(), scaling);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(95e6));
  EXPECT_FALSE(situation.remedy(RemedyId::windowScalingOff)) << "the same host sets both";
  situation.settings = {};
  remedy = situation.remedy(RemedyId::receiverElsewhere);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.back(), scaling);
  EXPECT_THAT(remedy->preconditions, testing::Contains(Precondition::bothEndsHaveToScale));
}

TEST(ReceiverElsewhere, PromisesNoMoreThan64KibPerRttWhereScalingIsOffHere) {
  AdviceSituation situation = smallPeerBufferWithoutScaling();
  situation.settings.set("net.ipv4.tcp_window_scaling", "0");
  const auto remedy = situation.remedy(RemedyId::receiverElsewhere);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->changes.size(), 1U);
  EXPECT_EQ(remedy->gain.to, std::nullopt);
  ASSERT_TRUE(remedy->gain.atMost);
  // 65535 bytes per 20 ms.
  EXPECT_NEAR(remedy->gain.atMost->value(), 26.2e6, 0.1e6);
  const auto scaling = situation.remedy(RemedyId::windowScalingOff);
  ASSERT_TRUE(scaling);
  EXPECT_EQ(scaling->place, RemedyPlace::here);
  EXPECT_EQ(scaling->gain.to, std::nullopt);
}

TEST(LockedReceiveBuffer, IsOneOfTwoStepsWhereScalingIsMissing) {
  constexpr std::uint8_t kTimestampsAndSack = 3;
  AdviceSituation situation(Side::receiving, Limit::receiver, Cause::bufferLocked);
  situation.socket.options(kTimestampsAndSack).windowScales(0, 0).locks(false, true).receiveMemory(1000, 131'072);
  EXPECT_NEAR(situation.remedy(RemedyId::lockedReceiveBuffer)->gain.atMost->value(), 26.2e6, 0.1e6);
  EXPECT_TRUE(situation.remedy(RemedyId::windowScalingOff));
}

TEST(ReceiveBufferLimit, EnablesWindowScalingOrStaysBelow64KibPerRtt) {
  constexpr std::uint8_t kTimestampsAndSack = 3;
  AdviceSituation situation = smallReceiveBuffer().aimAt(100e6);
  situation.socket.options(kTimestampsAndSack).windowScales(0, 0);
  // Scaling is on here: the peer did not offer it.
  EXPECT_NEAR(situation.remedy(RemedyId::receiveBufferLimit)->gain.atMost->value(), 26.2e6, 0.1e6);
  EXPECT_EQ(situation.remedy(RemedyId::windowScalingOff)->place, RemedyPlace::peer);
  situation.settings.set("net.ipv4.tcp_window_scaling", "0");
  const auto remedy = situation.remedy(RemedyId::receiveBufferLimit);
  const SettingChange scaling{SettingKind::sysctl, "net.ipv4.tcp_window_scaling", "0", "1"};
  EXPECT_EQ(remedy->changes.back(), scaling);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(100e6));
}

TEST(ReceiverElsewhere, IsNotAskedForMoreWhileTheWindowFillsBehindAHole) {
  constexpr std::uint8_t kTimestampsAndScale = 5;
  AdviceSituation situation(Side::sending, Limit::receiver, Cause::bufferLimit);
  situation.socket.options(kTimestampsAndScale);
  situation.window.samples = 20;
  situation.window.samplesInRecovery = 10;
  EXPECT_TRUE(situation.remedy(RemedyId::receiverElsewhere));
  situation.window.samplesInLoss = 1;
  EXPECT_FALSE(situation.remedy(RemedyId::receiverElsewhere));
  EXPECT_TRUE(situation.remedy(RemedyId::sackOff)) << "what keeps the hole open";
}

TEST(Advice, IsNoneWithoutAVerdict) {
  EXPECT_EQ(AdviceSituation(Side::sending, Limit::unknown, Cause::unknown).advice().whyNot,
            WhyNoAdvice::verdictUnknown);
  EXPECT_EQ(AdviceSituation(Side::sending, Limit::idle, Cause::unknown).advice().whyNot, WhyNoAdvice::idle);
  EXPECT_EQ(AdviceSituation(Side::sending, Limit::opening, Cause::unknown).advice().whyNot, WhyNoAdvice::noRemedyKnown);
  AdviceSituation unsure = smallReceiveBuffer();
  unsure.diagnosis.verdict.confidenceRatio = 0.4;
  EXPECT_EQ(unsure.advice().whyNot, WhyNoAdvice::verdictUnsure);
  EXPECT_TRUE(unsure.advice().remedies.empty());
}

TEST(Advice, IsNoneForAFullPathAndForAProgramThatIsSlow) {
  const AdviceSituation full(Side::sending, Limit::network, Cause::pathFull);
  EXPECT_EQ(full.advice().whyNot, WhyNoAdvice::pathIsFull);
  const AdviceSituation writer(Side::sending, Limit::application, Cause::slowWriter);
  EXPECT_EQ(writer.advice().whyNot, WhyNoAdvice::programSetsThePace);
  const AdviceSituation reader(Side::sending, Limit::receiver, Cause::slowReader);
  EXPECT_EQ(reader.advice().whyNot, WhyNoAdvice::programSetsThePace);
  EXPECT_TRUE(full.advice().remedies.empty() && writer.advice().remedies.empty() && reader.advice().remedies.empty());
}

TEST(Advice, NamesWhatHelpsAgainstAQueueAndAPolicerOnThePath) {
  AdviceSituation queue(Side::sending, Limit::network, Cause::queue);
  EXPECT_EQ(queue.advice().whyNot, WhyNoAdvice::queueOnPath);
  queue.goal.aim = AdviceAim::latency;
  EXPECT_EQ(queue.advice().whyNot, WhyNoAdvice::queueOnPath);
  const AdviceSituation policer(Side::sending, Limit::network, Cause::policer);
  EXPECT_EQ(policer.advice().whyNot, WhyNoAdvice::policerOnPath);
}

TEST(Advice, OfADiagnosedSenderFollowsItsVerdict) {
  // 64 KiB per RTT of 20 ms, the window full all the time.
  test::Growth step = test::busyStep(327'675);
  step.receiverLimited = test::kStep;
  test::Situation situation([](test::ObservationBuilder& socket) { socket.peerWindow(65'535).windowScales(1, 7); });
  situation.repeat(20, test::kStep, step);
  const ConnectionAdvice advice = adviceFor(situation.socket(), situation.window(), situation.diagnosis(), {}, {});
  ASSERT_TRUE(advice.sending);
  ASSERT_EQ(advice.sending->remedies.size(), 1U);
  EXPECT_EQ(advice.sending->remedies.front().id, RemedyId::receiverElsewhere);
  EXPECT_FALSE(advice.receiving);
}

TEST(RemedyCatalogue, NamesEachRemedyOnce) {
  for (const RemedyRow& row : remedyCatalogue()) EXPECT_NE(name(row.id), "unknown");
}

}  // namespace
}  // namespace tcpscope
