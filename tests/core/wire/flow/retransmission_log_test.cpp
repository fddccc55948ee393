// Retransmissions that later turn out to be spurious. The RTT is 100 ms.
#include "core/wire/flow/retransmission_log.h"

#include <gmock/gmock.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using test::causes;
using test::DrawnExchange;
using test::kHandshake;
using ::testing::ElementsAre;
using Cause = RetransmissionCause;

TEST(SpuriousRetransmission, IsKnownWhereTheFirstComesBehindItsRepair) {
  // In the middle: 1001 comes so late that its repair overtakes it.
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1000 sackOK
    0.050 < SA 0:0 ack 1 mss 1000 sackOK
    0.100 > A 1:1 ack 1
    0.200 > A 1:1001 ack 1 id 1
    0.201 > A 2001:3001 ack 1 id 3
    0.250 < A 1:1 ack 1001
    0.251 < A 1:1 ack 1001 sack 2001-3001
    0.301 > A 1001:2001 ack 1 id 4
    0.310 > A 1001:2001 ack 1 id 2
  )");
  const DirectionSummary client = exchange.client();
  EXPECT_EQ(client.sent.outOfOrderPackets, Count(1));
  EXPECT_EQ(client.sent.filledHolePackets, Count(0));
  EXPECT_EQ(client.sent.retransmittedPackets, Count(1));
  EXPECT_EQ(client.sent.retransmitted, Bytes(1000));
  ASSERT_EQ(client.retransmissions.size(), 1U);
  EXPECT_TRUE(client.retransmissions[0].originalWasSeen);
  EXPECT_EQ(client.retransmissions[0].cause(), RetransmissionCause::spurious);
}

TEST(SpuriousRetransmission, IsNoneWhereARepairComesBehindTheNext) {
  // In the middle: 1001 is lost, its first repair so late that the second overtakes it.
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1000 sackOK
    0.050 < SA 0:0 ack 1 mss 1000 sackOK
    0.100 > A 1:1 ack 1
    0.200 > A 1:1001 ack 1 id 1
    0.201 > A 2001:3001 ack 1 id 3
    0.250 < A 1:1 ack 1001
    0.251 < A 1:1 ack 1001 sack 2001-3001
    0.401 > A 1001:2001 ack 1 id 5
    0.410 > A 1001:2001 ack 1 id 4
    0.451 < A 1:1 ack 3001
    0.460 < A 1:1 ack 3001 sack 1001-2001
  )");
  const std::vector<Retransmission> again = exchange.client().retransmissions;
  ASSERT_EQ(again.size(), 2U);
  EXPECT_FALSE(again[0].originalWasSeen);
  EXPECT_FALSE(again[0].isSpurious);
  EXPECT_TRUE(again[1].isSpurious);
}

TEST(SpuriousRetransmission, IsKnownWhereTheReceiverHadIt) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:5001 ack 1
    1.100 < A 1:1 ack 1 sack 1001-5001
    1.100 > A 1:1001 ack 1
    1.105 < A 1:1 ack 5001
    1.200 < A 1:1 ack 5001 sack 1-1001
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::spurious));
  EXPECT_EQ(exchange.client().retransmissions[0].trigger, Cause::fast);
  EXPECT_EQ(exchange.client().causes.of(Cause::spurious), Count(1));
  EXPECT_EQ(exchange.client().causes.of(Cause::fast), Count(0));
  EXPECT_EQ(exchange.server().received.duplicateReports, Count(1));
}

TEST(SpuriousRetransmission, IsKnownForAllThatOneReportCovers) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.20 > A 1:1001 ack 1
    0.20 > A 1001:2001 ack 1
    0.20 > A 2001:3001 ack 1
    0.30 < A 1:1 ack 1 sack 2001-3001
    0.30 > A 1:1001 ack 1
    0.30 > A 1001:2001 ack 1
    0.33 < A 1:1 ack 3001
    0.40 < A 1:1 ack 3001 sack 1-2001
  )");
  EXPECT_EQ(causes(exchange.client()), std::vector(2, RetransmissionCause::spurious));
}

TEST(SpuriousRetransmission, IsKnownWhereAKnownBlockMovesToTheFront) {
  // The block that holds what came twice does not stand behind its report: four others do.
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.20 > A 1:9001 ack 1
    0.30 < A 1:1 ack 1 sack 1001-2001
    0.31 < A 1:1 ack 1 sack 3001-4001 1001-2001
    0.32 < A 1:1 ack 1 sack 5001-6001 3001-4001 1001-2001
    0.32 > A 1001:2001 ack 1
    0.42 < A 1:1 ack 1 sack 1001-2001 5001-6001 3001-4001
  )");
  EXPECT_EQ(causes(exchange.client()), std::vector{RetransmissionCause::spurious});
}

TEST(SpuriousRetransmission, IsKnownWhereTheReceiverSaysSoonerThanItCanThatItHasIt) {
  // The first comes late, before its repair; the report of what then comes twice is lost.
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.20 > A 1:1001 ack 1
    0.20 > A 1001:2001 ack 1
    0.20 > A 2001:5001 ack 1
    0.30 < A 1:1 ack 1001 sack 2001-5001
    0.32 > A 1001:2001 ack 1
    0.34 < A 1:1 ack 5001
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::spurious));
}

TEST(SpuriousRetransmission, IsKnownWhereABlockCoversTheRepairSoonerThanItCan) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.20 > A 1:1001 ack 1
    0.20 > A 1001:2001 ack 1
    0.20 > A 2001:3001 ack 1
    0.20 > A 3001:6001 ack 1
    0.30 < A 1:1 ack 1 sack 1001-2001 3001-6001
    0.32 > A 2001:3001 ack 1
    0.34 < A 1:1 ack 1 sack 1001-6001
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::spurious));
}

TEST(SpuriousRetransmission, IsNoneWhereTheRttWasMerelyShort) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.20 > A 1:1001 ack 1
    0.20 > A 1001:5001 ack 1
    0.30 < A 1:1 ack 1 sack 1001-5001
    0.30 > A 1:1001 ack 1
    0.36 < A 1:1 ack 5001
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::fast));
}

TEST(SpuriousRetransmission, IsDetectedWhereItPassesAfterItsSack) {
  // Seen in the middle: the SACK passes before the retransmission that it would have prevented.
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.20 > A 1:1001 ack 1
    0.20 > A 1001:2001 ack 1
    0.20 > A 2001:5001 ack 1
    0.30 < A 1:1 ack 1 sack 2001-5001
    0.37 < A 1:1 ack 1 sack 1001-5001
    0.38 > A 1001:2001 ack 1
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::spurious));
}

TEST(SpuriousRetransmission, IsKnownOnceForAnEchoAndAReportOfTheSame) {
  // Lost, repaired at 30, and once more at 35 for nothing: the echo says so, and the receiver afterwards.
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.200 > A 1:1001 ack 1 ts 20/1
    0.200 > A 1001:2001 ack 1 ts 20/1
    0.300 < A 1:1 ack 1 ts 9/20 sack 1001-2001
    0.300 > A 1:1001 ack 1 ts 30/9
    0.350 > A 1:1001 ack 1 ts 35/9
    0.400 < A 1:1 ack 2001 ts 9/30
    0.450 < A 1:1 ack 2001 ts 9/30 sack 1-1001
  )");
  const std::vector<Retransmission> again = exchange.client().retransmissions;
  ASSERT_EQ(again.size(), 2U);
  EXPECT_FALSE(again[0].isSpurious);
  EXPECT_TRUE(again[1].isSpurious);
}

TEST(SpuriousRetransmission, IsKnownWhereTheEchoIsOlderThanTheRepair) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.000 > A 1:1001 ack 1 ts 100/9
    1.000 > A 1001:5001 ack 1 ts 100/9
    1.100 < A 1:1 ack 1 ts 10/90 sack 1001-5001
    1.100 > A 1:1001 ack 1 ts 200/10
    1.120 < A 1:1 ack 5001 ts 12/100
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::spurious));
}

TEST(SpuriousRetransmission, OfATimerKeepsItsCauseEvenIfItWasNotNeeded) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.000 > A 1:1001 ack 1
    1.000 > A 1001:2001 ack 1
    1.310 > A 1:1001 ack 1
    1.330 < A 1:1 ack 2001
    1.410 < A 1:1 ack 2001 sack 1-1001
  )");
  EXPECT_THAT(causes(exchange.client()), ElementsAre(Cause::timeout));
  EXPECT_TRUE(exchange.client().retransmissions[0].isSpurious);
}

TEST(SpuriousRetransmission, IsNoneByTheAnswerToAKeepAlive) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.000 > A 1:1001 ack 1
    1.310 > A 1:1001 ack 1
    1.410 < A 1:1 ack 1001
    60.00 > A 1000:1001 ack 1
    60.10 < A 1:1 ack 1001 sack 1000-1001
  )");
  EXPECT_FALSE(exchange.client().retransmissions[0].isSpurious);
}

TEST(RetransmissionLog, IsBoundedAndSaysWhatItLeftOut) {
  RetransmissionLog log;
  Retransmission one;
  one.payloadBytes = 10;
  for (std::uint64_t index = 0; index < RetransmissionLog::kMaxListed + 7; ++index) {
    one.begin = 1000 + 10 * index;
    log.add(one, {}, {});
  }
  EXPECT_EQ(log.listed().size(), RetransmissionLog::kMaxListed);
  EXPECT_EQ(log.leftOut(), 7U);
  log.markReported({one.begin, one.begin + 5});
  EXPECT_EQ(log.foundSpurious().size(), 1U);
  log.markReported({one.begin, one.begin + 5});
  EXPECT_EQ(log.foundSpurious().size(), 1U);
  EXPECT_EQ(log.counts().of(Cause::spurious), Count(1));
  log.forgetFound();
  EXPECT_TRUE(log.foundSpurious().empty());
}

}  // namespace
}  // namespace tcpscope
