#include "core/wire/capacity/dispersion.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr double kSegmentBytes = 1448.0;

/// A sender puts a window of segments on a path once per RTT, all at once; a link of a certain rate passes them one
/// after the other.
class WindowedTransfer {
public:
  WindowedTransfer(double capacityBps, Nanoseconds rtt, std::uint64_t segments)
      : m_segmentSeconds(kSegmentBytes * kBitsPerByte / capacityBps), m_rtt(rtt), m_segments(segments) {}

  /// Before each segment, packets of others with this probability.
  WindowedTransfer& between(double others) { return m_others = others, *this; }
  /// The capture sees packets at multiples of this time only.
  WindowedTransfer& seenEvery(Nanoseconds tick) { return m_tick = tick, *this; }
  /// The sender spreads its window over the RTT instead.
  WindowedTransfer& paced() { return m_isPaced = true, *this; }

  /// As the receiver sees the data.
  [[nodiscard]] ArrivalLog data(int rounds) { return log(rounds, 1); }
  /// As the sender sees the acknowledgments, one for two segments.
  [[nodiscard]] ArrivalLog acknowledgments(int rounds) { return log(rounds, 2); }

private:
  [[nodiscard]] ArrivalLog log(int rounds, std::uint64_t segmentsEach) {
    ArrivalLog log;
    std::bernoulli_distribution isBehindOthers(m_others);
    double free = 0.0;
    for (int round = 0; round < rounds; ++round) {
      const double begin = toSeconds(m_rtt) * round;
      for (std::uint64_t segment = 0; segment < m_segments && !log.isFull(); ++segment) {
        const double sent =
            begin +
            (m_isPaced ? toSeconds(m_rtt) * static_cast<double>(segment) / static_cast<double>(m_segments) : 0.0);
        free = std::max(free, sent) + m_segmentSeconds;
        while (isBehindOthers(m_lots)) free += m_segmentSeconds;
        if ((segment + 1) % segmentsEach == 0) log.take(seen(free), seen(sent), segmentsEach * 1448);
      }
    }
    return log;
  }
  [[nodiscard]] WallTime seen(double seconds) const {
    const auto exact = static_cast<std::int64_t>(seconds * 1e9);
    const std::int64_t tick = std::max<std::int64_t>(m_tick.count(), 1);
    return WallTime::fromNanoseconds(exact / tick * tick);
  }

  double m_segmentSeconds;
  Nanoseconds m_rtt;
  std::uint64_t m_segments;
  double m_others = 0.0;
  Nanoseconds m_tick{1};
  bool m_isPaced = false;
  std::mt19937_64 m_lots{7};
};

void expectAbout(const std::optional<CapacityEstimate>& found, double capacityBps, double tolerance) {
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->rate.value() / capacityBps, 1.0, tolerance);
  EXPECT_LE(found->low.value(), capacityBps);
  EXPECT_GE(found->high.value(), capacityBps);
}

TEST(Dispersion, OfAcknowledgmentsGivesTheNarrowestLink) {
  WindowedTransfer transfer(100e6, 40ms, 44);
  expectAbout(capacityFromAcknowledgments(transfer.acknowledgments(20).arrivals()), 100e6, 0.02);
}

TEST(Dispersion, OfDataGivesTheNarrowestLink) {
  WindowedTransfer transfer(20e6, 40ms, 20);
  expectAbout(capacityFromData(transfer.data(30).arrivals()), 20e6, 0.02);
}

TEST(Dispersion, IsFoundBetweenThePacketsOfOthers) {
  WindowedTransfer transfer(50e6, 60ms, 40);
  transfer.between(0.3);
  expectAbout(capacityFromAcknowledgments(transfer.acknowledgments(30).arrivals()), 50e6, 0.1);
  expectAbout(capacityFromData(transfer.data(30).arrivals()), 50e6, 0.1);
}

TEST(Dispersion, OfLongTrainsIsTakenWhereAnAdapterPassesPacketsTogether) {
  WindowedTransfer transfer(300e6, 20ms, 128);
  transfer.seenEvery(50us);
  expectAbout(capacityFromData(transfer.data(16).arrivals()), 300e6, 0.1);
  expectAbout(capacityFromAcknowledgments(transfer.acknowledgments(30).arrivals()), 300e6, 0.1);
}

TEST(Dispersion, IsUnknownWhereTheSenderSpreadsItsPackets) {
  WindowedTransfer transfer(100e6, 40ms, 44);
  transfer.paced();
  EXPECT_FALSE(capacityFromAcknowledgments(transfer.acknowledgments(40).arrivals()));
  EXPECT_FALSE(capacityFromData(transfer.data(40).arrivals()));
}

/// Acknowledgments of two segments each, four segments per RTT over 5.5 Mbit/s, each of which lets the next two go: the
/// spacing is that of the round before.
ArrivalLog clockedWindow(std::uint64_t bytesEach) {
  constexpr double kRtt = 0.035;
  constexpr double kSpacing = 2.0 * kSegmentBytes * kBitsPerByte / 5.3e6;
  ArrivalLog log;
  for (int round = 0; round < 200; ++round) {
    for (const double behind : {0.0, kSpacing}) {
      const auto at = [behind](double seconds) {
        return WallTime::fromNanoseconds(static_cast<std::int64_t>((seconds + behind) * 1e9));
      };
      log.take(at(kRtt * (round + 1)), at(kRtt * round), bytesEach);
    }
  }
  return log;
}

TEST(Dispersion, OfASmallWindowIsThatOfItsAcknowledgmentsUnlessTheSenderPaces) {
  const auto found = capacityFromAcknowledgments(clockedWindow(2896).arrivals());
  expectAbout(found, 5.3e6, 0.05);
  EXPECT_TRUE(found->mayBeSendersPace);
  WindowedTransfer spread(100e6, 40ms, 44);
  EXPECT_FALSE(capacityFromAcknowledgments(spread.acknowledgments(40).arrivals())->mayBeSendersPace);
}

TEST(Dispersion, OfMessagesIsUnknown) {
  EXPECT_FALSE(capacityFromAcknowledgments(clockedWindow(600).arrivals()));
}

TEST(Dispersion, IsUnknownAfterAHandfulOfPackets) {
  WindowedTransfer transfer(100e6, 40ms, 4);
  EXPECT_FALSE(capacityFromAcknowledgments(transfer.acknowledgments(2).arrivals()));
  EXPECT_FALSE(capacityFromData(transfer.data(2).arrivals()));
  EXPECT_FALSE(capacityFromData({}));
}

TEST(ArrivalLog, HasNoGapAcrossALoss) {
  ArrivalLog log;
  log.take(WallTime::fromNanoseconds(1'000), WallTime::fromNanoseconds(10), 1448);
  log.take(WallTime::fromNanoseconds(3'000), WallTime::fromNanoseconds(500), 1448);
  log.breakOff();
  log.take(WallTime::fromNanoseconds(9'000), WallTime::fromNanoseconds(700), 1448);
  ASSERT_EQ(log.arrivals().size(), 3U);
  EXPECT_FALSE(log.arrivals()[0].continues());
  EXPECT_EQ(log.arrivals()[1].gapNs, 2'000U);
  EXPECT_EQ(log.arrivals()[1].sendGapNs, 490U);
  EXPECT_FALSE(log.arrivals()[2].continues());
}

TEST(ArrivalLog, TakesAPauseAndAStepBackForNoGap) {
  ArrivalLog log;
  log.take(WallTime::fromNanoseconds(0), WallTime::fromNanoseconds(0), 1448);
  log.take(WallTime::fromNanoseconds(5'000'000'000), WallTime::fromNanoseconds(0), 1448);
  log.take(WallTime::fromNanoseconds(4'000'000'000), WallTime::fromNanoseconds(0), 1448);
  EXPECT_FALSE(log.arrivals()[1].continues());
  EXPECT_FALSE(log.arrivals()[2].continues());
}

}  // namespace
}  // namespace tcpscope
