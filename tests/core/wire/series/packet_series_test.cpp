// What the graphs get of a drawn exchange: segments, acknowledgments, blocks, windows, causes.
#include "core/wire/series/packet_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/session/capture/capture_analysis.h"
#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using testing::ElementsAre;

std::unique_ptr<PacketSeries> seriesOf(const std::string& drawn) {
  const test::DrawnExchange exchange(drawn);
  CaptureAnalysis analysis;
  analysis.keepSeries();
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  return analysis.releaseSeries(0);
}

const std::string kOneLoss = std::string(test::kHandshake) + R"(
  0.200 > A 1:1001 ack 1
  0.210 > A 1001:2001 ack 1
  0.220 > A 2001:3001 ack 1
  0.300 < A 1:1 ack 1001
  0.320 < A 1:1 ack 1001 sack 2001-3001
  0.321 > A 1001:2001 ack 1
  0.421 < A 1:1 ack 3001
)";

std::vector<SegmentKind> kindsOf(const DirectionSeries& series) {
  std::vector<SegmentKind> kinds;
  for (std::size_t index = 0; index < series.segments().size(); ++index) kinds.push_back(series.segments()[index].kind);
  return kinds;
}

TEST(PacketSeries, KeepsEverySegmentWithItsPlaceInTheStream) {
  const auto series = seriesOf(kOneLoss);
  const DirectionSeries& sent = series->direction(0);
  EXPECT_THAT(kindsOf(sent), ElementsAre(SegmentKind::newData, SegmentKind::newData, SegmentKind::newData,
                                         SegmentKind::newData, SegmentKind::retransmission));
  EXPECT_EQ(sent.segments()[4].begin - sent.origin(), 1001U);
  EXPECT_EQ(sent.segments()[4].bytes, 1000U);
  EXPECT_EQ(sent.segments()[4].packet, 8U);
}

TEST(PacketSeries, KnowsWhatIsInFlightAfterEachPacket) {
  const auto series = seriesOf(kOneLoss);
  const DirectionSeries& sent = series->direction(0);
  EXPECT_EQ(sent.segments()[3].inFlightBytes, 3000U);
  const auto& acknowledgments = sent.acknowledgments();
  // The SACKed thousand is in flight no more.
  EXPECT_EQ(acknowledgments[acknowledgments.size() - 2].inFlightBytes, 1000U);
  EXPECT_EQ(acknowledgments.back().inFlightBytes, 0U);
}

TEST(PacketSeries, MarksRetransmissionsWithTheirFinalCause) {
  // The first of two repairs looks alone until the second comes.
  const auto series = seriesOf(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.201 > A 1001:2001 ack 1
    0.202 > A 2001:3001 ack 1
    0.203 > A 3001:4001 ack 1
    0.204 > A 4001:5001 ack 1
    0.300 < A 1:1 ack 1001
    0.302 < A 1:1 ack 1001 sack 2001-3001
    0.304 < A 1:1 ack 1001 sack 4001-5001 2001-3001
    0.305 > A 1001:2001 ack 1
    0.306 > A 3001:4001 ack 1
    0.405 < A 1:1 ack 5001
  )");
  std::vector<RetransmissionCause> causes;
  const DirectionSeries& sent = series->direction(0);
  for (std::size_t index = 0; index < sent.marks().size(); ++index) {
    if (sent.segments()[sent.marks()[index].index].kind == SegmentKind::retransmission)
      causes.push_back(sent.marks()[index].cause);
  }
  EXPECT_THAT(causes, ElementsAre(RetransmissionCause::recovery, RetransmissionCause::recovery));
}

TEST(PacketSeries, DrawsOfASackOnlyWhatIsNew) {
  const auto series = seriesOf(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.201 > A 1001:2001 ack 1
    0.202 > A 2001:3001 ack 1
    0.203 > A 3001:4001 ack 1
    0.302 < A 1:1 ack 1 sack 1001-2001
    0.303 < A 1:1 ack 1 sack 1001-3001
    0.304 < A 1:1 ack 1 sack 1001-4001
  )");
  const DirectionSeries& sent = series->direction(0);
  std::vector<std::pair<StreamOffset, StreamOffset>> blocks;
  for (std::size_t index = 0; index < sent.sacks().size(); ++index)
    blocks.emplace_back(sent.sacks()[index].begin - sent.origin(), sent.sacks()[index].end - sent.origin());
  using Block = std::pair<StreamOffset, StreamOffset>;
  EXPECT_THAT(blocks, ElementsAre(Block(1001, 2001), Block(2001, 3001), Block(3001, 4001)));
}

TEST(PacketSeries, MeasuresRttsAndScalesWindows) {
  const auto series = seriesOf(R"(
    0.000 > S 0:0 mss 1460 ws 7
    0.100 < SA 0:0 ack 1 mss 1460 ws 3
    0.100 > A 1:1 ack 1
    0.200 > A 1:1001 ack 1
    0.300 < A 1:1 ack 1001 win 500
  )");
  const DirectionSeries& sent = series->direction(0);
  EXPECT_NEAR(static_cast<double>(sent.acknowledgments().back().rttUs), 100'000.0, 1.0);
  EXPECT_EQ(sent.windowScale(), 3);
  EXPECT_EQ(sent.windowBytes(sent.acknowledgments().back().window), 4000U);
}

TEST(PacketSeries, NamesDuplicatesAndClosedWindowsAmongTheAcknowledgments) {
  const auto series = seriesOf(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.201 > A 1001:2001 ack 1
    0.300 < A 1:1 ack 1001
    0.301 < A 1:1 ack 1001
    0.302 < A 1:1 ack 2001 win 0
  )");
  const DirectionSeries& sent = series->direction(0);
  ASSERT_EQ(sent.oddAcknowledgments().size(), 2U);
  EXPECT_TRUE(sent.acknowledgments()[sent.oddAcknowledgments()[0]].isDuplicate);
  EXPECT_TRUE(sent.acknowledgments()[sent.oddAcknowledgments()[1]].isZeroWindow());
}

TEST(PacketSeries, HoldsTimesThatGoBackAtTheNewestBefore) {
  const auto series = seriesOf(std::string(test::kHandshake) + R"(
    0.200 > A 1:1001 ack 1
    0.150 > A 1001:2001 ack 1
  )");
  const auto& segments = series->direction(0).segments();
  EXPECT_EQ(segments[2].time, segments[1].time);
  EXPECT_EQ(firstFrom(segments, segments[1].time), 1U);
}

TEST(PacketSeries, KeepsNothingUnlessItIsAskedTo) {
  const test::DrawnExchange exchange(kOneLoss);
  CaptureAnalysis analysis;
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  EXPECT_EQ(analysis.releaseSeries(0), nullptr);
}

/// A long transfer in one direction, a segment and an acknowledgment a millisecond.
std::unique_ptr<PacketSeries> longTransfer(std::size_t segments) {
  test::DrawnExchange handshake(test::kHandshake);
  FlowTable& table = handshake.table();
  PacketSeries series;
  PacketSample data = handshake.samples()[2];
  PacketSample acknowledgment = handshake.samples()[1];
  data.flags.bits = acknowledgment.flags.bits = 0x10;
  data.options = acknowledgment.options = {};
  data.payloadBytes = 1000;
  const WallTime start = data.time;
  for (std::size_t number = 0; number < segments; ++number) {
    data.time = start + Milliseconds(static_cast<std::int64_t>(number));
    data.sequence = test::kClientInitial + 1 + static_cast<std::uint32_t>(number) * 1000;
    series.take(data, table.take(data));
    acknowledgment.time = data.time + Microseconds(500);
    acknowledgment.sequence = test::kServerInitial + 1;
    acknowledgment.acknowledgment = data.sequence + 1000;
    series.take(acknowledgment, table.take(acknowledgment));
  }
  return std::make_unique<PacketSeries>(std::move(series));
}

TEST(PacketSeries, TakesAtMost64BytesAPacketAndOneKibibyteAConnection) {
  for (const std::size_t segments : {std::size_t{1}, std::size_t{5}, std::size_t{100}, std::size_t{20'000}}) {
    const auto series = longTransfer(segments);
    EXPECT_LE(sizeof(PacketSeries) + series->residentBytes(), 1024 + 64 * 2 * segments) << segments;
  }
}

TEST(PacketSeries, KnowsTheBytesBeforeAnySegmentWithoutCountingAll) {
  const auto series = longTransfer(1000);
  const DirectionSeries& sent = series->direction(0);
  for (const std::size_t segment :
       {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{500}, std::size_t{1000}})
    EXPECT_EQ(sent.bytesBefore(segment).payload, segment * 1000) << segment;
}

TEST(PacketSeries, BlocksHoldTheExtremesOfTheirPoints) {
  const auto series = longTransfer(200);
  const DirectionSeries& sent = series->direction(0);
  ASSERT_EQ(sent.segmentBlocks().size(), 200 / kBlockPoints);
  for (std::size_t block = 0; block < sent.segmentBlocks().size(); ++block) {
    EXPECT_EQ(sent.segmentBlocks()[block].stream.smallest, sent.segments()[block * kBlockPoints].begin);
    EXPECT_EQ(sent.segmentBlocks()[block].stream.largest, sent.segments()[(block + 1) * kBlockPoints - 1].end());
  }
}

TEST(ChunkedSeries, GivesBackEveryPointWhereverItsChunkIs) {
  ChunkedSeries<std::uint32_t> series;
  for (std::uint32_t value = 0; value < 20'000; ++value) series.append(value);
  for (std::uint32_t value = 0; value < 20'000; ++value) ASSERT_EQ(series[value], value);
  std::uint32_t expected = 1'234;
  series.forEach(1'234, 15'000, [&](std::uint32_t value, std::size_t index) {
    ASSERT_EQ(value, expected);
    ASSERT_EQ(index, expected);
    ++expected;
  });
  EXPECT_EQ(expected, 15'000U);
}

TEST(PacketSeries, ACopyHasWhatIsNotOlderAndStandsOnTheSameAxis) {
  const auto series = seriesOf(kOneLoss);
  const DirectionSeries& sent = series->direction(0);
  // The repair, its acknowledgment, and the report of the hole before it.
  const PacketSeries copy = series->since(sent.sacks()[0].time);
  EXPECT_THAT(kindsOf(copy.direction(0)), ElementsAre(SegmentKind::retransmission));
  EXPECT_EQ(copy.direction(0).segments()[0].begin, sent.segments()[4].begin);
  EXPECT_EQ(copy.direction(0).origin(), sent.origin());
  EXPECT_EQ(copy.direction(0).acknowledgments().size(), 2U);
  EXPECT_EQ(copy.direction(0).sacks().size(), 1U);
  ASSERT_EQ(copy.direction(0).marks().size(), 1U);
  EXPECT_EQ(copy.direction(0).marks()[0].index, 0U);
  EXPECT_EQ(copy.direction(0).marks()[0].cause, sent.marks()[sent.marks().size() - 1].cause);
  EXPECT_EQ(copy.firstTime(), sent.sacks()[0].time);
  EXPECT_EQ(copy.lastTime(), series->lastTime());
}

TEST(PacketSeries, ACopyOfAllIsTheSame) {
  const auto series = seriesOf(kOneLoss);
  const PacketSeries copy = series->since(series->firstTime());
  for (const FlowSide side : {FlowSide{0}, FlowSide{1}}) {
    EXPECT_EQ(kindsOf(copy.direction(side)), kindsOf(series->direction(side)));
    EXPECT_EQ(copy.direction(side).acknowledgments().size(), series->direction(side).acknowledgments().size());
    EXPECT_EQ(copy.direction(side).windowScale(), series->direction(side).windowScale());
  }
}

}  // namespace
}  // namespace tcpscope
