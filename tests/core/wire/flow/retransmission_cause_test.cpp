// Why a segment was retransmitted, in situations that Linux senders produce. The RTT is 100 ms.
#include "core/wire/flow/retransmission_cause.h"

#include <gmock/gmock.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using test::causes;
using test::DrawnExchange;
using test::kHandshake;
using ::testing::ElementsAre;
using Cause = RetransmissionCause;

std::vector<Cause> causesAfterHandshake(const std::string& text) {
  return causes(DrawnExchange(std::string(kHandshake) + text).client());
}

TEST(RetransmissionCause, IsTheHandshakesForASyn) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 mss 1460
    1.0 > S 0:0 mss 1460
    1.1 < SA 0:0 ack 1 mss 1460
    2.1 < SA 0:0 ack 1 mss 1460
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::syn));
  EXPECT_THAT(causes(exchange.server()), ElementsAre(Cause::syn));
  EXPECT_EQ(exchange.client().sent.controlRetransmissions, Count(1));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(0));
  EXPECT_EQ(exchange.connectionCount(), 1U);
}

TEST(RetransmissionCause, IsFastForALoneSegmentThatSackShowsMissing) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.000 > A 2001:3001 ack 1
    1.000 > A 3001:4001 ack 1
    1.100 < A 1:1 ack 1 sack 1001-2001
    1.100 < A 1:1 ack 1 sack 1001-3001
    1.100 < A 1:1 ack 1 sack 1001-4001
    1.100 > A 1:1001 ack 1
    1.200 < A 1:1 ack 4001
  )"),
              ElementsAre(Cause::fast));
}

TEST(RetransmissionCause, IsFastAfterThreeDuplicatesWithoutSack) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.000 > A 2001:3001 ack 1
    1.000 > A 3001:4001 ack 1
    1.100 < A 1:1 ack 1
    1.101 < A 1:1 ack 1
    1.102 < A 1:1 ack 1
    1.103 < A 1:1 ack 1
    1.103 > A 1:1001 ack 1
    1.200 < A 1:1 ack 4001
  )"),
              ElementsAre(Cause::fast));
}

TEST(RetransmissionCause, IsRecoveryForSeveralOfOneEpisode) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.000 > A 2001:3001 ack 1
    1.000 > A 3001:6001 ack 1
    1.100 < A 1:1 ack 1 sack 1001-2001
    1.101 < A 1:1 ack 1 sack 3001-6001 1001-2001
    1.101 > A 1:1001 ack 1
    1.102 > A 2001:3001 ack 1
    1.200 < A 1:1 ack 6001
    2.000 > A 6001:7001 ack 1
    2.000 > A 7001:9001 ack 1
    2.100 < A 1:1 ack 6001 sack 7001-9001
    2.100 > A 6001:7001 ack 1
  )"),
              ElementsAre(Cause::recovery, Cause::recovery, Cause::fast));
}

TEST(RetransmissionCause, IsNoTimeoutWhereItEchoesAnAcknowledgmentThatHasJustCome) {
  // One duplicate acknowledgment, late, and the answer to it (RFC 5827).
  const std::string before = R"(
    1.000 > A 1:1001 ack 1 ts 1000/900
    1.000 > A 1001:2001 ack 1 ts 1000/900
    1.000 > A 2001:3001 ack 1 ts 1000/900
    1.100 < A 1:1 ack 1001 ts 950/1000
    1.400 < A 1:1 ack 1001 ts 1250/1000
  )";
  EXPECT_THAT(causesAfterHandshake(before + "1.401 > A 1001:2001 ack 1 ts 1401/1250"), ElementsAre(Cause::fast));
  // The timer of this one ran while nothing came.
  EXPECT_THAT(causesAfterHandshake(before + "1.700 > A 1001:2001 ack 1 ts 1700/1250"), ElementsAre(Cause::timeout));
}

TEST(RetransmissionCause, IsRecoveryForTheNextHoleOfAPartialAcknowledgment) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.000 > A 2001:5001 ack 1
    1.100 < A 1:1 ack 1
    1.101 < A 1:1 ack 1
    1.102 < A 1:1 ack 1
    1.103 < A 1:1 ack 1
    1.103 > A 1:1001 ack 1
    1.203 < A 1:1 ack 1001
    1.203 > A 1001:2001 ack 1
  )"),
              ElementsAre(Cause::recovery, Cause::recovery));
}

TEST(RetransmissionCause, IsRecoveryForWhatWasLostUnseenBeforeItBegan) {
  // In the middle: 1001 and 3001 are lost before it. The sender knows of both when the first repair was acknowledged,
  // as that was sent later; the capture does not know yet that there was anything after 3001.
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1000 sackOK
    0.050 < SA 0:0 ack 1 mss 1000 sackOK
    0.100 > A 1:1 ack 1
    0.200 > A 1:1001 ack 1
    0.201 > A 2001:3001 ack 1
    0.250 < A 1:1 ack 1001
    0.251 < A 1:1 ack 1001 sack 2001-3001
    0.301 > A 1001:2001 ack 1
    0.351 < A 1:1 ack 3001
    0.352 > A 4001:5001 ack 1 ts 352/1
    0.401 > A 3001:4001 ack 1 ts 401/1
  )");
  EXPECT_EQ(causes(exchange.client()), std::vector(2, RetransmissionCause::recovery));
}

TEST(RetransmissionCause, IsFastForALateArrivalThatCrossedItsRetransmission) {
  // At the receiver: the sender has seen that 1001 is missing, and not yet that it came after all.
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1000 sackOK
    0.000 < SA 0:0 ack 1 mss 1000 sackOK
    0.100 > A 1:1 ack 1
    0.200 > A 1:1001 ack 1 id 1
    0.200 < A 1:1 ack 1001
    0.201 > A 2001:3001 ack 1 id 3
    0.201 < A 1:1 ack 1001 sack 2001-3001
    0.202 > A 3001:4001 ack 1 id 4
    0.202 < A 1:1 ack 1001 sack 2001-4001
    0.290 > A 1001:2001 ack 1 id 2
    0.290 < A 1:1 ack 4001
    0.302 > A 1001:2001 ack 1 id 5
    0.302 < A 1:1 ack 4001 sack 1001-2001
  )");
  const DirectionSummary client = exchange.client();
  EXPECT_EQ(client.sent.outOfOrderPackets, Count(1));
  ASSERT_EQ(client.retransmissions.size(), 1U);
  EXPECT_EQ(client.retransmissions[0].trigger, RetransmissionCause::fast);
  EXPECT_TRUE(client.retransmissions[0].isSpurious);
}

TEST(RetransmissionCause, IsTimeoutForTheHeadAfterSilence) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.310 > A 1:1001 ack 1
  )"),
              ElementsAre(Cause::timeout));
}

TEST(RetransmissionCause, IsAProbeFirstForASingleSegment) {
  // Linux: a probe after at most a timeout, and a timeout after another one.
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.310 > A 1:1001 ack 1
    1.620 > A 1:1001 ack 1
    2.240 > A 1:1001 ack 1
  )"),
              ElementsAre(Cause::tailLossProbe, Cause::timeout, Cause::timeout));
}

TEST(RetransmissionCause, IsAProbeThoughAnAcknowledgmentSetTheTimerAgain) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.090 > A 1001:2001 ack 1
    1.100 < A 1:1 ack 1001
    1.200 > A 2001:3001 ack 1
    1.290 < A 1:1 ack 2001
    1.600 > A 2001:3001 ack 1
    1.700 < A 1:1 ack 3001
    2.000 > A 3001:4001 ack 1
    2.310 > A 3001:4001 ack 1
  )"),
              ElementsAre(Cause::tailLossProbe, Cause::tailLossProbe));
}

TEST(RetransmissionCause, IsTimeoutForASingleSegmentWhereTheWaitDoubles) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.310 > A 1:1001 ack 1
    1.930 > A 1:1001 ack 1
  )"),
              ElementsAre(Cause::timeout, Cause::timeout));
}

TEST(RetransmissionCause, IsTimeoutOfASenderThatIsSeenNotToProbe) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.310 > A 1:1001 ack 1
    1.410 < A 1:1 ack 1001
    2.000 > A 1001:2001 ack 1
    2.900 > A 1001:2001 ack 1
    3.000 < A 1:1 ack 2001
    4.000 > A 2001:3001 ack 1
    4.310 > A 2001:3001 ack 1
  )"),
              ElementsAre(Cause::timeout, Cause::timeout, Cause::timeout));
}

TEST(RetransmissionCause, IsNoProbeWithoutSack) {
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1460 sackOK
    0.100 < SA 0:0 ack 1 mss 1460
    0.100 > A 1:1 ack 1
    1.000 > A 1:1001 ack 1
    1.310 > A 1:1001 ack 1
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::timeout));
}

TEST(RetransmissionCause, StaysTimeoutForEverythingRetransmittedAfterwards) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.000 > A 2001:3001 ack 1
    1.310 > A 1:1001 ack 1
    1.410 < A 1:1 ack 1001
    1.410 > A 1001:2001 ack 1
    1.410 > A 2001:3001 ack 1
    1.510 < A 1:1 ack 3001
    1.510 > A 3001:4001 ack 1
    1.510 > A 4001:9001 ack 1
    1.610 < A 1:1 ack 3001 sack 4001-9001
    1.610 > A 3001:4001 ack 1
  )"),
              ElementsAre(Cause::timeout, Cause::timeout, Cause::timeout, Cause::fast));
}

TEST(RetransmissionCause, IsTimeoutWhereTheRepairItselfWasLost) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:5001 ack 1
    1.100 < A 1:1 ack 1 sack 1001-5001
    1.100 > A 1:1001 ack 1
    1.500 > A 1:1001 ack 1
  )"),
              ElementsAre(Cause::fast, Cause::timeout));
}

TEST(RetransmissionCause, IsTimeoutAfterALongSilenceInRecoveryHoweverLongTheEstimate) {
  // The RTT varies much, so that the estimate is above 1.5 s; this sender's timer is shorter.
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.900 < A 1:1 ack 1001
    2.000 > A 1001:2001 ack 1
    2.100 < A 1:1 ack 2001
    3.000 > A 2001:3001 ack 1
    3.000 > A 3001:7001 ack 1
    3.100 < A 1:1 ack 2001 sack 3001-7001
    3.100 > A 2001:3001 ack 1
    3.900 > A 2001:3001 ack 1
    4.000 < A 1:1 ack 7001
  )"),
              ElementsAre(Cause::fast, Cause::timeout));
}

TEST(RetransmissionCause, IsATailLossProbeAfterTwoRtts) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.000 > A 2001:3001 ack 1
    1.100 < A 1:1 ack 1001
    1.304 > A 2001:3001 ack 1
    1.404 < A 1:1 ack 1001 sack 2001-3001
    1.404 > A 1001:2001 ack 1
  )"),
              ElementsAre(Cause::tailLossProbe, Cause::fast));
}

TEST(RetransmissionCause, IsTimeoutWhereTheProbeWasLost) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.204 > A 1001:2001 ack 1
    1.510 > A 1:1001 ack 1
  )"),
              ElementsAre(Cause::tailLossProbe, Cause::timeout));
}

TEST(RetransmissionCause, IsUnknownForWhatFitsNothing) {
  EXPECT_THAT(causesAfterHandshake(R"(
    1.000 > A 1:1001 ack 1 id 1
    1.000 > A 1001:2001 ack 1 id 2
    1.010 > A 1:1001 ack 1 id 3
  )"),
              ElementsAre(Cause::unknown));
}

TEST(RetransmissionCause, IsFoundAtTheReceiverToo) {
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1460 sackOK
    0.000 < SA 0:0 ack 1 mss 1460 sackOK
    0.100 > A 1:1 ack 1
    1.000 > A 1:1001 ack 1
    1.000 < A 1:1 ack 1001
    1.001 > A 2001:3001 ack 1
    1.001 < A 1:1 ack 1001 sack 2001-3001
    1.002 > A 3001:5001 ack 1
    1.002 < A 1:1 ack 1001 sack 2001-5001
    1.102 > A 1001:2001 ack 1
    1.102 < A 1:1 ack 5001
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::fast));
  EXPECT_EQ(exchange.summary().vantage, Vantage::receiver);
}

}  // namespace
}  // namespace tcpscope
