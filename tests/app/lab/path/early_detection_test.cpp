// Random early detection: what a queue of a given length does to packets, and marks instead of drops.
#include "app/lab/path/early_detection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/lab/path/link_harness.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;
using link_test::at;
using link_test::LinkHarness;
using ::testing::SizeIs;

constexpr BitsPerSecond kRate{8e6};

/// The mean follows the queue at once.
RandomEarlyDetection nimble() {
  RandomEarlyDetection settings;
  settings.minimum = Bytes(10'000);
  settings.maximum = Bytes(30'000);
  settings.maximumRatio = 0.1;
  settings.weight = 1.0;
  return settings;
}

/// Share of packets that meet this fate at a queue that stays as long.
double shareOf(EarlyVerdict wanted, Bytes waiting) {
  EarlyDetection early(RandomStream(1, 1));
  int met = 0;
  constexpr int kPackets = 20'000;
  for (int packet = 0; packet < kPackets; ++packet) {
    met += early.judge(nimble(), waiting, kRate, at(packet)) == wanted ? 1 : 0;
  }
  return static_cast<double>(met) / kPackets;
}

// ratio  0.1 |          /|
//            |        /  | refused
//          0 |______/    |
//            0     10   30  kB
TEST(EarlyDetection, SignalsMoreOftenTheLongerTheQueue) {
  EXPECT_EQ(shareOf(EarlyVerdict::signal, Bytes(9'999)), 0.0);
  // The distances are even up to 1 / ratio, so that signals come twice as often as the ratio says (1993, section 8).
  EXPECT_NEAR(shareOf(EarlyVerdict::signal, Bytes(20'000)), 2 * 0.05, 0.005);
  EXPECT_NEAR(shareOf(EarlyVerdict::signal, Bytes(29'999)), 2 * 0.1, 0.005);
  EXPECT_EQ(shareOf(EarlyVerdict::refuse, Bytes(30'000)), 1.0);
}

TEST(EarlyDetection, FollowsTheQueueSlowly) {
  RandomEarlyDetection settings = nimble();
  settings.weight = 0.01;
  EarlyDetection early(RandomStream(1, 1));
  for (int packet = 0; packet < 100; ++packet) early.judge(settings, Bytes(20'000), kRate, at(packet));
  // 1 − 0.99^100 of the way.
  EXPECT_NEAR(early.meanBytes(), 20'000 * 0.634, 200);
}

TEST(EarlyDetection, ForgetsWhileTheQueueIsEmpty) {
  RandomEarlyDetection settings = nimble();
  settings.weight = 0.01;
  EarlyDetection early(RandomStream(1, 1));
  for (int packet = 0; packet < 1000; ++packet) early.judge(settings, Bytes(20'000), kRate, at(packet));
  early.becameIdle(at(1'000));
  // A small packet takes 0.5 ms: 100 of them could have gone.
  early.judge(settings, Bytes(0), kRate, at(51'000));
  EXPECT_NEAR(early.meanBytes(), 20'000 * 0.366 * 0.99, 300);
}

LinkSettings earlyLink(bool marks) {
  LinkSettings settings;
  settings.rate = kRate;
  RandomEarlyDetection early = nimble();
  early.marksEcn = marks;
  settings.queue = {Bytes(60'000), early};
  return settings;
}

TEST(LinkWithEarlyDetection, DropsEarlyWhereItMayNotMark) {
  LinkHarness link(earlyLink(true));
  link.sendBurst(0, 100, 1000);
  EXPECT_GT(link.count(PathEventKind::earlyDrop), 60U);
  EXPECT_EQ(link.count(PathEventKind::ecnMark), 0U);
  EXPECT_EQ(link.link().counters().drops.value(), link.count(PathEventKind::earlyDrop));
}

TEST(LinkWithEarlyDetection, MarksPacketsOfEcnCapableFlowsAndKeepsTheirChecksum) {
  for (const bool ipv6 : {false, true}) {
    LinkHarness link(earlyLink(true));
    link_test::IpPacket packet;
    packet.ipv6 = ipv6;
    packet.ecn = EcnCodepoint::ect0;
    packet.payload = 1000;
    for (int number = 0; number < 25; ++number) link.send(0, bytesOf(packet));
    const std::size_t marks = link.count(PathEventKind::ecnMark);
    EXPECT_GT(marks, 0U);
    EXPECT_EQ(link.link().counters().drops, Count(0));
    std::size_t marked = 0;
    for (const link_test::PacketBytes& out : link.packetsOutBy(1e6)) {
      const auto header = readPacketHeader(out);
      ASSERT_TRUE(header);
      if (header->ecn == EcnCodepoint::congestionExperienced) ++marked;
      EXPECT_TRUE(ipv6 || foldedChecksum(checksumSum(std::span(out).first(20))) == 0);
    }
    EXPECT_EQ(marked, marks);
  }
}

TEST(LinkWithEarlyDetection, DropsInsteadOfMarkingUnlessEcnIsEnabled) {
  LinkHarness link(earlyLink(false));
  link_test::IpPacket packet;
  packet.ecn = EcnCodepoint::ect1;
  packet.payload = 960;
  for (int number = 0; number < 28; ++number) link.send(0, bytesOf(packet));
  EXPECT_GT(link.count(PathEventKind::earlyDrop), 0U);
  EXPECT_EQ(link.count(PathEventKind::ecnMark), 0U);
}

}  // namespace
}  // namespace tcpscope::lab
