// Losses as the packets of a drawn exchange show them: where they were, how many, and what was none.
#include "core/session/capture/capture_analysis.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

ConnectionAnalysis analysed(const std::string& drawn) {
  const test::DrawnExchange exchange(drawn);
  CaptureAnalysis analysis;
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  return analysis.connection(0);
}

/// The same as of a file, whose order may be corrected.
ConnectionAnalysis analysedFile(const std::string& drawn) {
  const test::DrawnExchange exchange(drawn);
  CaptureAnalysis analysis;
  analysis.correctOrder();
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  analysis.finish();
  return analysis.connection(0);
}

TEST(CaptureAnalysis, PutsAcknowledgmentsBehindTheirDataThatWereRecordedBeforeIt) {
  const ConnectionAnalysis analysis = analysedFile(std::string(test::kHandshake) + R"(
    0.19999 < A 1:1 ack 1001
    0.20000 > A 1:1001 ack 1
    0.20001 < A 1:1 ack 2001
    0.20002 < A 1:1 ack 3001
    0.20003 > A 1001:2001 ack 1
    0.20004 > A 2001:3001 ack 1
  )");
  EXPECT_EQ(analysis.flow.directions[0].sent.outOfOrderPackets, Count(0));
  ASSERT_TRUE(analysis.flow.directions[0].rtt);
  // That of the handshake, too.
  EXPECT_EQ(analysis.flow.directions[0].rtt->samples, 4U);
  EXPECT_EQ(analysis.flow.directions[1].earlyAcknowledgments, Count(3));
  EXPECT_EQ(analysis.flow.timeSteps, Count(0));
}

TEST(CaptureAnalysis, PutsTheAcknowledgmentOfARepairBehindIt) {
  // The first was lost before the capture point.
  const ConnectionAnalysis analysis = analysedFile(std::string(test::kHandshake) + R"(
    0.200 > A 1001:2001 ack 1
    0.201 < A 1:1 ack 1 sack 1001-2001
    0.600 < A 1:1 ack 2001
    0.60001 > A 1:1001 ack 1
  )");
  EXPECT_EQ(analysis.flow.directions[0].sent.filledHolePackets, Count(1));
  EXPECT_EQ(analysis.flow.directions[1].earlyAcknowledgments, Count(1));
}

TEST(CaptureAnalysis, WaitsNotLongForDataThatTheCaptureDoesNotHold) {
  const ConnectionAnalysis analysis = analysedFile(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.300 < A 1:1 ack 2001
    0.301 > A 2001:3001 ack 1
    0.401 < A 1:1 ack 5001
  )");
  EXPECT_EQ(analysis.flow.directions[1].sent.packets, Count(3));
  EXPECT_EQ(analysis.flow.directions[1].earlyAcknowledgments, Count(0));
  EXPECT_EQ(analysis.flow.directions[0].acknowledgedUnseen, Bytes(3000));
  EXPECT_EQ(analysis.flow.timeSteps, Count(0));
}

TEST(CaptureAnalysis, CorrectsTheOrderOfACaptureThatHoldsEachFrameTwice) {
  const ConnectionAnalysis analysis = analysedFile(std::string(test::kHandshake) + R"(
    0.200000 < A 1:1 ack 1001 id 7
    0.200002 < A 1:1 ack 1001 id 7
    0.200010 > A 1:1001 ack 1 id 3
    0.200012 > A 1:1001 ack 1 id 3
    0.300000 < A 1:1 ack 2001 id 8
    0.300002 < A 1:1 ack 2001 id 8
    0.300010 > A 1001:2001 ack 1 id 4
    0.300012 > A 1001:2001 ack 1 id 4
  )");
  EXPECT_EQ(analysis.flow.directions[0].copies, Count(2));
  EXPECT_EQ(analysis.flow.directions[1].copies, Count(2));
  EXPECT_EQ(analysis.flow.directions[1].earlyAcknowledgments, Count(2));
  EXPECT_EQ(analysis.flow.directions[0].sent.retransmittedPackets, Count(0));
  EXPECT_EQ(analysis.flow.directions[0].sent.outOfOrderPackets, Count(0));
}

TEST(CaptureAnalysis, FindsNoLossWithoutRetransmissions) {
  const ConnectionAnalysis analysis = analysed(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.200 > A 1001:2001 ack 1
    0.300 < A 1:1 ack 2001
  )");
  EXPECT_EQ(analysis.directions[0].loss.lostPackets, 0U);
  EXPECT_TRUE(analysis.directions[0].loss.events.empty());
  ASSERT_TRUE(analysis.directions[0].loss.eventRatio);
  // SYN and two with payload.
  EXPECT_GT(analysis.directions[0].loss.eventRatio->interval95.high, 0.5);
  EXPECT_EQ(analysis.bulk, 0U);
}

TEST(CaptureAnalysis, PlacesALossWhereThePacketWasSent) {
  const ConnectionAnalysis analysis = analysed(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.210 > A 1001:2001 ack 1
    0.220 > A 2001:3001 ack 1
    0.300 < A 1:1 ack 1001
    0.320 < A 1:1 ack 1001 sack 2001-3001
    0.321 > A 1001:2001 ack 1
    0.421 < A 1:1 ack 3001
  )");
  const LossSummary& loss = analysis.directions[0].loss;
  EXPECT_EQ(loss.lostPackets, 1U);
  ASSERT_EQ(loss.events.size(), 1U);
  // The SYN is the first packet.
  EXPECT_EQ(loss.events[0].position, 2U);
  EXPECT_EQ(loss.events[0].start.nanoseconds(), 1'000'210'000'000);
  EXPECT_EQ(analysis.directions[1].loss.lostPackets, 0U);
}

TEST(CaptureAnalysis, TakesBackALossThatWasNone) {
  const ConnectionAnalysis analysis = analysed(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.210 > A 1001:2001 ack 1
    0.600 > A 1:1001 ack 1
    0.601 < A 1:1 ack 2001
    0.700 < A 1:1 ack 2001 sack 1-1001
  )");
  EXPECT_EQ(analysis.directions[0].loss.lostPackets, 0U);
  ASSERT_EQ(analysis.flow.directions[0].retransmissions.size(), 1U);
  EXPECT_TRUE(analysis.flow.directions[0].retransmissions[0].isSpurious);
}

TEST(CaptureAnalysis, CountsEachLostPacketOfAnAggregate) {
  const ConnectionAnalysis analysis = analysed(std::string(test::kHandshake) + R"(
    0.200 > A 1:14601 ack 1
    0.300 < A 1:1 ack 1461
    0.300 < A 1:1 ack 1461 sack 2921-4381
    0.300 < A 1:1 ack 1461 sack 5841-14601 2921-4381
    0.301 > A 1461:2921 ack 1
    0.301 > A 4381:5841 ack 1
    0.401 < A 1:1 ack 14601
  )");
  const LossSummary& loss = analysis.directions[0].loss;
  EXPECT_EQ(loss.lostPackets, 2U);
  ASSERT_EQ(loss.events.size(), 1U);
  EXPECT_EQ(loss.events[0].position, 2U);
}

TEST(CaptureAnalysis, CountsALossBeforeTheCapturePoint) {
  // Captured at the server: the client's second and third segment never arrive there.
  const ConnectionAnalysis analysis = analysed(R"(
    0.000 > S 0:0 mss 1000 sackOK
    0.000 < SA 0:0 ack 1 mss 1000 sackOK
    0.100 > A 1:1 ack 1
    0.200 > A 1:1001 ack 1
    0.200 < A 1:1 ack 1001
    0.203 > A 3001:4001 ack 1
    0.203 < A 1:1 ack 1001 sack 3001-4001
    0.310 > A 1001:2001 ack 1
    0.310 < A 1:1 ack 2001 sack 3001-4001
    0.311 > A 2001:3001 ack 1
    0.311 < A 1:1 ack 4001
  )");
  const LossSummary& loss = analysis.directions[0].loss;
  EXPECT_EQ(loss.lostPackets, 2U);
  ASSERT_EQ(loss.events.size(), 1U);
  EXPECT_EQ(loss.events[0].position, 2U);
  EXPECT_EQ(loss.events[0].start.nanoseconds(), 1'000'203'000'000);
}

TEST(CaptureAnalysis, TakesReorderedPacketsForNoLoss) {
  const ConnectionAnalysis analysis = analysed(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.201 > A 2001:3001 ack 1
    0.201 > A 1001:2001 ack 1
    0.300 < A 1:1 ack 3001
  )");
  EXPECT_EQ(analysis.directions[0].loss.lostPackets, 0U);
}

TEST(CaptureAnalysis, CountsALostHandshake) {
  const ConnectionAnalysis analysis = analysed(R"(
    0.000 > S 0:0 mss 1460 sackOK
    1.000 > S 0:0 mss 1460 sackOK
    1.100 < SA 0:0 ack 1 mss 1460 sackOK
    1.100 > A 1:1 ack 1
  )");
  EXPECT_EQ(analysis.directions[0].loss.lostPackets, 1U);
}

TEST(CaptureAnalysis, BearsASegmentSizeOfZero) {
  const ConnectionAnalysis analysis = analysed(R"(
    0.000 > S 0:0 mss 0 sackOK
    0.100 < SA 0:0 ack 1 mss 0 sackOK
    0.100 > A 1:1 ack 1
    0.200 > A 1:1001 ack 1
    0.300 < A 1:1 ack 1001
    0.400 > A 1001:2001 ack 1
    0.500 < A 1:1 ack 2001
  )");
  EXPECT_EQ(analysis.flow.directions[0].sent.unique, Bytes(2000));
  EXPECT_EQ(analysis.directions[0].loss.lostPackets, 0U);
}

TEST(CaptureAnalysis, KeepsATinyConnectionSmall) {
  const test::DrawnExchange exchange(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.300 < A 1:2001 ack 1001
    0.400 > FA 1001:1001 ack 2001
    0.500 < FA 2001:2001 ack 1002
    0.500 > A 1002:1002 ack 2002
  )");
  CaptureAnalysis analysis;
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  EXPECT_LE(analysis.residentBytes(), 3200U);
}

TEST(CaptureAnalysis, SaysWhatItHadNoRoomFor) {
  CaptureAnalysis analysis(1);
  PacketSample packet;
  packet.source = test::clientEnd();
  packet.destination = test::serverEnd();
  EXPECT_NE(analysis.take(packet).connection, nullptr);
  packet.source.port = 1;
  EXPECT_EQ(analysis.take(packet).connection, nullptr);
  EXPECT_EQ(analysis.refusedPackets(), 1U);
  EXPECT_EQ(analysis.connectionCount(), 1U);
}

/// A connection of its own source port that sends data and retransmits it.
void takeLossyConnection(CaptureAnalysis& analysis, std::uint16_t port) {
  PacketSample packet;
  packet.source = test::clientEnd();
  packet.source.port = port;
  packet.destination = test::serverEnd();
  packet.flags = TcpFlags{0x10};
  packet.payloadBytes = 1000;
  for (const std::uint32_t sequence : {1000U, 2000U, 3000U, 1000U, 2000U, 4000U}) {
    packet.time = packet.time + std::chrono::milliseconds(300);
    packet.sequence = sequence;
    analysis.take(packet);
  }
}

TEST(CaptureAnalysis, CountsWhatItTakes) {
  CaptureAnalysis analysis;
  for (std::uint16_t port = 1; port <= 100; ++port) takeLossyConnection(analysis, port);
  EXPECT_GE(analysis.countedBytes(), analysis.residentBytes());
  EXPECT_LE(analysis.countedBytes(), analysis.residentBytes() + 100 * 256);
}

TEST(CaptureAnalysis, CountsWhatItsLogsTake) {
  CaptureAnalysis analysis;
  analysis.keepLogs(1);
  for (std::uint16_t port = 1; port <= 100; ++port) takeLossyConnection(analysis, port);
  // Again, out of packed logs.
  for (std::uint16_t port = 1; port <= 100; ++port) takeLossyConnection(analysis, port);
  EXPECT_GE(analysis.countedBytes(), analysis.residentBytes());
  EXPECT_LE(analysis.countedBytes(), analysis.residentBytes() + 100 * 256);
}

TEST(CaptureAnalysis, KeepsOfAConnectionOfFewPacketsThesePackets) {
  CaptureAnalysis analysis;
  analysis.keepLogs(10);
  for (std::uint16_t port = 1; port <= 1000; ++port) takeLossyConnection(analysis, port);
  EXPECT_LE(analysis.residentBytes(), 1000U * 300U);
  const ConnectionAnalysis first = analysis.connection(0);
  EXPECT_EQ(first.flow.directions[0].sent.unique, Bytes(4000));
  EXPECT_EQ(first.flow.directions[0].sent.retransmittedPackets, Count(2));
  EXPECT_EQ(analysis.ends(0).initiator, first.flow.initiator);
  EXPECT_EQ(analysis.ends(0).responder, first.flow.responder);
}

TEST(CaptureAnalysis, ALogEndsWhereTheSamePortsServeAnotherConnection) {
  CaptureAnalysis analysis;
  analysis.keepLogs(1);
  PacketSample syn;
  const auto open = [&](std::uint16_t port, std::uint32_t initial) {
    syn.time = syn.time + std::chrono::seconds(1);
    syn.source = test::clientEnd();
    syn.source.port = port;
    syn.destination = test::serverEnd();
    syn.flags = TcpFlags{0x02};
    syn.sequence = initial;
    return analysis.take(syn).index;
  };
  EXPECT_EQ(open(1, 1000), 0U);
  EXPECT_EQ(open(1, 2000), 1U) << "after a log";
  EXPECT_EQ(open(2, 1000), 2U);
  EXPECT_EQ(open(3, 1000), 3U);
  EXPECT_EQ(open(1, 3000), 4U) << "after a log that was packed";
  EXPECT_EQ(open(1, 3000), 4U) << "its SYN again";
  EXPECT_EQ(analysis.connection(1).flow.directions[0].sent.syns, Count(1));
  EXPECT_EQ(analysis.connection(4).flow.directions[0].sent.syns, Count(2));
}

TEST(CaptureAnalysis, FollowsAConnectionOfManyPacketsToItsEnd) {
  CaptureAnalysis analysis;
  analysis.keepLogs(1);
  PacketSample packet;
  packet.source = test::clientEnd();
  packet.destination = test::serverEnd();
  packet.flags = TcpFlags{0x02};
  // Each round finds logs that were packed, as long as the packets are few.
  for (std::uint32_t round = 0; round < 100; ++round) {
    packet.time = packet.time + std::chrono::milliseconds(1);
    packet.sequence = round;
    packet.payloadBytes = round == 0 ? 0 : 1;
    for (std::uint16_t port = 1; port <= 3; ++port) {
      packet.source.port = port;
      analysis.take(packet);
    }
    packet.flags = TcpFlags{0x10};
  }
  for (std::size_t index = 0; index < 3; ++index) {
    EXPECT_EQ(analysis.connection(index).flow.directions[0].sent.packets, Count(100));
    EXPECT_NE(analysis.flows().connections()[index], nullptr);
  }
}

TEST(CaptureAnalysis, LeavesOutAndCountsWhatItsMemoryHasNoSpaceFor) {
  constexpr std::size_t kLimit = 1U << 20;
  constexpr std::size_t kPerConnection = 32U << 10;
  CaptureAnalysis analysis;
  analysis.limitBytes(kLimit);
  for (std::uint16_t port = 1; port <= 5000; ++port) takeLossyConnection(analysis, port);
  EXPECT_TRUE(analysis.isFull());
  EXPECT_LT(analysis.residentBytes(), kLimit + kPerConnection);
  const std::size_t connections = analysis.connectionCount();
  EXPECT_GT(connections, kLimit / kPerConnection);
  EXPECT_LT(connections, 5000U);
  EXPECT_GE(analysis.packetsBeyondMemory(), 6 * (5000 - connections));
  EXPECT_LT(analysis.packetsBeyondMemory(), 6 * (5001 - connections));
  EXPECT_EQ(analysis.connection(0).flow.directions[0].sent.unique, Bytes(4000)) << "what came before stays";
  EXPECT_EQ(analysis.refusedPackets(), 0U);
}

TEST(CaptureAnalysis, WhatTheCaptureDroppedMakesEveryVerdictLessSure) {
  std::string drawn = std::string(test::kHandshake);
  // A sender that pauses for half a second after each segment.
  for (int turn = 0; turn < 8; ++turn) {
    drawn += fmt::format("{:.3f} > A {}:{} ack 1\n", 0.2 + 0.5 * turn, 1 + 1000 * turn, 1001 + 1000 * turn);
    drawn += fmt::format("{:.3f} < A 1:1 ack {}\n", 0.3 + 0.5 * turn, 1001 + 1000 * turn);
  }
  const test::DrawnExchange exchange(drawn);
  CaptureAnalysis analysis;
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  const Verdict before = analysis.connection(0).directions[0].diagnosis.verdict;
  ASSERT_GT(before.confidenceRatio, 0.0);
  analysis.noteDrops();
  const Verdict after = analysis.connection(0).directions[0].diagnosis.verdict;
  EXPECT_EQ(after.limit, before.limit);
  EXPECT_LT(after.confidenceRatio, 0.8);
  EXPECT_LT(after.confidenceRatio, before.confidenceRatio);
}

}  // namespace
}  // namespace tcpscope
