// How connections update the entry of their path.
#include "core/advice/path_entry.h"

#include <gtest/gtest.h>

#include "tests/support/path_sightings.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::rate;
using test::sighted;
using test::volume;
using test::wall;

class PathEntryTest : public ::testing::Test {
protected:
  void take(const PathSighting& sighting) { takeIn(m_entry, m_counted[sighting.connection.cookie], sighting); }
  void take(std::vector<PathSighting> sightings) {
    for (const PathRates& rates : ratesOf(sightings)) takeIn(m_entry, rates);
  }
  PathEntry m_entry{test::path("198.51.100.0/24")};
  std::map<std::uint64_t, CountedConnection> m_counted;
};

TEST_F(PathEntryTest, CountsAConnectionOnceHoweverOftenItIsSeen) {
  PathSighting later = sighted(1);
  later.at = wall(10s);
  take(sighted(1));
  take(later);
  take(sighted(2));
  EXPECT_EQ(m_entry.connections, 2U);
  EXPECT_EQ(m_entry.segments, 20'000U);
  EXPECT_EQ(m_entry.firstSeen, wall(0s));
  EXPECT_EQ(m_entry.lastSeen, wall(10s));
}

TEST_F(PathEntryTest, KeepsTheMinimumRttUntilItExpires) {
  const auto after = [](Nanoseconds since, Microseconds rtt) {
    PathSighting sighting = sighted(1);
    sighting.at = wall(since);
    sighting.rtt = rtt;
    return sighting;
  };
  take(after(0s, 12ms));
  take(after(24h, 30ms));
  EXPECT_EQ(m_entry.rtt->smallest, 12ms);
  take(after(24h * 31, 30ms));
  EXPECT_EQ(m_entry.rtt->smallest, 30ms) << "the route may be another one";
}

TEST_F(PathEntryTest, BracketsLossesBetweenLossEventsAndRetransmittedSegments) {
  PathSighting sighting = sighted(1);
  sighting.retransmitted = 12;
  sighting.lossEvents = 3;
  take(sighting);
  EXPECT_EQ(m_entry.lossEvents, 3U);
  EXPECT_EQ(m_entry.retransmitted, 12U);
  EXPECT_DOUBLE_EQ(m_entry.lossRatio().value(), 3e-4);
}

TEST_F(PathEntryTest, LossesBeforeTheFirstSampleCountAsOneEvent) {
  PathSighting sighting = sighted(1);
  sighting.retransmitted = 7;
  take(sighting);
  EXPECT_EQ(m_entry.lossEvents, 1U);
}

TEST_F(PathEntryTest, TwoWatchersOfOneConnectionDoNotCountItsLossesTwice) {
  PathSighting sighting = sighted(1);
  sighting.retransmitted = 2;
  sighting.lossEvents = 2;
  take(sighting);
  take(sighting);
  EXPECT_EQ(m_entry.lossEvents, 2U);
  EXPECT_EQ(m_entry.segments, 10'000U);
}

TEST_F(PathEntryTest, SaysNothingOfLossesBeforeEnoughWasSent) {
  PathSighting sighting = sighted(1);
  sighting.segments = 999;
  take(sighting);
  EXPECT_FALSE(m_entry.lossRatio());
  sighting.segments.reset();
  take(sighting);
  EXPECT_EQ(m_entry.segments, 999U) << "a kernel that does not count them";
}

TEST_F(PathEntryTest, TheUsualLimitIsThatOfMostConnections) {
  EXPECT_FALSE(m_entry.usualLimit());
  const auto limited = [](std::uint64_t cookie, Limit limit) {
    PathSighting sighting = sighted(cookie);
    sighting.limit = limit;
    return sighting;
  };
  for (int again = 0; again < 5; ++again) take(limited(1, Limit::network));
  take(limited(2, Limit::receiver));
  take(limited(3, Limit::receiver));
  for (std::uint64_t cookie = 4; cookie < 9; ++cookie) take(limited(cookie, Limit::idle));
  EXPECT_EQ(m_entry.usualLimit(), Limit::receiver);
  EXPECT_EQ(m_entry.limits[static_cast<std::size_t>(Limit::network)], 1U);
}

TEST_F(PathEntryTest, TransfersSideBySideMakeThePathsRateTogether) {
  std::vector<PathSighting> all{sighted(1), sighted(2)};
  all[0].sent = volume(10'000'000, 0, 4, Limit::network);
  all[1].sent = volume(8'000'000, 0, 4, Limit::application);
  take(all);
  EXPECT_EQ(m_entry.sending->rate, BitsPerSecond(36e6));
  EXPECT_TRUE(m_entry.sending->isOfPath()) << "the path limited the larger of them";
}

TEST_F(PathEntryTest, TransfersOneAfterTheOtherAreNotTakenForOnesSideBySide) {
  std::vector<PathSighting> all{sighted(1), sighted(2)};
  all[0].received = volume(10'000'000, 0, 4);
  all[1].received = volume(10'000'000, 4, 8);
  take(all);
  EXPECT_EQ(m_entry.receiving->rate, BitsPerSecond(20e6));
}

TEST_F(PathEntryTest, ARateTakesAFairSpan) {
  std::vector<PathSighting> all{sighted(1)};
  all[0].sent = volume(100'000'000, 0, 0);
  take(all);
  all[0].sent = volume(900'000, 0, 4);
  take(all);
  EXPECT_FALSE(m_entry.sending) << "no transfer";
  all[0].sent = volume(900'000, 0, 4, Limit::network);
  take(all);
  EXPECT_EQ(m_entry.sending->rate, BitsPerSecond(1.8e6)) << "a slow path that is full";
}

TEST_F(PathEntryTest, TheBestRateKeepsItsLimit) {
  takeIn(m_entry, PathRates{m_entry.path, rate(50e6, Limit::network), {}});
  takeIn(m_entry, PathRates{m_entry.path, rate(20e6, Limit::receiver), rate(5e6)});
  EXPECT_EQ(m_entry.sending, rate(50e6, Limit::network));
  EXPECT_FALSE(m_entry.bandwidthDelayProduct()) << "no RTT yet";
  take(sighted(1));
  // 50 Mbit/s * 20 ms / 8.
  EXPECT_EQ(m_entry.bandwidthDelayProduct(), Bytes(125'000));
}

}  // namespace
}  // namespace tcpscope
