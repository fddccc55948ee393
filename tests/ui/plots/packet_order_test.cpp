// Rows and steps over the packets of a direction.
#include "ui/plots/packet_order.h"

#include <gtest/gtest.h>

#include "tests/ui/support/captured_drawing.h"

namespace tcpscope {
namespace {

/// Numbers of all packets in the graph, ascending.
std::vector<std::uint32_t> numbersOf(const DirectionSeries& series) {
  std::vector<std::uint32_t> numbers;
  series.segments().forEach(0, series.segments().size(),
                            [&](const SegmentPoint& point, std::size_t) { numbers.push_back(point.packet); });
  series.acknowledgments().forEach(
      0, series.acknowledgments().size(),
      [&](const AcknowledgmentPoint& point, std::size_t) { numbers.push_back(point.packet); });
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(PacketOrder, HasEveryPacketOnceInTheOrderOfTheCapture) {
  const auto packets = test::capturedPackets(test::drawnTransfer(300, 20));
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
    const DirectionSeries& series = packets->sent(direction);
    const std::vector<std::uint32_t> numbers = numbersOf(series);
    const PacketOrder order(series);
    ASSERT_EQ(order.size(), numbers.size());
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      EXPECT_EQ(order.numberAt(row), numbers[row]) << row;
      EXPECT_EQ(order.rowOf(numbers[row]), row);
    }
  }
}

TEST(PacketOrder, StepsThroughTheRetransmissionsBothWays) {
  const auto packets = test::capturedPackets(test::drawnTransfer(300, 20));
  const DirectionSeries& series = packets->sent(0);
  std::vector<std::uint32_t> forward;
  for (auto next = nextOf(series, retransmissionItems(), 0); next; next = nextOf(series, retransmissionItems(), *next))
    forward.push_back(*next);
  EXPECT_EQ(forward.size(), 15U);
  EXPECT_EQ(forward, packetsOf(series, retransmissionItems(), 1000));
  EXPECT_EQ(packetsOf(series, retransmissionItems(), 3).size(), 3U);
  std::vector<std::uint32_t> backward;
  for (auto at = previousOf(series, retransmissionItems(), 1'000'000); at;
       at = previousOf(series, retransmissionItems(), *at))
    backward.push_back(*at);
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(backward, forward);
}

TEST(PacketOrder, MixesSymbolsOfSegmentsAndOfAcknowledgments) {
  const auto packets = test::capturedPackets(test::drawnTransfer(300, 20));
  const DirectionSeries& series = packets->sent(0);
  const std::array both = {GraphItem::fast, GraphItem::recovery, GraphItem::timeout, GraphItem::duplicateAck};
  const auto numbers = packetsOf(series, both, 100'000);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_GT(numbers.size(), 15U);
  std::vector<std::uint32_t> forward;
  for (auto next = nextOf(series, both, 0); next; next = nextOf(series, both, *next)) forward.push_back(*next);
  EXPECT_EQ(forward, numbers);
  for (std::size_t at = 1; at < numbers.size(); ++at) EXPECT_EQ(previousOf(series, both, numbers[at]), numbers[at - 1]);
}

TEST(PacketOrder, FindsTheNearestToAMoment) {
  const auto packets = test::capturedPackets(test::drawnTransfer(300, 20));
  const DirectionSeries& series = packets->sent(0);
  const auto numbers = packetsOf(series, retransmissionItems(), 100);
  series.segments().forEach(0, series.segments().size(), [&](const SegmentPoint& point, std::size_t) {
    if (point.packet != numbers[3]) return;
    EXPECT_EQ(nearestOf(series, retransmissionItems(), point.time), numbers[3]);
    EXPECT_EQ(nearestOf(series, retransmissionItems(), point.time + Milliseconds(1)), numbers[3]);
    EXPECT_EQ(nearestOf(series, retransmissionItems(), point.time - Milliseconds(1)), numbers[3]);
  });
  EXPECT_EQ(nearestOf(series, retransmissionItems(), series.segments()[0].time), numbers.front());
  EXPECT_EQ(nearestOf(packets->sent(1), retransmissionItems(), series.segments()[0].time), std::nullopt);
}

}  // namespace
}  // namespace tcpscope
