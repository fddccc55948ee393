#include "core/advice/target_check.h"

#include "core/present/text/target_text.h"
#include "tests/core/advice/advice_situation.h"

namespace tcpscope {
namespace {

using test::AdviceSituation;

/// 100 Mbit/s over 20 ms: 250,000 bytes in flight. A window of 300,000 bytes, a send buffer of 600,000.
AdviceSituation sender() {
  AdviceSituation situation(Side::sending, Limit::network, Cause::loss);
  situation.socket.mss(1448).congestionControl("reno").sendMemory(0, 600'000);
  situation.socket.rtt(std::chrono::milliseconds(20), std::chrono::milliseconds(20));
  situation.window.peerWindowBytes.add(300'000);
  situation.window.dataSegmentsOut = 100'000;
  return situation.aimAt(100e6);
}

TargetOutcome outcomeOf(const TargetCheck& target, TargetPart part) {
  for (const TargetPartCheck& check : target.parts) {
    if (check.part == part) return check.outcome;
  }
  ADD_FAILURE() << name(part);
  return TargetOutcome::unknown;
}

TEST(TargetCheck, PassesWhereWindowBufferAndLossesDo) {
  AdviceSituation situation = sender();
  const auto target = situation.advice().target;
  ASSERT_TRUE(target);
  EXPECT_EQ(target->outcome(), TargetOutcome::passes) << sentence(*target);
  EXPECT_TRUE(
      sentence(*target).starts_with("100 Mbit/s over 20.0 ms would pass: the receive window covers the 244 KiB"))
      << sentence(*target);
}

TEST(TargetCheck, NamesTheBufferThatFails) {
  AdviceSituation situation = sender();
  situation.socket.sendMemory(0, 65'536);
  const auto target = situation.advice().target;
  // The setting lets it grow to 65,536 bytes, half of which hold data.
  EXPECT_EQ(outcomeOf(*target, TargetPart::sendBuffer), TargetOutcome::fails);
  EXPECT_EQ(sentence(*target),
            "100 Mbit/s over 20.0 ms would not pass: the send buffer holds at most 32.0 KiB of 244 KiB.");
  situation.settings.set("net.ipv4.tcp_wmem", "4096 16384 4194304");
  EXPECT_EQ(outcomeOf(*situation.advice().target, TargetPart::sendBuffer), TargetOutcome::passes) << "it may grow";
  situation.settings = {};
  EXPECT_EQ(outcomeOf(*situation.advice().target, TargetPart::sendBuffer), TargetOutcome::unknown);
}

TEST(TargetCheck, FailsByAWindowOnlyWhereItHeldTheSenderBack) {
  AdviceSituation situation = sender();
  situation.window.peerWindowBytes = {};
  situation.window.peerWindowBytes.add(65'536);
  EXPECT_EQ(outcomeOf(*situation.advice().target, TargetPart::receiveWindow), TargetOutcome::unknown) << "it may grow";
  situation.diagnosis.verdict.limit = Limit::receiver;
  EXPECT_EQ(outcomeOf(*situation.advice().target, TargetPart::receiveWindow), TargetOutcome::fails);
}

TEST(TargetCheck, HoldsLossesAgainstWhatTheRateCanStand) {
  AdviceSituation situation = sender();
  situation.window.dataSegmentsOut = 1'000;
  EXPECT_EQ(outcomeOf(*situation.advice().target, TargetPart::loss), TargetOutcome::unknown)
      << "one in 19,873 may be lost: a thousand packets are too few";
  situation.window.dataSegmentsOut = 100'000;
  situation.window.retransmittedSegments = 500;
  situation.window.lossEvents = 500;
  situation.window.lossOpportunities = 5'000;
  const auto target = situation.advice().target;
  EXPECT_EQ(outcomeOf(*target, TargetPart::loss), TargetOutcome::fails) << sentence(*target);
  situation.socket.congestionControl("bbr");
  const SideAdvice unsteered = situation.advice();
  for (const TargetPartCheck& check : unsteered.target->parts) EXPECT_NE(check.part, TargetPart::loss);
}

TEST(TargetCheck, TakesLossesOfAFullPathForTheFullPath) {
  AdviceSituation situation = sender();
  situation.diagnosis.verdict.cause = Cause::pathFull;
  situation.window.retransmittedSegments = 500;
  EXPECT_EQ(sentence(*situation.advice().target),
            "100 Mbit/s over 20.0 ms would not pass: the bottleneck is saturated at 12.0 Mbit/s.");
  situation.diagnosis.goodput = BitsPerSecond(95e6);
  EXPECT_EQ(situation.advice().target->outcome(), TargetOutcome::passes);
}

TEST(TargetCheck, DoesNotTakeAPathForFullThatOnlyMayBe) {
  AdviceSituation situation = sender();
  situation.diagnosis.verdict.cause = Cause::policer;
  situation.diagnosis.verdict.confidenceRatio = 0.75;
  const SideAdvice unsure = situation.advice();
  for (const TargetPartCheck& check : unsure.target->parts) EXPECT_NE(check.part, TargetPart::path);
}

TEST(TargetCheck, LooksAtTheReceiversOwnBuffer) {
  AdviceSituation situation(Side::receiving, Limit::receiver, Cause::bufferLimit);
  situation.aimAt(100e6).socket.receiveMemory(0, 65'536);
  situation.window.advertisedWindowBytes.add(50'000);
  const auto target = situation.advice().target;
  ASSERT_TRUE(target);
  EXPECT_EQ(target->outcome(), TargetOutcome::fails) << sentence(*target);
  situation.settings.set("net.ipv4.tcp_rmem", "4096 131072 6291456");
  EXPECT_EQ(situation.advice().target->outcome(), TargetOutcome::passes);
}

TEST(TargetCheck, IsAbsentWithoutATarget) {
  AdviceSituation situation = sender();
  situation.goal = {};
  EXPECT_FALSE(situation.advice().target);
  EXPECT_FALSE(situation.advice().transferTimeRatio);
}

TEST(TransferTime, IsThatOfTheRateOverTheTarget) {
  // 12 Mbit/s where 100 are aimed at.
  EXPECT_NEAR(*sender().advice().transferTimeRatio, 8.333, 0.001);
}

}  // namespace
}  // namespace tcpscope
