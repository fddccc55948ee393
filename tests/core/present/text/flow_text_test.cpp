#include "core/present/text/flow_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

ConnectionSummary offering(std::optional<Bytes> one, std::optional<Bytes> other) {
  ConnectionSummary flow;
  flow.directions[0].offered = OfferedOptions{};
  flow.directions[0].offered->mss = one;
  flow.directions[1].offered = OfferedOptions{};
  flow.directions[1].offered->mss = other;
  return flow;
}

TEST(NegotiatedText, GivesTheUnitToTheKnownFigure) {
  EXPECT_THAT(negotiated(offering(Bytes(1460), Bytes(1380))), StartsWith("MSS 1460 and 1380 bytes, no window scale"));
  EXPECT_THAT(negotiated(offering(Bytes(1460), std::nullopt)), StartsWith("MSS 1460 bytes and none, no window scale"));
  EXPECT_THAT(negotiated(offering(std::nullopt, Bytes(1380))), StartsWith("MSS none and 1380 bytes, no window scale"));
}

RandomDropTest clusteredTest() {
  RandomDropTest test;
  test.withinHundredthRtt = {0.673, 0.091};
  test.withinRtt = {0.8, 0.63};
  test.clusteredPValue = 0.001;
  test.draws = 999;
  return test;
}

TEST(LossText, SaysHowFarLossesAreFromChanceAndHowSurely) {
  EXPECT_EQ(sentence(clusteredTest()),
            "Clustered: 67.3 % of the losses are within 0.01 RTT of the previous one; of losses drawn at random over "
            "the packets sent, 9.1 % would be (p at most 0.001).");
}

TEST(LossText, SpeaksOfTheScaleThatDiffersMore) {
  RandomDropTest test = clusteredTest();
  test.withinHundredthRtt = {0.0, 0.01};
  EXPECT_THAT(sentence(test), HasSubstr("within one RTT of"));
}

TEST(LossText, SaysThatChanceIsNotExcluded) {
  RandomDropTest test = clusteredTest();
  test.clusteredPValue = 0.4;
  EXPECT_THAT(sentence(test), StartsWith("Not clustered beyond chance"));
  EXPECT_THAT(sentence(test), HasSubstr("p about 0.4"));
}

TEST(LossText, NamesTheCauseAndHowSureItIs) {
  EXPECT_EQ(sentence(BurstVerdict{BurstCause::queueOverflow, 0.91, {}}),
            "A queue on the path overflowed: the RTT grows before the losses (confidence 91 %).");
}

TEST(LossText, NamesTheCandidatesOfAnUnknownCause) {
  EXPECT_EQ(sentence(BurstVerdict{BurstCause::unknown, 0.0, {BurstCause::queueOverflow, BurstCause::policer}}),
            "The cause of the losses is unknown; candidates: queue overflow, policer.");
  EXPECT_EQ(sentence(BurstVerdict{}), "The cause of the losses is unknown.");
}

TEST(LossText, DoesNotCallNoLossARatioOfZero) {
  EXPECT_EQ(sentence(LossEventRatio{0.0, {0.0, 0.0006}}, 5000), "No loss event in 5000 packets: below 0.6 per 1000");
  EXPECT_EQ(sentence(LossEventRatio{0.001, {0.00048, 0.00184}}, 10'000),
            "Loss events per 1000 packets: 1 (95 %: 0.48 to 1.8)");
}

TEST(LossText, DescribesTheTwoStates) {
  BurstModel model;
  model.goodToBad = {0.0008, 0.0001};
  model.badToGood = {0.3, 0.02};
  model.burstPackets = {3.33, 0.22};
  EXPECT_EQ(sentence(model),
            "Losses come in bursts of 3.3 packets (± 0.22): <0.1 % of the packets begin one, and all packets in it are "
            "lost.");
}

// Wei, Cao and Low, sections 3.2.1 to 3.2.3.
TEST(LossText, GivesThePublishedSharesWithTheirScale) {
  std::vector<std::string> captions;
  for (const ReferenceBurst& reference : kReferenceBursts) captions.push_back(caption(reference));
  EXPECT_THAT(captions,
              testing::ElementsAre("NS-2 simulation (Wei, Cao, Low 2007): more than 95 % within 0.01 RTT",
                                   "Dummynet emulation (Wei, Cao, Low 2007): about 80 % within 0.01 RTT",
                                   "Internet paths between PlanetLab nodes (Wei, Cao, Low 2007): 40 % within 0.01 RTT",
                                   "Internet paths between PlanetLab nodes (Wei, Cao, Low 2007): 60 % within 1 RTT"));
}

}  // namespace
}  // namespace tcpscope
