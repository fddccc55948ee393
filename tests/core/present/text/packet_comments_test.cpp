// What is said beside the packets of a capture.
#include "core/present/text/packet_comments.h"

#include <gmock/gmock.h>

#include "core/session/capture/capture_analysis.h"
#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A transfer whose third segment is lost, and whose receiver closes its window for a moment.
std::map<std::uint64_t, std::string> commentsOf(const std::vector<std::string>& lines) {
  test::DrawnExchange exchange;
  for (const std::string& line : lines) exchange.add(line);
  CaptureAnalysis analysis;
  analysis.keepSeries();
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  CapturedPackets packets;
  packets.series = std::move(*analysis.releaseSeries(0));
  packets.analysis = analysis.connection(0);
  packets.initiator = analysis.flows().connections()[0]->initiator();
  return packetComments(packets);
}

const std::vector<std::string> kLossAndClosedWindow = {
    "0.00 > S 0:0 win 65535 mss 1000 sackOK ws 0",
    "0.10 < SA 0:0 ack 1 win 65535 mss 1000 sackOK ws 0",
    "0.10 > A 1:1 ack 1",
    "0.11 > A 1:1001 ack 1",
    "0.11 > A 1001:2001 ack 1",
    "0.11 > A 2001:3001 ack 1",
    "0.11 > A 3001:4001 ack 1",
    "0.21 < A 1:1 ack 1001 win 65535",
    "0.21 < A 1:1 ack 1001 win 65535 sack 2001:3001",
    "0.21 < A 1:1 ack 1001 win 65535 sack 2001:4001",
    "0.60 > A 1001:2001 ack 1",
    "0.70 < A 1:1 ack 4001 win 0",
    "1.70 < A 1:1 ack 4001 win 65535",
};

TEST(PacketComments, SayWhatAPacketIsThatIsMoreThanNewData) {
  const auto comments = commentsOf(kLossAndClosedWindow);
  ASSERT_TRUE(comments.contains(10));
  EXPECT_THAT(comments.at(10), StartsWith("Retransmission: "));
  EXPECT_EQ(comments.at(11), "Closes the receive window");
  EXPECT_EQ(comments.at(12), "Opens the receive window again");
  EXPECT_FALSE(comments.contains(4)) << "new data needs no comment";
  EXPECT_EQ(comments.size(), 4U);
}

TEST(PacketComments, BeginWithTheVerdict) {
  const auto comments = commentsOf(kLossAndClosedWindow);
  EXPECT_EQ(comments.begin()->first, 0U);
  EXPECT_FALSE(comments.begin()->second.empty());
}

}  // namespace
}  // namespace tcpscope
