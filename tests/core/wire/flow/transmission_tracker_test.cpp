// Sequence accounting: what counts as new, retransmitted, out of order, lost before the capture point, a probe.
#include <gtest/gtest.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using test::DrawnExchange;
using test::kHandshake;

TEST(TransmissionTracker, CountsEachByteOnce) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 > A 1:1001 ack 1
    0.3 < A 1:1 ack 1001
    0.3 > A 1001:2001 ack 1
  )");
  const TransmissionCounts sent = exchange.client().sent;
  EXPECT_EQ(sent.packets, Count(4));
  EXPECT_EQ(sent.dataPackets, Count(2));
  EXPECT_EQ(sent.payload, Bytes(2000));
  EXPECT_EQ(sent.unique, Bytes(2000));
  EXPECT_EQ(sent.retransmitted, Bytes(0));
  EXPECT_TRUE(exchange.client().retransmissions.empty());
}

TEST(TransmissionTracker, CallsASeenByteARetransmission) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 > A 1:1001 ack 1
    0.2 > A 501:1501 ack 1
  )");
  const TransmissionCounts sent = exchange.client().sent;
  EXPECT_EQ(sent.unique, Bytes(1500));
  EXPECT_EQ(sent.retransmitted, Bytes(500));
  EXPECT_EQ(sent.retransmittedPackets, Count(1));
}

TEST(TransmissionTracker, CountsAcrossTheWrapOfTheSequence) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 < A 1:1001 ack 1
    0.2 < A 1001:2001 ack 1
    0.3 < A 1:1001 ack 1
  )");
  EXPECT_EQ(exchange.server().sent.unique, Bytes(2000));
  EXPECT_EQ(exchange.server().sent.retransmitted, Bytes(1000));
}

TEST(TransmissionTracker, TakesAnEarlyFillForReordering) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.200 > A 2001:3001 ack 1
    0.201 > A 1001:2001 ack 1
  )");
  const DirectionSummary client = exchange.client();
  EXPECT_EQ(client.sent.outOfOrderPackets, Count(1));
  EXPECT_EQ(client.sent.filledHolePackets, Count(0));
  EXPECT_EQ(client.sent.unique, Bytes(3000));
  EXPECT_TRUE(client.retransmissions.empty());
}

TEST(TransmissionTracker, TakesALateFillForALossBeforeTheCapturePoint) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.200 > A 2001:3001 ack 1
    0.300 > A 1001:2001 ack 1
  )");
  const DirectionSummary client = exchange.client();
  EXPECT_EQ(client.sent.outOfOrderPackets, Count(0));
  EXPECT_EQ(client.sent.filledHolePackets, Count(1));
  EXPECT_EQ(client.sent.retransmittedPackets, Count(0));
  ASSERT_EQ(client.retransmissions.size(), 1U);
  EXPECT_FALSE(client.retransmissions[0].originalWasSeen);
}

TEST(TransmissionTracker, BelievesTimestampsAboutTheOrderOfSending) {
  const DrawnExchange late(std::string(kHandshake) + R"(
    0.200 > A 2001:3001 ack 1 ts 50/1
    0.201 > A 1001:2001 ack 1 ts 51/1
  )");
  EXPECT_EQ(late.client().sent.filledHolePackets, Count(1));
  const DrawnExchange delayed(std::string(kHandshake) + R"(
    0.200 > A 2001:3001 ack 1 ts 50/1
    0.900 > A 1001:2001 ack 1 ts 49/1
  )");
  EXPECT_EQ(delayed.client().sent.outOfOrderPackets, Count(1));
}

TEST(TransmissionTracker, TakesAPacketOfTheSameTickForReorderedHoweverLateItComes) {
  // The timestamp clock ticks every millisecond, the RTT is 100 ms.
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.200 > A 1:1001 ack 1 ts 200/1
    0.300 < A 1:1 ack 1001 ts 100/200
    0.300 > A 2001:3001 ack 1 ts 300/1
    0.450 > A 1001:2001 ack 1 ts 300/1
  )");
  EXPECT_EQ(exchange.client().sent.outOfOrderPackets, Count(1));
  EXPECT_EQ(exchange.client().sent.filledHolePackets, Count(0));
}

TEST(TransmissionTracker, IgnoresAClockTickAsLongAsTheRtt) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.200 > A 1:1001 ack 1 ts 20/1
    0.300 < A 1:1 ack 1001 ts 10/20
    0.301 > A 2001:3001 ack 1 ts 21/1
    0.402 > A 1001:2001 ack 1 ts 21/1
  )");
  EXPECT_EQ(exchange.client().sent.filledHolePackets, Count(1));
}

TEST(TransmissionTracker, BelievesIdentificationsThatCountAboutTheOrderOfSending) {
  const DrawnExchange late(std::string(kHandshake) + R"(
    0.200 > A 2001:3001 ack 1 id 8
    0.201 > A 1001:2001 ack 1 id 9
  )");
  EXPECT_EQ(late.client().sent.filledHolePackets, Count(1));
  const DrawnExchange delayed(std::string(kHandshake) + R"(
    0.200 > A 2001:3001 ack 1 id 2
    0.900 > A 1001:2001 ack 1 id 65535
  )");
  EXPECT_EQ(delayed.client().sent.outOfOrderPackets, Count(1));
}

TEST(TransmissionTracker, BelievesNoIdentificationsThatLieFarApart) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.200 > A 2001:3001 ack 1 id 20000
    0.900 > A 1001:2001 ack 1 id 10000
  )");
  EXPECT_EQ(exchange.client().sent.filledHolePackets, Count(1));
}

TEST(TransmissionTracker, TakesTheByteBeforeTheNextForAKeepAlive) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2  > A 1:1001 ack 1
    0.3  < A 1:1 ack 1001
    60.0 > A 1000:1001 ack 1
    60.1 < A 1:1 ack 1001 sack 1000-1001
    90.0 > A 1000:1000 ack 1
    90.1 < A 1:1 ack 1001
  )");
  const DirectionSummary client = exchange.client();
  EXPECT_EQ(client.sent.keepAlives, Count(2));
  EXPECT_EQ(client.sent.probe, Bytes(1));
  EXPECT_EQ(client.sent.retransmittedPackets, Count(0));
  EXPECT_TRUE(client.retransmissions.empty());
  EXPECT_EQ(exchange.server().received.duplicateAcks, Count(0));
}

TEST(TransmissionTracker, TakesReportsOfProbesForNoDuplicates) {
  // Each probe draws a D-SACK; one of the answers comes late, behind the next.
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2   > A 1:1001 ack 1
    0.3   < A 1:1 ack 1001 win 0
    60.0  > A 1000:1001 ack 1
    60.1  < A 1:1 ack 1001 win 0 sack 1000-1001
    120.0 > A 1000:1001 ack 1
    180.0 > A 1000:1001 ack 1
    180.1 < A 1:1 ack 1001 win 0 sack 1000-1001
    180.2 < A 1:1 ack 1001 win 0 sack 1000-1001
  )");
  EXPECT_EQ(exchange.client().sent.zeroWindowProbes, Count(3));
  EXPECT_EQ(exchange.server().received.duplicateReports, Count(0));
}

TEST(TransmissionTracker, TakesALastByteInFlightForARetransmission) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 > A 1:2 ack 1
    0.7 > A 1:2 ack 1
  )");
  EXPECT_EQ(exchange.client().sent.keepAlives, Count(0));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(TransmissionTracker, TakesBytesIntoAClosedWindowForProbes) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 > A 1:1001 ack 1
    0.3 < A 1:1 ack 1001 win 0
    0.6 > A 1001:1002 ack 1
    0.7 < A 1:1 ack 1001 win 0
    1.2 > A 1000:1000 ack 1
    1.3 < A 1:1 ack 1001 win 0
    1.5 < A 1:1 ack 1001 win 500
    1.5 > A 1001:2001 ack 1
  )");
  const DirectionSummary client = exchange.client();
  EXPECT_EQ(client.sent.zeroWindowProbes, Count(2));
  EXPECT_EQ(client.sent.keepAlives, Count(0));
  EXPECT_EQ(client.sent.unique, Bytes(2000));
  EXPECT_EQ(client.sent.probe, Bytes(1));
  EXPECT_EQ(client.sent.retransmittedPackets, Count(0));
  EXPECT_EQ(exchange.server().received.zeroWindowEvents, Count(1));
  EXPECT_EQ(exchange.server().received.windowUpdates, Count(1));
  EXPECT_EQ(exchange.server().received.duplicateAcks, Count(0));
}

TEST(TransmissionTracker, CountsAProbesByteThatWasTaken) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.3 < A 1:1 ack 1 win 0
    0.6 > A 1:2 ack 1
    0.7 < A 1:1 ack 2 win 500
    0.7 > A 2:1002 ack 1
  )");
  EXPECT_EQ(exchange.client().sent.unique, Bytes(1001));
  EXPECT_EQ(exchange.client().sent.probe, Bytes(0));
  EXPECT_EQ(exchange.client().acknowledgedUnseen, Bytes(0));
}

TEST(TransmissionTracker, CountsAggregatesAsTheirSegments) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 > A 1:1461 ack 1
    0.2 > A 1461:5000 ack 1
  )");
  EXPECT_EQ(exchange.client().sent.aggregates, Count(1));
  EXPECT_EQ(exchange.client().sent.segments, Segments(4));
}

TEST(TransmissionTracker, KeepsWhatIsFarAwayOutOfTheStream) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 > A 1:1001 ack 1
    0.2 > A 1500000001:1500000101 ack 1
    0.2 > A 1001:2001 ack 1
  )");
  const TransmissionCounts sent = exchange.client().sent;
  EXPECT_EQ(sent.strayPackets, Count(1));
  EXPECT_EQ(sent.stray, Bytes(100));
  EXPECT_EQ(sent.unique, Bytes(2000));
}

TEST(TransmissionTracker, SaysWhatTheCaptureMissed) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.2 > A 1:1001 ack 1
    0.2 > A 2001:3001 ack 1
    0.3 < A 1:1 ack 3001
    0.4 < A 1:1 ack 3501
  )");
  EXPECT_EQ(exchange.client().acknowledgedUnseen, Bytes(1500));
  EXPECT_EQ(exchange.client().sent.unique, Bytes(2000));
}

TEST(TransmissionTracker, TakesTheRateOfAPartialCaptureFromAcknowledgments) {
  // Every thousandth packet passed the capture's filter: 5 GB in 150 s.
  std::string text = kHandshake;
  constexpr std::uint32_t kStep = 1'000'000;
  const auto at = [](int round) { return std::to_string(0.2 + 0.03 * round); };
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t first = 1 + static_cast<std::uint32_t>(round) * kStep;
    text += "\n" + at(round) + " > A " + std::to_string(first) + ":" + std::to_string(first + 1000) + " ack 1";
    text += "\n" + at(round) + " < A 1:1 ack " + std::to_string(first + 1000);
  }
  const DrawnExchange exchange(text);
  const DirectionSummary client = exchange.client();
  EXPECT_TRUE(client.isPartial());
  EXPECT_EQ(client.sent.unique, Bytes(3'000'000));
  EXPECT_NEAR(client.goodput->value(), 8.0 * kStep / 0.03, 1e5);
  EXPECT_FALSE(client.throughput);
  EXPECT_EQ(exchange.summary().vantage, Vantage::unknown);
}

TEST(TransmissionTracker, TakesTheRateOfDataThatWasNotCapturedFromAcknowledgments) {
  const DrawnExchange exchange(R"(
    0.0 < A 1:1 ack 1
    1.0 < A 1:1 ack 500001
    2.0 < A 1:1 ack 1000001
  )");
  EXPECT_DOUBLE_EQ(exchange.client().goodput->value(), 4e6);
}

TEST(TransmissionTracker, CountsNewDataBelowTheFirstSeen) {
  const DrawnExchange exchange(R"(
    0.200 > A 5001:6001 ack 1
    0.201 > A 4001:5001 ack 1
    0.502 > A 4001:5001 ack 1
  )");
  EXPECT_EQ(exchange.client().sent.unique, Bytes(2000));
  EXPECT_EQ(exchange.client().sent.outOfOrderPackets, Count(1));
  EXPECT_EQ(exchange.client().sent.retransmitted, Bytes(1000));
}

TEST(TransmissionTracker, MeasuresWhatIsInFlightWithoutWhatSackReports) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    0.20 > A 1:1001 ack 1
    0.20 > A 1001:2001 ack 1
    0.20 > A 2001:3001 ack 1
    0.30 < A 1:1 ack 1 sack 1001-3001
    0.30 > A 3001:4001 ack 1
    0.30 > A 4001:5001 ack 1
  )");
  EXPECT_EQ(exchange.client().maxInFlight, Bytes(3000));
}

TEST(TransmissionTracker, KnowsNoFlightWithoutAcknowledgments) {
  const DrawnExchange exchange(R"(
    0.2 > A 1:1001 ack 1
    0.2 > A 1001:2001 ack 1
  )");
  EXPECT_FALSE(exchange.client().maxInFlight);
  EXPECT_FALSE(exchange.client().rtt);
}

TEST(TransmissionTracker, KnowsNoFlightByTheSynAlone) {
  const DrawnExchange exchange(R"(
    0.0 > S 0:0 mss 1460
    0.1 > A 1:1 ack 1
    0.2 > A 1:1001 ack 1
    0.2 > A 1001:2001 ack 1
  )");
  EXPECT_FALSE(exchange.client().maxInFlight);
}

TEST(TransmissionTracker, SamplesTheRttByKarnsAlgorithm) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.00 > A 1:1001 ack 1
    1.15 < A 1:1 ack 1001
    2.00 > A 1001:2001 ack 1
    2.50 > A 1001:2001 ack 1
    2.60 < A 1:1 ack 2001
  )");
  const auto rtt = exchange.client().rtt;
  ASSERT_TRUE(rtt);
  EXPECT_EQ(rtt->samples, 2U);
  EXPECT_EQ(rtt->min, std::chrono::milliseconds(100));
  EXPECT_EQ(rtt->max, std::chrono::milliseconds(150));
}

TEST(TransmissionTracker, TakesNoRttFromAlreadySackedSegments) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.00 > A 1:1001 ack 1
    1.00 > A 1001:2001 ack 1
    1.20 < A 1:1 ack 1 sack 1001-2001
    1.40 > A 1:1001 ack 1
    1.60 < A 1:1 ack 2001
  )");
  EXPECT_EQ(exchange.client().rtt->samples, 2U);
  EXPECT_EQ(exchange.client().rtt->max, std::chrono::milliseconds(200));
}

TEST(TransmissionTracker, GivesGoodputOverTheTimeOfTheData) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    1.5 > A 1:1001 ack 1
    2.0 < A 1:1 ack 1001
    9.0 > FA 1001:1001 ack 1
  )");
  EXPECT_EQ(exchange.client().dataSpan, std::chrono::seconds(1));
  EXPECT_DOUBLE_EQ(exchange.client().goodput->value(), 8000.0);
  EXPECT_DOUBLE_EQ(exchange.client().throughput->value(), 16000.0);
}

TEST(TransmissionTracker, DoesNotCountTheAcknowledgmentOfALateFinAsDelivery) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    1.5 > A 1001:2001 ack 1
    2.0 < A 1:1 ack 2001
    121.0 > FA 2001:2001 ack 1
    121.1 < A 1:1 ack 2002
  )");
  EXPECT_EQ(exchange.client().dataSpan, std::chrono::seconds(1));
}

TEST(TransmissionTracker, GivesNoRateOfASingleFlight) {
  // Captured at the receiver: the data and its acknowledgment pass within 14 µs, and the way takes 55 ms.
  const DrawnExchange exchange(R"(
    0.000000 > S 0:0 mss 1460
    0.000020 < SA 0:0 ack 1 mss 1460
    0.055020 > A 1:1 ack 1
    0.100000 > A 1:343 ack 1
    0.100014 < A 1:1 ack 343
  )");
  EXPECT_TRUE(exchange.client().dataSpan);
  EXPECT_FALSE(exchange.client().goodput);
  EXPECT_FALSE(exchange.client().throughput);
}

TEST(TransmissionTracker, GivesTheRateOfTwoFlightsAtEitherEnd) {
  const DrawnExchange atSender(R"(
    0.000 > S 0:0 mss 1460
    0.050 < SA 0:0 ack 1 mss 1460
    0.050 > A 1:1 ack 1
    0.100 > A 1:1001 ack 1
    0.150 < A 1:1 ack 1001
    0.150 > A 1001:2001 ack 1
    0.200 < A 1:1 ack 2001
  )");
  EXPECT_TRUE(atSender.client().goodput);
  const DrawnExchange atReceiver(R"(
    0.000000 > S 0:0 mss 1460
    0.000020 < SA 0:0 ack 1 mss 1460
    0.050020 > A 1:1 ack 1
    0.100000 > A 1:1001 ack 1
    0.100020 < A 1:1 ack 1001
    0.150040 > A 1001:2001 ack 1
    0.150060 < A 1:1 ack 2001
  )");
  EXPECT_TRUE(atReceiver.client().goodput);
}

TEST(TransmissionTracker, GivesNoRateOfASegmentWhoseAcknowledgmentIsDelayed) {
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1460
    0.001 < SA 0:0 ack 1 mss 1460
    0.001 > A 1:1 ack 1
    0.100 > A 1:343 ack 1
    0.140 < A 1:1 ack 343
  )");
  EXPECT_FALSE(exchange.client().goodput);
}

TEST(TransmissionTracker, SurvivesTimeThatRunsBackwards) {
  const DrawnExchange exchange(std::string(kHandshake) + R"(
    1.0 > A 1:1001 ack 1
    0.5 < A 1:1 ack 1001
  )");
  EXPECT_EQ(exchange.summary().timeSteps, Count(1));
  EXPECT_EQ(exchange.client().rtt->samples, 1U);
  EXPECT_FALSE(exchange.client().goodput);
}

TEST(TransmissionTracker, NeedsNoMoreMemoryForALongTransfer) {
  DrawnExchange exchange(kHandshake);
  const auto transfer = [&exchange](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t begin = from; begin < to; begin += 2000) {
      exchange.add("1.0 > A " + std::to_string(begin) + ":" + std::to_string(begin + 1000) + " ack 1\n 1.0 > A " +
                   std::to_string(begin + 1000) + ":" + std::to_string(begin + 2000) + " ack 1\n 1.1 < A 1:1 ack " +
                   std::to_string(begin + 2000));
    }
  };
  transfer(1, 200'001);
  const std::size_t before = exchange.table().connections()[0]->residentBytes();
  transfer(200'001, 2'000'001);
  EXPECT_EQ(exchange.table().connections()[0]->residentBytes(), before);
  EXPECT_EQ(exchange.client().sent.unique, Bytes(2'000'000));
}

TEST(TransmissionTracker, KnowsTheTimeoutOfATailThatNeverCame) {
  // At the receiver: four segments are lost on the way. The first comes again after the silence as if it were new; what
  // the sender then sends first is new, and shows the hole.
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1000 sackOK
    0.000 < SA 0:0 ack 1 mss 1000 sackOK
    0.100 > A 1:1 ack 1
    1.000 > A 1:1001 ack 1
    1.000 < A 1:1 ack 1001
    1.600 > A 1001:2001 ack 1
    1.600 < A 1:1 ack 2001
    1.700 > A 5001:6001 ack 1
    1.700 < A 1:1 ack 2001 sack 5001-6001
    1.800 > A 2001:3001 ack 1
    1.800 < A 1:1 ack 3001 sack 5001-6001
    1.900 > A 3001:4001 ack 1
    1.900 > A 4001:5001 ack 1
  )");
  const std::vector timeouts(3, RetransmissionCause::timeout);
  EXPECT_EQ(test::causes(exchange.client()), timeouts);
}

TEST(TransmissionTracker, TakesNoPauseForATimeout) {
  // The program paused; of the two segments that follow it the second is lost.
  const DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1000 sackOK
    0.000 < SA 0:0 ack 1 mss 1000 sackOK
    0.100 > A 1:1 ack 1
    1.000 > A 1:1001 ack 1
    1.000 < A 1:1 ack 1001
    1.600 > A 1001:2001 ack 1
    1.600 < A 1:1 ack 2001
    1.601 > A 3001:4001 ack 1
    1.601 < A 1:1 ack 2001 sack 3001-4001
    1.705 > A 2001:3001 ack 1
  )");
  EXPECT_EQ(test::causes(exchange.client()), std::vector{RetransmissionCause::fast});
}

}  // namespace
}  // namespace tcpscope
