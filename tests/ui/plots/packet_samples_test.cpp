#include "ui/plots/packet_samples.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ui/support/captured_drawing.h"
#include "ui/plots/packet_lines.h"

namespace tcpscope {
namespace {

/// 1000 bytes a millisecond over a path of 20 ms, none of them lost.
class PacketSamplesTest : public testing::Test {
protected:
  [[nodiscard]] const CapturedPackets& packets() const { return *m_packets; }
  [[nodiscard]] PacketSamples ofSender() const { return {packets(), packets().analysis.flow.initiator}; }
  [[nodiscard]] TimeSpan whole() const { return {packets().series.firstTime(), packets().series.lastTime()}; }
  /// Long behind the handshake, and before the last packets.
  [[nodiscard]] Moment middle() const { return packets().series.firstTime() + Milliseconds(500); }

  std::shared_ptr<const CapturedPackets> m_packets = test::capturedPackets(test::drawnTransfer(1000, 0));
};

constexpr Milliseconds kAveraged{50};

TEST_F(PacketSamplesTest, ReadsWhatIsInFlightAtAMoment) {
  const auto flight = ofSender().valueAt(PacketTrace::inFlight, middle(), kAveraged);
  ASSERT_TRUE(flight);
  EXPECT_NEAR(*flight, 20'000.0, 1'000.0);
}

TEST_F(PacketSamplesTest, ReadsTheRatesOverTheirAverage) {
  for (const PacketTrace rate : {PacketTrace::throughput, PacketTrace::goodput}) {
    const auto value = ofSender().valueAt(rate, middle(), kAveraged);
    ASSERT_TRUE(value);
    EXPECT_NEAR(*value, 8e6, 0.2e6);
  }
  EXPECT_EQ(ofSender().valueAt(PacketTrace::receiveGoodput, middle(), kAveraged), 0.0);
}

TEST_F(PacketSamplesTest, ARateIsReadAsItIsDrawnAndNeverFromHalfASpan) {
  const PacketSamples samples = ofSender();
  // Data flows from the handshake's end to the last packets.
  const TimeSpan steady{whole().from + Milliseconds(100), whole().to - Milliseconds(100)};
  const TimeSpan screen{whole().from - std::chrono::seconds(8), whole().to};
  const Nanoseconds averaged = rateSpan(screen);
  std::size_t known = 0;
  for (Moment at = steady.from; at < steady.to; at = at + Milliseconds(7)) {
    const auto value = samples.valueAt(PacketTrace::goodput, at, averaged);
    if (!value) continue;
    ++known;
    EXPECT_NEAR(*value, 8e6, 0.8e6) << toSeconds(at - whole().from);
  }
  EXPECT_GT(known, 50U);
  EXPECT_FALSE(samples.valueAt(PacketTrace::goodput, whole().to, averaged)) << "the last span is not over";
  const TraceSamples drawn = samples.onScreen(PacketTrace::goodput, {steady.from, steady.to}, 500);
  ASSERT_GT(drawn.points.size(), 50U);
  for (const TraceSamples::Point& point : drawn.points) {
    const auto read = samples.valueAt(PacketTrace::goodput, point.time, rateSpan(steady));
    ASSERT_TRUE(read) << toSeconds(point.time - whole().from);
    EXPECT_NEAR(*read, point.last, 0.1e6);
  }
}

TEST_F(PacketSamplesTest, WhatOneEndSendsTheOtherReceives) {
  const Endpoint& server = packets().analysis.flow.responder;
  const PacketSamples ofReceiver(packets(), server);
  EXPECT_EQ(ofReceiver.valueAt(PacketTrace::receiveGoodput, middle(), kAveraged),
            ofSender().valueAt(PacketTrace::goodput, middle(), kAveraged));
  EXPECT_EQ(ofReceiver.valueAt(PacketTrace::receivedSequence, middle(), kAveraged),
            ofSender().valueAt(PacketTrace::sequence, middle(), kAveraged));
  EXPECT_EQ(ofReceiver.valueAt(PacketTrace::ownWindow, middle(), kAveraged),
            ofSender().valueAt(PacketTrace::peerWindow, middle(), kAveraged));
}

TEST_F(PacketSamplesTest, SequenceAndAcknowledgmentAreApartByWhatIsInFlight) {
  const PacketSamples samples = ofSender();
  const auto sent = samples.valueAt(PacketTrace::sequence, middle(), kAveraged);
  const auto acknowledged = samples.valueAt(PacketTrace::acknowledged, middle(), kAveraged);
  ASSERT_TRUE(sent && acknowledged);
  EXPECT_NEAR(*sent - *acknowledged, 20'000.0, 1'000.0);
}

TEST_F(PacketSamplesTest, NothingIsKnownBeforeTheFirstAndBehindTheLastPacket) {
  const PacketSamples samples = ofSender();
  const Nanoseconds apart = std::chrono::seconds(5);
  for (const PacketTraceRow& row : packetTraces()) {
    EXPECT_FALSE(samples.valueAt(row.trace, whole().from - apart, kAveraged)) << row.key;
    EXPECT_FALSE(samples.valueAt(row.trace, whole().to + apart, kAveraged)) << row.key;
    EXPECT_FALSE(samples.summarize(row.trace, {whole().from - apart * 2, whole().from - apart})) << row.key;
    EXPECT_TRUE(samples.onScreen(row.trace, {whole().from - apart * 2, whole().from - apart}, 500).points.empty())
        << row.key;
    const TraceSamples around = samples.onScreen(row.trace, {whole().from - apart, whole().to + apart}, 500);
    for (const TraceSamples::Point& point : around.points) {
      EXPECT_GE(point.time, whole().from - apart / 100) << row.key;
      EXPECT_LE(point.time, whole().to) << row.key;
    }
  }
}

TEST_F(PacketSamplesTest, APictureOfFewColumnsHasTheSameExtremes) {
  const PacketSamples samples = ofSender();
  for (const PacketTrace trace : {PacketTrace::sequence, PacketTrace::acknowledged, PacketTrace::inFlight,
                                  PacketTrace::peerWindow, PacketTrace::rtt}) {
    const auto exact = samples.summarize(trace, whole());
    ASSERT_TRUE(exact) << packetTraceRow(trace).key;
    for (const std::size_t columns : {20U, 700U, 5000U}) {
      const TraceSamples drawn = samples.onScreen(trace, whole(), columns);
      EXPECT_LE(drawn.points.size(), columns + 3);
      EXPECT_EQ(drawn.largest, exact->largest) << packetTraceRow(trace).key << columns;
      EXPECT_EQ(drawn.smallest, exact->smallest) << packetTraceRow(trace).key << columns;
    }
  }
}

TEST_F(PacketSamplesTest, AValueHoldsUntilTheNextPacket) {
  // Packets are a millisecond apart, columns a tenth of that.
  const TraceSamples drawn = ofSender().onScreen(PacketTrace::sequence, {middle(), middle() + Milliseconds(10)}, 100);
  for (std::size_t index = 1; index < drawn.points.size(); ++index) {
    const TraceSamples::Point& point = drawn.points[index];
    const TraceSamples::Point& before = drawn.points[index - 1];
    EXPECT_TRUE(point.last == before.last || point.time - before.time <= std::chrono::microseconds(100)) << index;
  }
}

TEST_F(PacketSamplesTest, WithoutTheScaleTheWindowIsUnknown) {
  auto withoutHandshake = test::drawnTransfer(100, 0);
  withoutHandshake.erase(withoutHandshake.begin(), withoutHandshake.begin() + 3);
  m_packets = test::capturedPackets(withoutHandshake);
  EXPECT_FALSE(ofSender().summarize(PacketTrace::peerWindow, whole()));
  EXPECT_TRUE(std::isnan(ofSender().onScreen(PacketTrace::peerWindow, whole(), 100).largest));
}

TEST_F(PacketSamplesTest, BetweenTheCursorsTheSequenceNumberHasTheSlopeOfTheRate) {
  CursorPair cursors;
  cursors.place(Cursor::a, middle());
  cursors.place(Cursor::b, middle() + Milliseconds(200));
  const CursorReading reading = ofSender().read(PacketTrace::sequence, cursors, kAveraged);
  ASSERT_TRUE(reading.measured.slopePerSecond);
  EXPECT_NEAR(*reading.measured.slopePerSecond, 1e6, 1e4);
  EXPECT_EQ(reading.difference, 200'000.0);
  ASSERT_TRUE(reading.inSpan);
  EXPECT_EQ(reading.inSpan->count, 201U);
}

TEST(TraceSource, EveryKeyNamesOneSource) {
  for (const PacketTraceRow& row : packetTraces()) {
    EXPECT_EQ(&packetTraceRow(row.trace), &row);
    EXPECT_EQ(findTraceSource(row.key), TraceSource(row.trace));
    EXPECT_EQ(findMetric(row.key), nullptr);
    EXPECT_TRUE(row.title.ends_with("(packets)"));
  }
  EXPECT_EQ(findTraceSource("rtt_us"), TraceSource(Metric::rtt));
  EXPECT_FALSE(findTraceSource("no_such_trace"));
}

}  // namespace
}  // namespace tcpscope
