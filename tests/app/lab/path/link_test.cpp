// What one direction of a link does to packets, drawn packet by packet.
#include "app/lab/path/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/lab/path/link_harness.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;
using link_test::at;
using link_test::bareAck;
using link_test::dataPacket;
using link_test::LinkHarness;
using link_test::Outcome;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// 1,000 bytes take a millisecond.
LinkSettings eightMegabits() {
  LinkSettings settings;
  settings.rate = BitsPerSecond(8e6);
  return settings;
}

TEST(Link, IsAWireWithoutSettings) {
  LinkHarness wire({});
  wire.sendBurst(5, 2, 1000);
  EXPECT_THAT(wire.outBy(5), ElementsAre(Outcome(1, 5), Outcome(2, 5)));
  EXPECT_FALSE(wire.link().nextRelease());
}

TEST(Link, DelaysEachPacketByTheSame) {
  LinkSettings settings;
  settings.delay = 20ms;
  LinkHarness link(settings);
  link.sendBurst(0, 1, 1000, 1);
  link.sendBurst(300, 1, 40, 2);
  EXPECT_THAT(link.outBy(19'999), IsEmpty());
  EXPECT_THAT(link.outBy(30'000), ElementsAre(Outcome(1, 20'000), Outcome(2, 20'300)));
}

// time ms   0         1         2         3
// wire      [--- 1 ---][--- 2 ---][--- 3 ---]
// out                 1          2         3
TEST(Link, SendsOnePacketAfterAnotherAtItsRate) {
  LinkHarness link(eightMegabits());
  link.sendBurst(0, 3, 1000);
  EXPECT_THAT(link.outBy(10'000), ElementsAre(Outcome(1, 1000), Outcome(2, 2000), Outcome(3, 3000)));
}

TEST(Link, KeepsItsRateHoweverLateItIsAsked) {
  LinkHarness link(eightMegabits());
  link.sendBurst(0, 2, 1000);
  // After a long time without a call the third packet still finds the link busy until 2 ms and free after.
  link.sendBurst(2500, 1, 1000, 3);
  std::vector<double> moments;
  while (const auto departure = link.link().release(at(9'000)))
    moments.push_back(link_test::microsecondsOf(departure->at));
  EXPECT_THAT(moments, ElementsAre(1000, 2000, 3500));
}

// The queue has room for two packets, beside the one in transmission.
TEST(Link, DropsAtTheTailWhatDoesNotFitTheQueue) {
  LinkSettings settings = eightMegabits();
  settings.queue.limit = Bytes(2000);
  LinkHarness link(settings);
  link.sendBurst(0, 5, 1000);
  // Packet 2 has begun to leave the queue.
  link.sendBurst(1001, 1, 1000, 6);
  EXPECT_THAT(link.sequencesOf(PathEventKind::queueDrop), ElementsAre(4, 5));
  EXPECT_THAT(link.outBy(20'000), ElementsAre(Outcome(1, 1000), Outcome(2, 2000), Outcome(3, 3000), Outcome(6, 4000)));
  EXPECT_EQ(link.link().counters().queuePeak, Bytes(2000));
}

TEST(Link, LogsADropWithTimeFlowAndSequence) {
  LinkSettings settings;
  settings.loss = ScriptedLoss{{2}};
  LinkHarness link(settings);
  link.send(0, dataPacket(1000, 100));
  link.send(7, dataPacket(1000, 1060));
  ASSERT_THAT(link.events(), SizeIs(1));
  const PathEvent& event = link.events().front();
  EXPECT_EQ(event.time, at(7));
  EXPECT_EQ(event.kind, PathEventKind::randomLoss);
  EXPECT_EQ(event.link, 7);
  EXPECT_EQ(event.source.toString(), "10.77.0.1:40000");
  EXPECT_EQ(event.destination.toString(), "10.77.0.2:5001");
  EXPECT_EQ(event.sequence, 1060U);
  EXPECT_EQ(event.payloadBytes, 960U);
}

TEST(Link, LosesTheScriptedPacketsAndNoOther) {
  LinkSettings settings;
  settings.loss = ScriptedLoss{{5, 2, 3}};
  LinkHarness link(settings);
  for (std::uint32_t packet = 1; packet <= 6; ++packet) {
    // Without payload they do not count.
    link.send(packet, bareAck());
    link.send(packet, dataPacket(100, packet));
  }
  EXPECT_THAT(link.sequencesOf(PathEventKind::randomLoss), ElementsAre(2, 3, 5));
}

TEST(Link, PassesNothingAfterItBroke) {
  LinkSettings settings;
  settings.breaksAfter = 20ms;
  LinkHarness link(settings);
  for (std::uint32_t packet = 1; packet <= 4; ++packet) link.send(5'000 + 10'000 * packet, dataPacket(100, packet));
  EXPECT_THAT(link.sequencesOf(PathEventKind::breakDrop), ElementsAre(3, 4)) << "20 ms after its first packet";
}

TEST(Link, SparesPacketsWithoutPayloadByDefault) {
  LinkSettings settings;
  settings.loss = BernoulliLoss{1.0};
  LinkHarness sparing(settings);
  sparing.send(0, bareAck());
  sparing.send(0, dataPacket(1000));
  EXPECT_EQ(sparing.count(PathEventKind::randomLoss), 1U);
  settings.lossSparesControl = false;
  LinkHarness harsh(settings);
  harsh.send(0, bareAck());
  EXPECT_EQ(harsh.count(PathEventKind::randomLoss), 1U);
}

TEST(Link, DuplicatesAPacketBehindItself) {
  LinkSettings settings = eightMegabits();
  settings.duplicationRatio = 1.0;
  LinkHarness link(settings);
  link.sendBurst(0, 1, 1000);
  EXPECT_THAT(link.outBy(5000), ElementsAre(Outcome(1, 1000), Outcome(1, 2000)));
  EXPECT_EQ(link.count(PathEventKind::duplicate), 1U);
}

TEST(Link, KeepsTheOrderOfPacketsUnderJitter) {
  LinkSettings settings;
  settings.delay = 1ms;
  settings.jitter = 500us;
  LinkHarness link(settings);
  for (std::uint32_t packet = 1; packet <= 500; ++packet) link.send(packet, dataPacket(100, packet));
  const std::vector<Outcome> outcomes = link.outBy(10'000);
  ASSERT_THAT(outcomes, SizeIs(500));
  double most = 0;
  for (std::uint32_t packet = 1; packet <= 500; ++packet) {
    EXPECT_EQ(outcomes[packet - 1].first, packet);
    const double delay = outcomes[packet - 1].second - packet;
    EXPECT_GE(delay, 1000);
    EXPECT_LE(delay, 1500);
    most = std::max(most, delay);
  }
  EXPECT_GT(most, 1400);
}

TEST(Link, HoldsPacketsBackSoThatLaterOnesOvertake) {
  LinkSettings settings;
  settings.reorderingRatio = 0.2;
  settings.reorderingDelay = 10us;
  LinkHarness link(settings);
  for (std::uint32_t packet = 1; packet <= 20; ++packet) link.send(packet * 4, dataPacket(100, packet));
  const std::vector<std::uint32_t> held = link.sequencesOf(PathEventKind::reordered);
  ASSERT_FALSE(held.empty());
  ASSERT_LT(held.size(), 20U);
  for (const auto& [packet, moment] : link.outBy(1000)) {
    const bool isHeld = std::count(held.begin(), held.end(), packet) > 0;
    EXPECT_EQ(moment, packet * 4 + (isHeld ? 10 : 0)) << packet;
  }
}

TEST(Link, GivesTheSameFateToTheSamePacketsWithTheSameSeed) {
  LinkSettings settings = eightMegabits();
  settings.loss = BernoulliLoss{0.1};
  settings.jitter = 3ms;
  settings.duplicationRatio = 0.05;
  settings.reorderingRatio = 0.05;
  settings.reorderingDelay = 5ms;
  const auto outcomes = [&](std::uint64_t seed) {
    LinkHarness link(settings, seed);
    for (std::uint32_t packet = 1; packet <= 300; ++packet) link.send(packet * 900, dataPacket(1000, packet));
    return link.outBy(1e7);
  };
  EXPECT_EQ(outcomes(1), outcomes(1));
  EXPECT_NE(outcomes(1), outcomes(2));
}

TEST(Link, LosesTheSamePacketsWhateverElseIsSet) {
  LinkSettings settings;
  settings.loss = BernoulliLoss{0.1};
  const auto lost = [](const LinkSettings& wanted) {
    LinkHarness link(wanted);
    link.sendBurst(0, 300, 100);
    return link.sequencesOf(PathEventKind::randomLoss);
  };
  LinkSettings busy = settings;
  busy.jitter = 3ms;
  busy.duplicationRatio = 0.5;
  busy.reorderingRatio = 0.5;
  EXPECT_EQ(lost(settings), lost(busy));
}

TEST(Link, AccountsForEveryPacket) {
  LinkSettings settings = eightMegabits();
  settings.loss = BernoulliLoss{0.1};
  settings.duplicationRatio = 0.1;
  settings.queue.limit = Bytes(20'000);
  settings.delay = 30ms;
  LinkHarness link(settings);
  std::size_t out = 0;
  for (std::uint32_t packet = 1; packet <= 2000; ++packet) {
    link.send(packet * 800, dataPacket(1000, packet));
    out += link.outBy(packet * 800).size();
  }
  const LinkCounters counters = link.link().counters();
  EXPECT_EQ(counters.packetsIn, Count(2000));
  EXPECT_EQ(counters.packetsOut, Count(out));
  EXPECT_GT(counters.packetsInside, Count(0));
  EXPECT_GT(link.count(PathEventKind::queueDrop), 0U);
  EXPECT_EQ(counters.drops.value(), link.count(PathEventKind::randomLoss) + link.count(PathEventKind::queueDrop));
  EXPECT_EQ(counters.duplicates.value(), link.count(PathEventKind::duplicate));
  EXPECT_EQ(counters.packetsIn + counters.duplicates, counters.packetsOut + counters.drops + counters.packetsInside);
}

TEST(Link, GivesAPolicedPacketAtOnceOrNotAtAll) {
  LinkSettings settings = eightMegabits();
  settings.queue = {Bytes(3000), Policer{}};
  LinkHarness link(settings);
  // The bucket holds three packets, and one more comes in a millisecond.
  link.sendBurst(0, 5, 1000);
  link.sendBurst(1000, 2, 1000, 6);
  EXPECT_THAT(link.sequencesOf(PathEventKind::policerDrop), ElementsAre(4, 5, 7));
  EXPECT_THAT(link.outBy(1000), ElementsAre(Outcome(1, 0), Outcome(2, 0), Outcome(3, 0), Outcome(6, 1000)));
}

}  // namespace
}  // namespace tcpscope::lab
