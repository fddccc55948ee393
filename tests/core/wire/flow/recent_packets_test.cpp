// Packets that a capture shows twice: copies, retransmissions, and undecidable cases.
#include "core/wire/flow/recent_packets.h"

#include <gtest/gtest.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using test::DrawnExchange;

/// Each packet twice, as on two interfaces of a host that forwards it; some pass them in bunches.
const char* const kSeenTwice = R"(
  0.00000 > S 0:0 mss 1000 sackOK id 1 ttl 64
  0.00001 > S 0:0 mss 1000 sackOK id 1 ttl 63
  0.10000 < SA 0:0 ack 1 mss 1000 sackOK ttl 64
  0.10001 < SA 0:0 ack 1 mss 1000 sackOK ttl 63
  0.10010 > A 1:1 ack 1 id 2 ttl 64
  0.10011 > A 1:1 ack 1 id 2 ttl 63
  0.20000 > A 1:1001 ack 1 id 3 ttl 64
  0.20001 > A 1001:2001 ack 1 id 4 ttl 64
  0.20002 > A 2001:3001 ack 1 id 5 ttl 64
  0.20003 > A 1:1001 ack 1 id 3 ttl 63
  0.20004 > A 1001:2001 ack 1 id 4 ttl 63
  0.20005 > A 2001:3001 ack 1 id 5 ttl 63
  0.30000 < A 1:1 ack 1 id 7 sack 1001-2001
  0.30001 < A 1:1 ack 1 id 8 sack 1001-3001
  0.30002 < A 1:1 ack 1 id 7 sack 1001-2001
  0.30003 < A 1:1 ack 1 id 8 sack 1001-3001
  0.30100 > A 1:1001 ack 1 id 6 ttl 64
  0.30101 > A 1:1001 ack 1 id 6 ttl 63
  0.40000 < A 1:1 ack 3001 id 9
  0.40001 < A 1:1 ack 3001 id 9
)";

TEST(RecentPackets, LeaveCopiesOutOfEverything) {
  const DrawnExchange exchange(kSeenTwice);
  const DirectionSummary client = exchange.client();
  EXPECT_EQ(client.copies, Count(6));
  EXPECT_EQ(client.undecidedCopies, Count(0));
  EXPECT_EQ(client.sent.packets, Count(6));
  EXPECT_EQ(client.sent.payload, Bytes(4000));
  EXPECT_EQ(client.sent.syns, Count(1));
  EXPECT_EQ(client.sent.retransmittedPackets, Count(1));
  EXPECT_EQ(client.retransmissions.size(), 1U);
  EXPECT_EQ(exchange.server().copies, Count(4));
  EXPECT_EQ(exchange.server().received.duplicateAcks, Count(1));
  EXPECT_EQ(exchange.connectionCount(), 1U);
}

TEST(RecentPackets, KnowARetransmissionByItsIdentification) {
  const DrawnExchange exchange(R"(
    0.1000 > A 1:1001 ack 1 id 2
    0.1000 > A 1:1001 ack 1 id 2
    0.2000 > A 1001:2001 ack 1 id 3
    0.2001 > A 1001:2001 ack 1 id 4
  )");
  EXPECT_EQ(exchange.client().copies, Count(1));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(RecentPackets, TakeTheSameIdentificationAfterATimeoutForARetransmission) {
  const DrawnExchange exchange(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1 id 7 ttl 64
    0.210 > A 1:1001 ack 1 id 7 ttl 64
    0.510 > A 1:1001 ack 1 id 7 ttl 64
    0.900 > A 1:1001 ack 1 id 7 ttl 63
  )");
  // The last one waited for long, and at another place.
  EXPECT_EQ(exchange.client().copies, Count(2));
  EXPECT_EQ(exchange.client().undecidedCopies, Count(0));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(RecentPackets, KnowNothingByAnIdentificationThatAllPacketsHave) {
  const DrawnExchange exchange(R"(
    0.0 > A 1:1001 ack 1 id 3
    0.0 > A 1001:2001 ack 1 id 3
    0.3 > A 1:1001 ack 1 id 3
  )");
  EXPECT_EQ(exchange.client().copies, Count(0));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(RecentPackets, KnowACopyWithoutIdentificationByHowSoonItComes) {
  // The RTT is 100 ms: a packet within 50 ms cannot be a response to anything.
  const DrawnExchange exchange(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.201 > A 1:1001 ack 1
    0.301 > A 1:1001 ack 1
  )");
  EXPECT_EQ(exchange.client().copies, Count(1));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(RecentPackets, CountUndecidablePackets) {
  // Neither identification nor RTT.
  const DrawnExchange exchange(R"(
    0.000 > A 1:1001 ack 1
    0.050 > A 1:1001 ack 1
  )");
  EXPECT_EQ(exchange.client().copies, Count(0));
  EXPECT_EQ(exchange.client().undecidedCopies, Count(1));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(RecentPackets, TakeAcknowledgmentsWithoutNewsForWhatTheyAre) {
  // The same words from the same place: three segments came, or one acknowledgment was seen three times. From places a
  // hop apart it is one.
  const DrawnExchange same(R"(
    0.0000 > A 1:1001 ack 1
    0.0000 > A 1:1001 ack 1
    0.0000 > A 1001:2001 ack 1
    0.0100 < A 1:1 ack 1
    0.0101 < A 1:1 ack 1
  )");
  EXPECT_EQ(same.server().copies, Count(0));
  EXPECT_EQ(same.server().undecidedCopies, Count(1));
  EXPECT_EQ(same.server().received.duplicateAcks, Count(1));
  const DrawnExchange apart(R"(
    0.0000 > A 1:1001 ack 1
    0.0000 > A 1:1001 ack 1
    0.0000 > A 1001:2001 ack 1
    0.0100 < A 1:1 ack 1 ttl 64
    0.0101 < A 1:1 ack 1 ttl 63
  )");
  EXPECT_EQ(apart.server().copies, Count(1));
  EXPECT_EQ(apart.server().received.duplicateAcks, Count(0));
}

TEST(RecentPackets, DistinguishPacketsByTimestamps) {
  const DrawnExchange exchange(R"(
    0.0000 > A 1:1001 ack 1 ts 10/1
    0.0002 > A 1:1001 ack 1 ts 11/1
    0.0003 > A 1:1001 ack 1 ts 11/1
  )");
  EXPECT_EQ(exchange.client().copies, Count(1));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(RecentPackets, AreKeptAgainWhereACopyShowsUpLate) {
  DrawnExchange exchange(test::kHandshake);
  constexpr std::uint32_t kLast = 6000;
  for (std::uint32_t begin = 1; begin < kLast; ++begin) {
    exchange.add("1.0 > A " + std::to_string(begin) + ":" + std::to_string(begin + 1) + " ack 1 ts 10/1");
  }
  exchange.add(R"(
    1.1 > A 6000:6500 ack 1 ts 11/1 id 1
    1.1 > A 6000:6500 ack 1 ts 11/1 id 1
    1.1 > A 6500:7000 ack 1 ts 11/1 id 2
    1.1 > A 6500:7000 ack 1 ts 11/1 id 2
    1.1 > A 6500:7000 ack 1 ts 11/1 id 3
  )");
  EXPECT_EQ(exchange.client().copies, Count(2));
  EXPECT_EQ(exchange.client().sent.retransmittedPackets, Count(1));
}

TEST(RecentPackets, KeepNoCopyForAnotherConnection) {
  DrawnExchange exchange("0.0 > S 0:0 id 7\n 0.0 > S 0:0 id 7\n 0.1 > R 1:1 id 8\n 0.1 > R 1:1 id 8");
  EXPECT_EQ(exchange.client().copies, Count(2));
  exchange.add("0.2 > S 5000:5000 id 7\n 0.20001 > S 5000:5000 id 7");
  EXPECT_EQ(exchange.connectionCount(), 2U);
  EXPECT_EQ(exchange.client().copies, Count(1));
}

}  // namespace
}  // namespace tcpscope
