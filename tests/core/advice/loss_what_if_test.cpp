// What larger packets and several connections would carry where loss sets the rate.
#include "core/present/text/remedy_text.h"
#include "tests/core/advice/advice_situation.h"

namespace tcpscope {
namespace {

using test::AdviceSituation;

constexpr double kLossEventRatio = 0.005;

/// A Reno sender with an MSS of 1448 bytes and an RTT of 20 ms, 12 Mbit/s, limited by losses without a queue.
AdviceSituation renoSenderWithLoss(BoundModel model = BoundModel::mathis, double bitsPerSecond = 10e6) {
  AdviceSituation situation(Side::sending, Limit::network, Cause::loss);
  situation.window.rttUs.add(20'300);
  situation.window.dataSegmentsOut = 10'000;
  situation.window.retransmittedSegments = 50;
  situation.socket.mss(1448).congestionControl("reno");
  situation.socket.rtt(std::chrono::microseconds(20'300), std::chrono::milliseconds(20));
  Bound bound{model, BitsPerSecond(bitsPerSecond), true, WhyNoBound::none};
  bound.lossEventRatio = kLossEventRatio;
  situation.diagnosis.bounds = {{BoundModel::congestionWindow, BitsPerSecond(9e6), true}, bound};
  return situation;
}

TEST(JumboFrames, CarryAsManyTimesAsTheSegmentIsLarger) {
  for (const BoundModel model : {BoundModel::mathis, BoundModel::pftk, BoundModel::cubic, BoundModel::highspeed}) {
    const auto remedy = renoSenderWithLoss(model).remedy(RemedyId::jumboFrames);
    ASSERT_TRUE(remedy) << name(model);
    // 12 Mbit/s * 8948 / 1448: as fast as it is, which is more than the model allows.
    EXPECT_NEAR(remedy->gain.to->value(), 74.155e6, 1e3);
    EXPECT_EQ(remedy->gain.why, GainReason::lossModel);
    EXPECT_EQ(remedy->preconditions.front(), Precondition::everyLinkHasToCarryIt);
    EXPECT_EQ(undoableKind(*remedy), std::nullopt);
  }
}

TEST(JumboFrames, SayWhatTheyTakeAndPromiseNoMoreThanTheTarget) {
  AdviceSituation situation = renoSenderWithLoss();
  const auto remedy = situation.aimAt(40e6).remedy(RemedyId::jumboFrames);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(40e6));
  EXPECT_EQ(commandLine(remedy->changes.front()), "sudo ip link set dev DEVICE mtu 9000");
  EXPECT_EQ(sentence(remedy->gain),
            "12.0 Mbit/s now, up to 40.0 Mbit/s by the loss model, if the path has the capacity");
}

TEST(JumboFrames, GoByTheLowestModelThatFits) {
  AdviceSituation situation = renoSenderWithLoss();
  situation.diagnosis.bounds.back().rate = BitsPerSecond(20e6);
  Bound withTimeouts = situation.diagnosis.bounds.back();
  withTimeouts.model = BoundModel::pftk;
  withTimeouts.rate = BitsPerSecond(16e6);
  situation.diagnosis.bounds.push_back(withTimeouts);
  EXPECT_NEAR(situation.remedy(RemedyId::jumboFrames)->gain.to->value(), 98.873e6, 1e3);
}

TEST(ParallelStreams, CarryAsManyTimesWhatOneDoes) {
  AdviceSituation situation = renoSenderWithLoss();
  auto remedy = situation.remedy(RemedyId::parallelStreams);
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(48e6)) << "four of 12 Mbit/s";
  EXPECT_EQ(remedy->preconditions, std::vector{Precondition::takesTheShareOfAsMany});
  EXPECT_EQ(remedy->place, RemedyPlace::program);
  EXPECT_EQ(remedy->memoryPerConnection, std::nullopt) << "buffers are not divided";
  remedy = situation.aimAt(30e6).remedy(RemedyId::parallelStreams);
  EXPECT_EQ(remedy->changes.front().wanted, "3");
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(30e6));
  remedy = situation.aimAt(1e9).remedy(RemedyId::parallelStreams);
  EXPECT_EQ(remedy->changes.front().wanted, "8");
  EXPECT_EQ(remedy->gain.to, BitsPerSecond(96e6));
  EXPECT_FALSE(situation.aimAt(12e6).remedy(RemedyId::parallelStreams)) << "one is enough";
}

TEST(LossWhatIf, ComesBehindWhatCanBeHad) {
  const AdviceSituation situation = renoSenderWithLoss();
  ASSERT_GE(situation.advice().remedies.size(), 3U);
  EXPECT_EQ(situation.advice().remedies.front().id, RemedyId::randomLoss);
}

TEST(LossWhatIf, IsNoneForAFullPathOrOneThatLosesNothing) {
  for (const RemedyId id : {RemedyId::jumboFrames, RemedyId::parallelStreams}) {
    AdviceSituation full = renoSenderWithLoss();
    full.diagnosis.verdict.cause = Cause::pathFull;
    EXPECT_FALSE(full.remedy(id)) << name(id);
    AdviceSituation queue = renoSenderWithLoss();
    queue.window.rttUs.add(60'000);
    EXPECT_FALSE(queue.remedy(id)) << name(id) << ": the RTT rises along with the losses";
    AdviceSituation shortQueue = renoSenderWithLoss();
    shortQueue.window.rttUs.add(26'000);
    EXPECT_FALSE(shortQueue.remedy(id)) << name(id) << ": a queue of a quarter of the path";
    AdviceSituation fillsBeforeLoss = renoSenderWithLoss();
    fillsBeforeLoss.window.losses.emplace();
    fillsBeforeLoss.window.losses->rttUs.add(21'600);
    EXPECT_FALSE(fillsBeforeLoss.remedy(id)) << name(id) << ": the RTT is longer at the losses";
    AdviceSituation unseen = renoSenderWithLoss();
    unseen.diagnosis.bounds.back().applies = false;
    unseen.diagnosis.bounds.back().whyNot = WhyNoBound::noLossSeen;
    EXPECT_FALSE(unseen.remedy(id)) << name(id);
    AdviceSituation receiver = renoSenderWithLoss();
    receiver.diagnosis.side = Side::receiving;
    EXPECT_FALSE(receiver.remedy(id)) << name(id);
  }
  AdviceSituation large = renoSenderWithLoss();
  large.socket.mss(8948);
  EXPECT_FALSE(large.remedy(RemedyId::jumboFrames));
}

}  // namespace
}  // namespace tcpscope
