// What is written of packets comes back as it was, whatever the numbers.
#include "core/session/capture/packet_log.h"

#include <gtest/gtest.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

std::vector<std::byte> bytesOf(std::span<const std::byte> options) {
  return {options.begin(), options.end()};
}

void expectSame(const PacketSample& read, const PacketSample& written) {
  EXPECT_EQ(read.time, written.time);
  EXPECT_EQ(read.source, written.source);
  EXPECT_EQ(read.destination, written.destination);
  EXPECT_EQ(read.sequence, written.sequence);
  EXPECT_EQ(read.acknowledgment, written.acknowledgment);
  EXPECT_EQ(read.payloadBytes, written.payloadBytes);
  EXPECT_EQ(read.window, written.window);
  EXPECT_EQ(read.flags.bits, written.flags.bits);
  EXPECT_EQ(read.ecn, written.ecn);
  EXPECT_EQ(read.number, written.number);
  EXPECT_EQ(read.optionsAreCut, written.optionsAreCut);
  EXPECT_EQ(read.identification, written.identification);
  EXPECT_EQ(read.isFirstFragment, written.isFirstFragment);
  EXPECT_EQ(bytesOf(read.options), bytesOf(written.options));
}

/// The client's packets are those of side 0.
FlowSide sideOf(const PacketSample& packet) {
  return packet.source == test::clientEnd() ? 0 : 1;
}

const std::array<Endpoint, 2> kEnds{test::clientEnd(), test::serverEnd()};

void expectToComeBack(const std::vector<PacketSample>& packets) {
  PacketLog log(kEnds);
  for (const PacketSample& packet : packets) log.add(packet, sideOf(packet), LoggedKind::packet);
  LoggedPackets written(log.bytes(), log.ends());
  for (const PacketSample& packet : packets) {
    ASSERT_TRUE(written.next());
    EXPECT_EQ(written.kind(), LoggedKind::packet);
    EXPECT_EQ(written.side(), sideOf(packet));
    expectSame(written.packet(), packet);
  }
  EXPECT_FALSE(written.next());
}

const char* const kRequestAndResponse = R"(
  0.000 > S 0:0 mss 1460 sackOK ts 10/0 ws 7
  0.100 < SA 0:0 ack 1 mss 1460 sackOK ts 900/10 ws 7
  0.100 > A 1:1 ack 1 win 500 ts 110/900
  0.101 > PA 1:301 ack 1 win 500 id 7 ts 111/900
  0.203 < A 1:1449 ack 301 win 510 id 9 ts 1003/111
  0.203 < A 1449:2897 ack 301 win 510 id 10 ts 1003/111
  0.304 > A 301:301 ack 1449 win 490 id 8 ts 314/1003 sack 2897-4345
  0.400 < FA 2897:2897 ack 301 win 510 id 11 ts 1200/314
)";

TEST(PacketLog, GivesPacketsBackAsTheyWere) {
  const test::DrawnExchange exchange(kRequestAndResponse);
  expectToComeBack(exchange.samples());
}

TEST(PacketLog, GivesBackWhateverNumbersThereAre) {
  const test::DrawnExchange exchange(kRequestAndResponse);
  std::vector<PacketSample> packets = exchange.samples();
  packets[1].time = WallTime::fromNanoseconds(INT64_MIN);
  packets[2].time = WallTime::fromNanoseconds(INT64_MAX);
  packets[2].number = UINT64_MAX;
  packets[3].number = 0;
  packets[3].sequence = 0;
  packets[3].acknowledgment = UINT32_MAX;
  packets[4].payloadBytes = UINT32_MAX;
  packets[4].window = UINT16_MAX;
  packets[5].window = 0;
  packets[5].identification = UINT16_MAX;
  packets[5].ecn = EcnCodepoint::congestionExperienced;
  packets[6].isFirstFragment = true;
  packets[6].optionsAreCut = true;
  packets[7].flags.bits = 0xFF;
  expectToComeBack(packets);
}

TEST(PacketLog, TakesSomeTwentyBytesAPacket) {
  PacketLog log(kEnds);
  const test::DrawnExchange exchange(kRequestAndResponse);
  const auto packets = exchange.samples();
  for (const PacketSample& packet : packets) log.add(packet, sideOf(packet), LoggedKind::packet);
  // Options of SYNs and SACK blocks stand there whole.
  EXPECT_LT(log.bytes().size(), packets.size() * 26);
}

TEST(PacketLog, GoesOnWhereItEnded) {
  const test::DrawnExchange exchange(kRequestAndResponse);
  const auto packets = exchange.samples();
  PacketLog first(kEnds);
  for (std::size_t index = 0; index < 4; ++index) first.add(packets[index], sideOf(packets[index]), LoggedKind::packet);
  PacketLog second(kEnds, first.bytes());
  second.note(LoggedKind::vainWait, 1);
  for (std::size_t index = 4; index < packets.size(); ++index) {
    second.add(packets[index], sideOf(packets[index]), LoggedKind::undecidedCopy);
  }
  LoggedPackets written(second.bytes(), kEnds);
  for (std::size_t index = 0; index < packets.size(); ++index) {
    ASSERT_TRUE(written.next());
    if (index == 4) {
      EXPECT_EQ(written.kind(), LoggedKind::vainWait);
      EXPECT_EQ(written.side(), 1U);
      ASSERT_TRUE(written.next());
    }
    EXPECT_EQ(written.kind(), index < 4 ? LoggedKind::packet : LoggedKind::undecidedCopy);
    expectSame(written.packet(), packets[index]);
  }
}

TEST(PacketLog, IsFullBeforeItsSpaceEnds) {
  PacketLog log(kEnds);
  std::vector<PacketSample> packets = test::DrawnExchange(kRequestAndResponse).samples();
  std::array<std::byte, 60> options{};
  std::size_t count = 0;
  // As large as an entry ever is.
  for (; !log.isFull(); ++count) {
    PacketSample& packet = packets[count % 2];
    packet.time = WallTime::fromNanoseconds(count % 2 == 0 ? INT64_MIN : INT64_MAX);
    packet.number = count % 2 == 0 ? 0 : UINT64_MAX / 2;
    packet.payloadBytes = UINT32_MAX;
    packet.options = options;
    log.add(packet, sideOf(packet), LoggedKind::packet);
  }
  EXPECT_GE(count, 10U);
  EXPECT_LE(log.bytes().size() + sizeof log, PacketLog::residentBytes());
}

/// Do all of the drawn packets carry on from one another?
bool carryOn(const std::string& drawn) {
  PacketLog log(kEnds);
  const test::DrawnExchange exchange(drawn);
  for (const PacketSample& packet : exchange.samples()) {
    if (!log.carriesOn(packet, sideOf(packet))) return false;
    log.add(packet, sideOf(packet), LoggedKind::packet);
  }
  return true;
}

TEST(PacketLog, PacketsCarryOnFromOneAnother) {
  const std::string handshake = test::kHandshake;
  EXPECT_TRUE(carryOn(handshake));
  EXPECT_TRUE(carryOn(handshake + R"(
    0.200 > PA 1:101 ack 1
    0.300 < A 1:1 ack 101
    0.301 < A 1:1001 ack 101
    0.302 < PA 1001:1501 ack 101
    0.303 > A 101:101 ack 1501
    0.310 < FA 1501:1501 ack 101
    0.311 > FA 101:101 ack 1502
    0.400 < A 1502:1502 ack 102
  )"));
}

TEST(PacketLog, WhatMayBeAnythingElseDoesNotCarryOn) {
  const std::string request = std::string(test::kHandshake) + "0.200 > A 1:101 ack 1\n";
  EXPECT_TRUE(carryOn(request));
  EXPECT_FALSE(carryOn(request + "0.300 > A 1:101 ack 1\n")) << "a retransmission or a copy";
  EXPECT_FALSE(carryOn(request + "0.300 > A 201:301 ack 1\n")) << "a gap before it";
  EXPECT_FALSE(carryOn(request + "0.300 > A 100:100 ack 1\n")) << "a keep-alive";
  EXPECT_FALSE(carryOn(request + "0.300 < A 1:1 ack 201\n")) << "acknowledges what was not sent";
  EXPECT_FALSE(carryOn(request + "0.300 > A 101:101 ack 1\n")) << "acknowledges nothing new";
  EXPECT_FALSE(carryOn(request + "0.300 > R 101:101\n"));
  EXPECT_FALSE(carryOn(request + "0.300 > S 500:500\n")) << "another connection";
  EXPECT_FALSE(carryOn("0.000 > A 1:101 ack 1\n")) << "a connection whose beginning is missing";
  EXPECT_FALSE(carryOn("0.000 > S 0:0\n0.100 < SA 0:0 ack 2\n")) << "the answer to another SYN";
}

}  // namespace
}  // namespace tcpscope
