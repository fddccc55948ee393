#include "core/wire/flow/capture_connection.h"

#include <gtest/gtest.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using test::clientEnd;
using test::DrawnExchange;
using test::kHandshake;
using test::serverEnd;

TEST(CaptureConnection, ReportsWhatEachEndOffered) {
  const DrawnExchange exchange(R"(
    0.0 > SEC 0:0 mss 1460 sackOK ts 7/0 ws 7
    0.1 < SAE 0:0 ack 1 mss 1400 ws 9
    0.1 > A 1:1 ack 1
  )");
  const auto offered = exchange.client().offered;
  ASSERT_TRUE(offered);
  EXPECT_EQ(offered->mss, Bytes(1460));
  EXPECT_TRUE(offered->sack);
  EXPECT_TRUE(offered->timestamps);
  EXPECT_TRUE(offered->ecn);
  EXPECT_EQ(offered->windowScale, 7);
  EXPECT_FALSE(exchange.server().offered->sack);
  EXPECT_TRUE(exchange.server().offered->ecn);
  EXPECT_TRUE(exchange.summary().handshakeSeen);
  EXPECT_EQ(exchange.summary().handshakeRtt, std::chrono::milliseconds(100));
}

TEST(CaptureConnection, CountsFullSegmentsOfAStackThatSendsMoreThanItOffered) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 mss 1460
    0.1 < SA 0:0 ack 1 mss 1430
    0.1 > A 1:1 ack 1
    0.2 < A 1:1447 ack 1
    0.2 < A 1447:2893 ack 1
    0.2 < A 2893:4339 ack 1
    0.2 < A 4339:5785 ack 1
  )");
  EXPECT_EQ(exchange.server().sent.dataPackets, Count(4));
  EXPECT_EQ(exchange.server().sent.segments, Segments(4));
}

TEST(CaptureConnection, CountsTheSegmentsOfPacketsThatWereHandedOverTogether) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 mss 1460
    0.1 < SA 0:0 ack 1 mss 1430
    0.1 > A 1:1 ack 1
    0.2 < A 1:2861 ack 1
    0.2 < A 2861:5721 ack 1
  )");
  EXPECT_EQ(exchange.server().sent.segments, Segments(4));
}

TEST(CaptureConnection, CountsTheSegmentsOfPacketsThatWereHandedOverTogetherToAPeerWithJumboFrames) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 mss 8960
    0.1 < SA 0:0 ack 1 mss 1460
    0.1 > A 1:1 ack 1
    0.2 < A 1:2921 ack 1
    0.2 < A 2921:5841 ack 1
    0.2 < A 5841:8001 ack 1
    0.2 < A 8001:10161 ack 1
  )");
  EXPECT_EQ(exchange.server().sent.segments, Segments(8));
}

TEST(CaptureConnection, TimesItsOpeningFromTheFirstSyn) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 mss 1460
    1.0 > S 0:0 mss 1460
    1.1 < SA 0:0 ack 1 mss 1460
    1.1 > A 1:1 ack 1
    1.2 > PA 1:101 ack 1
    1.5 < PA 1:201 ack 101
  )");
  EXPECT_EQ(exchange.summary().handshakeRtt, std::chrono::milliseconds(100));
  EXPECT_EQ(exchange.summary().connectTime, std::chrono::milliseconds(1100));
  EXPECT_EQ(exchange.summary().firstByteTime, std::chrono::milliseconds(1500));
  EXPECT_TRUE(exchange.summary().repeatsSyn());
}

TEST(CaptureConnection, KnowsNoOpeningTimeWithoutTheWholeHandshake) {
  const DrawnExchange withoutSyn(R"(
    0.0 < SA 0:0 ack 1 mss 1460
    0.1 > A 1:1 ack 1
    0.2 < PA 1:201 ack 1
  )");
  EXPECT_FALSE(withoutSyn.summary().connectTime);
  EXPECT_FALSE(withoutSyn.summary().firstByteTime);
  const DrawnExchange behindAnOlderOne(R"(
    0.0 < A 5000:5000 ack 9000
    0.1 > S 0:0 mss 1460
    0.2 < SA 0:0 ack 1 mss 1460
    0.2 > A 1:1 ack 1
  )");
  EXPECT_FALSE(behindAnOlderOne.summary().connectTime) << "whether this SYN is the first is not known";
  const DrawnExchange unanswered(R"(
    0.0 > S 0:0 mss 1460
    1.0 > S 0:0 mss 1460
  )");
  EXPECT_FALSE(unanswered.summary().connectTime);
}

TEST(CaptureConnection, KnowsNoOpeningTimeWhereTheClockWasSetBack) {
  const DrawnExchange exchange(R"(
    9.0 > S 0:0 mss 1460
    1.0 > S 0:0 mss 1460
    1.1 < SA 0:0 ack 1 mss 1460
    1.1 > A 1:1 ack 1
    1.2 < PA 1:201 ack 1
  )");
  EXPECT_FALSE(exchange.summary().connectTime);
  EXPECT_FALSE(exchange.summary().firstByteTime);
}

TEST(CaptureConnection, KnowsNoFirstByteWithoutDataOfTheResponder) {
  const DrawnExchange exchange(std::string(kHandshake) + "0.2 > A 1:1001 ack 1");
  EXPECT_EQ(exchange.summary().connectTime, std::chrono::milliseconds(100));
  EXPECT_FALSE(exchange.summary().firstByteTime);
}

TEST(CaptureConnection, KnowsNoOptionsWithoutTheSyn) {
  const DrawnExchange exchange("0.0 > A 1:1001 ack 1");
  EXPECT_FALSE(exchange.client().offered);
  EXPECT_FALSE(exchange.client().windowScale);
  EXPECT_FALSE(exchange.client().windowMax);
  EXPECT_FALSE(exchange.summary().handshakeSeen);
}

TEST(CaptureConnection, ScalesWindowsWhereBothAgreed) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 win 60000 ws 7
    0.1 < SA 0:0 ack 1 win 60000 ws 20
    0.1 > A 1:1 ack 1 win 100
    0.2 < A 1:1 ack 1 win 2
    0.3 > A 1:1 ack 1 win 300
  )");
  EXPECT_EQ(exchange.client().windowMin, Bytes(12'800));
  EXPECT_EQ(exchange.client().windowMax, Bytes(38'400));
  EXPECT_EQ(exchange.server().windowMax, Bytes(32'768));
}

TEST(CaptureConnection, ScalesNothingWhereOneRefused) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 ws 7
    0.1 < SA 0:0 ack 1
    0.1 > A 1:1 ack 1 win 100
  )");
  EXPECT_EQ(exchange.client().windowScale, 0);
  EXPECT_EQ(exchange.client().windowMax, Bytes(100));
}

TEST(CaptureConnection, TakesAScaleThatTheKernelKnows) {
  DrawnExchange exchange("0.0 > A 1:1001 ack 1 win 100");
  exchange.table().connections()[0]->supplyWindowScale(0, 5);
  EXPECT_EQ(exchange.client().windowMax, Bytes(3'200));
}

TEST(CaptureConnection, KnowsWhoOpenedIt) {
  EXPECT_EQ(DrawnExchange("0.0 < SA 0:0 ack 1").summary().initiator, clientEnd());
  const DrawnExchange answer("0.0 < SA 0:0 ack 1");
  EXPECT_TRUE(answer.summary().initiatorIsSure);
  const DrawnExchange middle("0.0 < A 1:1001 ack 1");
  EXPECT_EQ(middle.summary().initiator, clientEnd());
  EXPECT_FALSE(middle.summary().initiatorIsSure);
}

TEST(CaptureConnection, CountsDuplicateAcknowledgments) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    1.0 > A 1001:2001 ack 1
    1.1 < A 1:1 ack 1 sack 1001-2001
    1.2 < A 1:1 ack 1 win 900
    1.3 < A 1:11 ack 1 win 900
    1.4 < A 11:11 ack 1 win 900
  )");
  // The first packet of the server after its SYN has nothing to repeat; the last repeats the one with data.
  EXPECT_EQ(exchange.server().received.duplicateAcks, Count(1));
  EXPECT_EQ(exchange.server().received.windowUpdates, Count(1));
}

TEST(CaptureConnection, TakesTheWholeRttFromTimestamps) {
  // The capture point: 30 ms from the server and back, 70 ms from the client and back.
  const DrawnExchange exchange(R"(
    1.000 > A 1:1001 ack 1 ts 100/50
    1.030 < A 1:1 ack 1001 ts 60/100
    1.100 > A 1001:2001 ack 1 ts 200/60
    1.130 < A 1:1 ack 2001 ts 160/200
  )");
  const auto rtt = exchange.client().timestampRtt;
  ASSERT_TRUE(rtt);
  EXPECT_EQ(rtt->min, std::chrono::milliseconds(100));
  EXPECT_EQ(exchange.client().rtt->min, std::chrono::milliseconds(30));
  EXPECT_EQ(exchange.summary().vantage, Vantage::middle);
}

TEST(CaptureConnection, SeesThatItSitsAtTheSender) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    1.1 < A 1:1 ack 1001
  )");
  EXPECT_EQ(exchange.summary().vantage, Vantage::sender);
}

TEST(CaptureConnection, SitsNoSenderWhereLossesCameBefore) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    1.0 > A 2001:4001 ack 1
    1.1 < A 1:1 ack 1001 sack 2001-4001
    1.2 > A 1001:2001 ack 1
  )");
  EXPECT_EQ(exchange.summary().vantage, Vantage::middle);
}

TEST(CaptureConnection, DoesNotGuessWhereItSits) {
  EXPECT_EQ(DrawnExchange("0.0 > A 1:1001 ack 1").summary().vantage, Vantage::unknown);
}

TEST(CaptureConnection, SurvivesAResetWithPayload) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    1.1 < R 1:21
  )");
  EXPECT_EQ(exchange.server().sent.resets, Count(1));
  EXPECT_EQ(exchange.server().sent.stray, Bytes(20));
}

TEST(CaptureConnection, GivesBackWhatOnlyItsGoingOnNeeds) {
  DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1 ts 10/5
    1.1 < A 1:1 ack 1001 ts 6/10
    1.2 > FA 1001:1001 ack 1 ts 11/6
    1.3 < FA 1:1 ack 1002 ts 7/11
  )");
  const auto residentBytes = [&] { return exchange.table().connections()[0]->residentBytes(); };
  const std::size_t before = residentBytes();
  exchange.add("1.4 > A 1002:1002 ack 2 ts 12/7");
  EXPECT_LT(residentBytes() + sizeof(UnackedSegment), before);
  EXPECT_LE(residentBytes(), 4 * 8 * sizeof(std::uint64_t)) << "more than its first RTTs";
}

TEST(FlowTable, TakesANewInitialSequenceForANewConnection) {
  DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    2.0 > S 90000:90000 mss 1460
    2.1 < SA 70000:70000 ack 90001 mss 1460
    2.2 > A 90001:90101 ack 70001
  )");
  ASSERT_EQ(exchange.connectionCount(), 2U);
  EXPECT_EQ(exchange.summary(0).directions[0].sent.unique, Bytes(1000));
  EXPECT_EQ(exchange.summary(1).directions[0].sent.unique, Bytes(100));
  EXPECT_TRUE(exchange.summary(1).handshakeSeen);
}

TEST(FlowTable, TakesASynInTheMiddleForANewConnection) {
  const DrawnExchange exchange(R"(
    1.0 > A 1:1001 ack 1
    2.0 > S 90000:90000 mss 1460
  )");
  EXPECT_EQ(exchange.connectionCount(), 2U);
}

TEST(FlowTable, KeepsASynThatComesAfterItsAnswer) {
  const DrawnExchange exchange(R"(
    0.0 < SA 0:0 ack 1
    0.0 > S 0:0
    0.1 > A 1:1 ack 1
  )");
  EXPECT_EQ(exchange.connectionCount(), 1U);
  EXPECT_TRUE(exchange.summary().handshakeSeen);
}

TEST(FlowTable, KeepsAServerThatAnswersWithAnotherNumber) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0
    0.1 < SA 0:0 ack 1
    1.0 > S 0:0
    1.1 < SA 80000:80000 ack 1
    1.1 > A 1:1 ack 80001
    1.2 < A 80001:80101 ack 1
  )");
  EXPECT_EQ(exchange.connectionCount(), 1U);
  EXPECT_EQ(exchange.server().sent.unique, Bytes(100));
}

TEST(FlowTable, ForgetsTheOlderConnectionThatAChallengeAcknowledgmentBelongsTo) {
  // The server remembers an older connection between the same ports: it answers the SYN with that one's numbers, the
  // client resets it, and tries again.
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 mss 1460 ws 7
    0.1 < A 900000000:900000000 ack 976000000 win 500
    0.1 > R 976000000:976000000
    1.0 > S 0:0 mss 1460 ws 7
    1.1 < SA 0:0 ack 1 mss 1460 ws 7
    1.1 > A 1:1 ack 1 win 900
    1.2 > A 1:1001 ack 1 win 900
    1.3 < A 1:501 ack 1001 win 800
    1.4 > A 1001:1001 ack 501 win 900
  )");
  ASSERT_EQ(exchange.connectionCount(), 1U);
  for (const DirectionSummary& direction : {exchange.client(), exchange.server()}) {
    EXPECT_EQ(direction.acknowledgedUnseen, Bytes(0));
    EXPECT_EQ(direction.sent.strayPackets, Count(0));
    EXPECT_LE(direction.maxInFlight.value_or(Bytes(9999)), Bytes(1000));
  }
  EXPECT_EQ(exchange.client().sent.unique, Bytes(1000));
  EXPECT_EQ(exchange.server().sent.unique, Bytes(500));
  EXPECT_EQ(exchange.server().windowMin, Bytes(800 << 7)) << "the window of the older connection counts";
}

TEST(FlowTable, LeavesOutASynThatComesLateWithAnotherNumber) {
  const char* const transfer = R"(
    0.20 > A 1:1001 ack 1
    0.30 < A 1:501 ack 1001
    0.40 > A 1001:1001 ack 501
  )";
  const DrawnExchange afterHandshake(std::string(kHandshake) + "0.15 < SA 70000:70000 ack 1\n" + transfer);
  const DrawnExchange beforeItsEnd(R"(
    0.00 > S 0:0 mss 1460
    0.10 < SA 0:0 ack 1 mss 1460
    0.10 < SA 70000:70000 ack 1 mss 1460
    0.11 > A 1:1 ack 1
  )" + std::string(transfer));
  for (const DrawnExchange* exchange : {&afterHandshake, &beforeItsEnd}) {
    EXPECT_EQ(exchange->connectionCount(), 1U);
    EXPECT_EQ(exchange->server().sent.unique, Bytes(500));
    EXPECT_EQ(exchange->server().acknowledgedUnseen, Bytes(0));
    EXPECT_EQ(exchange->server().maxInFlight, Bytes(500));
    EXPECT_EQ(exchange->client().acknowledgedUnseen, Bytes(0));
  }
  EXPECT_EQ(afterHandshake.server().sent.strayPackets, Count(1));
}

TEST(FlowTable, PayloadOfASynThatComesLateIsNoneOfTheStream) {
  const DrawnExchange exchange(std::string(kHandshake) + "0.15 < SA 70000:70020 ack 1\n0.20 < A 1:501 ack 1\n");
  EXPECT_EQ(exchange.server().sent.stray, Bytes(20));
  EXPECT_EQ(exchange.server().sent.payload, Bytes(520));
  EXPECT_EQ(exchange.server().sent.unique, Bytes(500));
}

TEST(FlowTable, RefusesConnectionsBeyondItsLimit) {
  FlowTable table(1);
  PacketSample packet;
  packet.source = clientEnd();
  packet.destination = serverEnd();
  EXPECT_NE(table.take(packet).connection, nullptr);
  packet.source.port = 50'001;
  EXPECT_EQ(table.take(packet).connection, nullptr);
  packet.source.port = 50'000;
  EXPECT_NE(table.take(packet).connection, nullptr);
  EXPECT_EQ(table.refusedPackets(), 1U);
}

}  // namespace
}  // namespace tcpscope
