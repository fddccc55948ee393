#include "core/wire/waits/wire_limits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/core/diagnosis/limits/seen_transfer.h"

namespace tcpscope {
namespace {

using test::SeenTransfer;

class WireLimitsSeenFrom : public testing::TestWithParam<double> {
protected:
  [[nodiscard]] SeenTransfer transfer() const { return SeenTransfer(GetParam()); }
};

/// What a client waits for in an exchange that is drawn.
struct DrawnClient {
  WireLimits limits;
  test::DrawnExchange exchange{[this](const PacketSample& packet, const FlowPacket& taken) {
    taken.side == 0 ? limits.takeSegment(packet, taken) : limits.takeAcknowledgment(packet, taken);
  }};
};

/// One window of segments after another, clocked by the acknowledgments: ten RTTs.
void sendWindows(SeenTransfer& transfer, int segments, int windowBytes) {
  transfer.sends(0.2, 0, segments);
  for (int round = 1; round <= 10; ++round) {
    const double now = 0.2 + round * 0.1;
    transfer.learns(now, round * segments, windowBytes).sends(now + 0.0001, round * segments, segments);
  }
  transfer.learns(1.3, 11 * segments, windowBytes);
}

TEST_P(WireLimitsSeenFrom, GivesAFullWindowToTheReceiver) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 8, 8500);
  const SenderWaits waits = captured.seen().waits;
  // In the first RTT the handshake's window, which is not scaled, was not full.
  EXPECT_GT(waits.ratio(SenderWait::receiver), 0.85);
  EXPECT_EQ(waits.span(SenderWait::own), Nanoseconds(0));
}

TEST_P(WireLimitsSeenFrom, GivesAClosedWindowToTheReceiver) {
  SeenTransfer captured = transfer();
  captured.sends(0.2, 0, 4).learns(0.3, 4, 0).learns(2.3, 4, 60'000).sends(2.3001, 4, 4).learns(2.4, 8);
  EXPECT_EQ(std::chrono::round<std::chrono::milliseconds>(captured.seen().waits.span(SenderWait::receiver)).count(),
            2000);
}

TEST_P(WireLimitsSeenFrom, GivesAWindowWithoutRoomForASegmentToTheReceiver) {
  SeenTransfer captured = transfer();
  // 400 bytes are left of a window that had eight times a segment: no sender fills that.
  captured.sends(0.2, 0, 4).learns(0.3, 4, 8000).sends(0.3001, 4, 8).learns(0.4, 12, 400);
  captured.learns(2.4, 12, 60'000).sends(2.4001, 12, 4).learns(2.5, 16);
  EXPECT_NEAR(toSeconds(captured.seen().waits.span(SenderWait::receiver)), 2.1, 0.11);
}

TEST(WireLimits, KnowTheWindowFromBeforeTheFirstData) {
  // The window of the handshake has room for two segments, and the first flight fills it.
  DrawnClient client;
  client.exchange.add(R"(
    0.0 > S 0:0 mss 1000 ws 0
    0.1 < SA 0:0 ack 1 mss 1000 win 2000 ws 0
    0.1 > A 1:1 ack 1
    0.2 > A 1:1001 ack 1
    0.2 > A 1001:2001 ack 1
    0.3 < A 1:1 ack 2001 win 60000
  )");
  const SenderWaits waits = client.limits.waits(client.exchange.samples().back().time);
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::receiver)), 0.1, 0.001);
}

WireLimits limitsOf(const std::string& packets) {
  DrawnClient client;
  client.exchange.add(packets);
  return client.limits;
}

TEST(WireLimits, CountWhatASenderGoesOnAt) {
  const WireLimits::Prompts prompts = limitsOf(R"(
    0.0 > S 0:0 mss 1000 ws 0
    0.1 < SA 0:0 ack 1 mss 1000 win 60000 ws 0
    0.1 > A 1:1 ack 1
    0.2 > A 1:1001 ack 1
    0.3 < A 1:1 ack 1001 win 60000
    0.4 < A 1:37 ack 1001 win 60000
    0.4 > A 1001:2001 ack 37
    0.5 < A 37:37 ack 2001 win 60000
    0.5 > A 2001:3001 ack 37
  )")
                                          .prompts();
  EXPECT_EQ(prompts.count, 2U);
  EXPECT_EQ(prompts.byData, 1U) << "at a message, and at a bare acknowledgment";
}

SenderHabits::Pauses pausesOf(const std::string& packets) {
  return limitsOf(R"(
    0.0000 > S 0:0 mss 1000 ws 0
    0.0001 < SA 0:0 ack 1 mss 1000 win 60000 ws 0
    0.0001 > A 1:1 ack 1
  )" + packets)
      .habits()
      .pauses;
}

TEST(WireLimits, CountPausesAfterBurstsOfFullSegments) {
  const auto paced = pausesOf(R"(
    0.1000 > PA 1:3001 ack 1
    0.1001 < A 1:1 ack 3001 win 60000
    0.2000 > PA 3001:6001 ack 1
    0.2001 < A 1:1 ack 6001 win 60000
    0.3000 > PA 6001:9001 ack 1
  )");
  EXPECT_EQ(paced.count, 2U);
  EXPECT_EQ(paced.afterFull, 2U);
}

TEST(WireLimits, CountPausesAfterShortOrSingleSegmentsAsOthers) {
  const auto written = pausesOf(R"(
    0.1000 > PA 1:2501 ack 1
    0.1001 < A 1:1 ack 2501 win 60000
    0.2000 > PA 2501:3501 ack 1
    0.2001 < A 1:1 ack 3501 win 60000
    0.3000 > PA 3501:4501 ack 1
  )");
  EXPECT_EQ(written.count, 2U);
  EXPECT_EQ(written.afterFull, 0U) << "2,500 bytes end short, and a single segment may be a write of its size";
}

/// Twelve segments in flight; six acknowledgments, then six segments 0.1 ms after the last, or one after each.
std::string flightOfTwelve(bool oneForEach) {
  std::string packets = R"(
    0.0000 > S 0:0 mss 1000 ws 0
    0.0200 < SA 0:0 ack 1 mss 1000 win 60000 ws 0
    0.0200 > A 1:1 ack 1
    0.0300 > A 1:12001 ack 1
  )";
  for (int ack = 0; ack < 24; ++ack) {
    const int burst = ack / 6;
    const double time = 0.05 + burst * 0.01 + ack % 6 * 0.001;
    const int acknowledged = 1 + (ack + 1) * 1000;
    packets += fmt::format("{:.4f} < A 1:1 ack {} win 60000\n", time, acknowledged);
    const int sent = acknowledged + 11'000;
    if (oneForEach) packets += fmt::format("{:.4f} > A {}:{} ack 1\n", time + 0.0001, sent, sent + 1000);
    if (!oneForEach && ack % 6 == 5) {
      packets += fmt::format("{:.4f} > PA {}:{} ack 1\n", time + 0.0001, sent - 5000, sent + 1000);
    }
  }
  return packets;
}

TEST(WireLimits, CountRefillsOfABufferOfWhichAPartHadToBecomeFree) {
  const WireLimits limits = limitsOf(flightOfTwelve(false));
  EXPECT_EQ(limits.habits().refills.count, 4U);
  EXPECT_EQ(limits.habits().refills.bytes, 24'000U);
  EXPECT_EQ(limits.ackedBytes(), 24'000U);
}

TEST(WireLimits, CountNoRefillWhereTheSenderSendsAtEachAcknowledgment) {
  const WireLimits limits = limitsOf(flightOfTwelve(true));
  EXPECT_EQ(limits.habits().refills.count, 0U);
  EXPECT_EQ(limits.ackedBytes(), 24'000U);
}

/// Two segments each 2 ms (8 Mbit/s) while those of 20 ms before are acknowledged, each pair 1 ms away from a burst.
std::string pacedPairs() {
  std::string packets = R"(
    0.0000 > S 0:0 mss 1000 ws 0
    0.0200 < SA 0:0 ack 1 mss 1000 win 60000 ws 0
    0.0200 > A 1:1 ack 1
  )";
  for (int burst = 0; burst < 100; ++burst) {
    const double time = 0.03 + burst * 0.002;
    packets += fmt::format("{:.4f} > A {}:{} ack 1\n", time, 1 + burst * 2000, 1 + burst * 2000 + 2000);
    if (burst >= 10) packets += fmt::format("{:.4f} < A 1:1 ack {} win 60000\n", time + 0.001, 1 + (burst - 9) * 2000);
  }
  return packets;
}

TEST(WireLimits, FollowThePaceOfASender) {
  const BurstPace pace = limitsOf(pacedPairs()).habits().pace;
  EXPECT_NEAR(pace.rate().value_or(BitsPerSecond()).value(), 8e6, 0.1e6);
  EXPECT_EQ(pace.unprompted(), pace.bursts());
  EXPECT_GE(pace.groups(), 10U);
  EXPECT_EQ(pace.steadyGroups(), pace.groups());
}

TEST(WireLimits, SeeNoPaceInBurstsAtAcknowledgments) {
  const BurstPace pace = limitsOf(flightOfTwelve(true)).habits().pace;
  EXPECT_GT(pace.bursts(), 10U);
  EXPECT_EQ(pace.unprompted(), 0U);
}

TEST_P(WireLimitsSeenFrom, CallsSendingAtAcknowledgmentsClocked) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 8, 60'000);
  const SenderWaits waits = captured.seen().waits;
  EXPECT_GT(waits.ratio(SenderWait::clock), 0.95);
}

TEST_P(WireLimitsSeenFrom, CallsSendingAtItsOwnTimesItsOwn) {
  SeenTransfer captured = transfer();
  for (int segment = 0; segment < 40; ++segment) {
    const double now = 0.2 + segment * 0.045;
    captured.sends(now, segment).learns(now + 0.1, segment + 1);
  }
  const SenderWaits waits = captured.seen().waits;
  EXPECT_GT(waits.ratio(SenderWait::own), 0.9);
}

TEST_P(WireLimitsSeenFrom, CallsSilenceBeforeMoreDataAPause) {
  SeenTransfer captured = transfer();
  for (int burst = 0; burst < 4; ++burst) {
    const double now = 0.2 + burst;
    captured.sends(now, burst * 5, 5).learns(now + 0.1, burst * 5 + 5);
  }
  const SenderWaits waits = captured.seen().waits;
  // The wait for the last acknowledgments is a part of it: there was nothing to send by then.
  EXPECT_GT(waits.ratio(SenderWait::pause), 0.95);
}

TEST_P(WireLimitsSeenFrom, CallsSilenceBeforeNothingIdle) {
  SeenTransfer captured = transfer();
  captured.sends(0.2, 0, 5).learns(0.3, 5).ends(3.3);
  const SenderWaits waits = captured.seen().waits;
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::idle)), 3.0, 0.11);
  EXPECT_EQ(waits.span(SenderWait::pause), Nanoseconds(0));
}

TEST_P(WireLimitsSeenFrom, CallsSilenceInASmallWindowBeforeNothingIdle) {
  SeenTransfer captured = transfer();
  captured.sends(0.2, 0, 4).learns(0.3, 4, 8000).sends(0.3001, 4, 8).learns(0.4, 12, 400).ends(3.4);
  EXPECT_NEAR(toSeconds(captured.seen().waits.span(SenderWait::idle)), 3.0, 0.11);
}

TEST(WireLimits, CallSilenceBeforeAFinIdle) {
  DrawnClient client;
  client.exchange.add(R"(
    0.0 > S 0:0 mss 1000 ws 0
    0.1 < SA 0:0 ack 1 mss 1000 ws 0
    0.1 > A 1:1 ack 1
    0.2 > A 1:1001 ack 1
    0.3 < A 1:1 ack 1001
    9.3 > FA 1001:1001 ack 1
    9.4 < A 1:1 ack 1002
  )");
  const SenderWaits waits = client.limits.waits(client.exchange.samples().back().time);
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::idle)), 9.0, 0.11);
  EXPECT_EQ(waits.span(SenderWait::pause), Nanoseconds(0));
  EXPECT_TRUE(client.limits.endIsKnown());
}

TEST(WireLimits, KnowTheEndWhereTheLastDataCarriesTheFin) {
  DrawnClient client;
  client.exchange.add(R"(
    0.0 > S 0:0 mss 1000 ws 0
    0.1 < SA 0:0 ack 1 mss 1000 ws 0
    0.1 > A 1:1 ack 1
    0.2 > A 1:1001 ack 1
  )");
  EXPECT_FALSE(client.limits.endIsKnown());
  client.exchange.add("0.3 > FA 1001:2001 ack 1");
  EXPECT_TRUE(client.limits.endIsKnown());
}

TEST_P(WireLimitsSeenFrom, KeepsRepairsApart) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 8, 60'000);
  // The first of eight is lost, and repaired one RTT later.
  captured.sends(1.4, 88, 8);
  for (int segment = 90; segment <= 96; ++segment) {
    captured.learns(1.5, 88, 60'000, fmt::format("sack {}-{}", 1 + 89'000, 1 + segment * 1000));
  }
  captured.sends(1.501, 88).learns(1.601, 96).sends(1.6011, 96, 8).learns(1.7, 104);
  const SenderWaits waits = captured.seen().waits;
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::recovery)), 0.1, 0.002);
}

TEST_P(WireLimitsSeenFrom, GivesTheSilenceBeforeATimeoutToTheTimer) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 8, 60'000);
  captured.sends(1.4, 88, 8).sends(2.4, 88).sends(4.4, 88).learns(4.5, 96).sends(4.5001, 96, 4).learns(4.6, 100);
  const SenderWaits waits = captured.seen().waits;
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::timeout)), 3.1, 0.02);
}

TEST_P(WireLimitsSeenFrom, GivesTheSilenceOfAFullWindowToTheTimerThatEndsIt) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 8, 8000);
  captured.sends(1.4, 88, 8).sends(2.4, 88).learns(2.5, 96, 8000).sends(2.5001, 96, 4).learns(2.6, 100, 8000);
  const SenderWaits waits = captured.seen().waits;
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::timeout)), 1.1, 0.02);
}

TEST_P(WireLimitsSeenFrom, GivesTheSilenceInARecoveryToTheTimerThatEndsIt) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 8, 60'000);
  // The first of eight is lost, and so is its repair.
  captured.sends(1.4, 88, 8);
  for (int segment = 90; segment <= 96; ++segment) {
    captured.learns(1.5, 88, 60'000, fmt::format("sack {}-{}", 1 + 89'000, 1 + segment * 1000));
  }
  captured.sends(1.501, 88).sends(2.501, 88).learns(2.601, 96).sends(2.6011, 96, 8).learns(2.7, 104);
  const SenderWaits waits = captured.seen().waits;
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::timeout)), 1.1, 0.02);
  EXPECT_NEAR(toSeconds(waits.span(SenderWait::recovery)), 0.0, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, WireLimitsSeenFrom, testing::ValuesIn(test::kPlaces),
                         [](const auto& seen) { return "at" + std::to_string(static_cast<int>(seen.param * 100)); });

TEST(WireLimits, CountOneTimeoutHoweverMuchItGoesOverAgain) {
  // A path of 0.1 ms: many RTTs lie between the acknowledgments that the repair follows, but no timer.
  DrawnClient client;
  client.exchange.add(R"(
    0.0000 > S 0:0 mss 1000
    0.0001 < SA 0:0 ack 1 mss 1000
    0.0001 > A 1:1 ack 1
    0.0002 > A 1:1001 ack 1
    0.0003 < A 1:1 ack 1001
    0.0004 > A 1001:2001 ack 1
    0.0004 > A 2001:3001 ack 1
    0.0004 > A 3001:4001 ack 1
    0.2104 > A 1001:2001 ack 1
    0.2114 < A 1:1 ack 2001
    0.2124 > A 2001:3001 ack 1
    0.2134 < A 1:1 ack 3001
    0.2144 > A 3001:4001 ack 1
    0.2154 < A 1:1 ack 4001
  )");
  EXPECT_EQ(client.limits.timeouts(), 1U);
}

TEST(WireLimits, AreUnknownWithoutAKnownVantagePoint) {
  SeenTransfer captured(0.5, false);
  sendWindows(captured, 8, 60'000);
  const SenderWaits waits = captured.seen().waits;
  EXPECT_DOUBLE_EQ(waits.ratio(SenderWait::unknown), 1.0);
}

TEST(WireLimits, AreUnknownWithoutAcknowledgments) {
  SeenTransfer captured(0.0);
  captured.sends(0.2, 0, 8).sends(0.3, 8, 8).sends(0.4, 16, 8);
  EXPECT_DOUBLE_EQ(captured.seen().waits.ratio(SenderWait::unknown), 1.0);
}

TEST(WireLimits, SumUpToTheWholeTime) {
  SeenTransfer captured(0.5);
  sendWindows(captured, 8, 8500);
  captured.ends(5.0);
  const auto seen = captured.seen();
  // From the first data, which passes the middle a quarter of the RTT after it was sent.
  EXPECT_EQ(seen.waits.observed(), seen.flow.lastTime - seen.flow.firstTime - std::chrono::milliseconds(200));
}

}  // namespace
}  // namespace tcpscope
