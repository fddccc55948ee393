#include "core/session/connection_activity.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;
using namespace std::chrono_literals;

constexpr Nanoseconds kHalf = 2500ms;

ObservationBuilder observedAfter(Nanoseconds time) {
  return ObservationBuilder().at(time);
}

Moment momentAfter(Nanoseconds time) {
  return observedAfter(time).build().takenAt;
}

TEST(ConnectionActivity, KnowsTheRateOfTheLastStep) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  activity.step(observedAfter(0s).acked(0).build(), observedAfter(1s).acked(1'000'000).chronographs(1s).build());
  EXPECT_EQ(activity.interval().sendGoodput, BitsPerSecond(8e6));
  EXPECT_EQ(activity.window().ackedBytes, 1'000'000U);
  EXPECT_EQ(activity.upTo(), momentAfter(1s));
}

TEST(ConnectionActivity, SilenceMakesRatesZeroAndTheSpanIdle) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const SocketObservation last = observedAfter(1s).acked(1'000'000).chronographs(1s).build();
  activity.step(observedAfter(0s).acked(0).build(), last);
  activity.silentUntil(last, momentAfter(2s));
  EXPECT_TRUE(activity.endedSilent());
  EXPECT_EQ(activity.interval().sendGoodput, BitsPerSecond(0.0));
  EXPECT_EQ(activity.window().sending.span(Limit::idle), 1s);
}

TEST(ConnectionActivity, ACounterThatIsNotReportedHasNoRateInSilenceEither) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const auto old = [](Nanoseconds time) { return observedAfter(time).reportedBytes(104).build(); };
  activity.step(old(0s), old(1s));
  activity.silentUntil(old(1s), momentAfter(2s));
  EXPECT_EQ(activity.interval().sendGoodput, std::nullopt);
}

TEST(ConnectionActivity, AChangeAfterSilenceBelongsToTheTimeAfterIt) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const SocketObservation last = observedAfter(0s).acked(0).build();
  activity.silentUntil(last, momentAfter(1500ms));
  activity.step(last, observedAfter(2s).acked(1'000'000).chronographs(500ms).build());
  EXPECT_EQ(activity.interval().sendGoodput, BitsPerSecond(16e6));
  EXPECT_EQ(activity.window().sending.span(Limit::idle), 1500ms);
}

TEST(ConnectionActivity, TheSameSilenceCountsOnceHoweverOftenItIsReported) {
  ConnectionActivity often(momentAfter(0s), kHalf);
  ConnectionActivity once(momentAfter(0s), kHalf);
  const SocketObservation last = observedAfter(0s).acked(7).build();
  for (const Nanoseconds time : {500ms, 1000ms, 1000ms, 700ms, 2000ms}) often.silentUntil(last, momentAfter(time));
  once.silentUntil(last, momentAfter(2s));
  EXPECT_EQ(often.window().sending, once.window().sending);
  EXPECT_EQ(often.upTo(), once.upTo());
}

TEST(ConnectionActivity, SettlesWhenAWholeWindowWasSilent) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const SocketObservation last = observedAfter(1s).acked(1'000).build();
  activity.step(observedAfter(0s).acked(0).build(), last);
  for (int second = 2; second <= 5; ++second) {
    activity.silentUntil(last, momentAfter(std::chrono::seconds(second)));
    EXPECT_EQ(activity.settled(), second >= 5) << second << " s";
  }
}

TEST(ConnectionActivity, InSilenceThePictureChangesWhenSomethingDropsOutOfTheWindow) {
  // One second of transfer: all of it lies in one half, so that nothing changes before it drops out.
  ConnectionActivity once(momentAfter(0s), kHalf);
  const SocketObservation first = observedAfter(1s).acked(1'000).build();
  once.step(observedAfter(0s).acked(0).build(), first);
  once.silentUntil(first, momentAfter(2s));
  EXPECT_EQ(once.changesAt(), momentAfter(4500ms)) << "half a window after the silence was first seen";
  EXPECT_FALSE(once.settlesBy(momentAfter(4400ms)));
  EXPECT_TRUE(once.settlesBy(momentAfter(4500ms)));
  // Three seconds: the earlier half drops out first.
  ConnectionActivity longer(momentAfter(0s), kHalf);
  const auto after = [](unsigned seconds) {
    return observedAfter(std::chrono::seconds(seconds)).acked(1'000ULL * seconds).build();
  };
  for (unsigned second = 0; second < 3; ++second) longer.step(after(second), after(second + 1));
  const SocketObservation last = after(3);
  longer.silentUntil(last, momentAfter(4s));
  EXPECT_EQ(longer.changesAt(), momentAfter(4500ms));
  EXPECT_FALSE(longer.settlesBy(momentAfter(5s)));
  longer.silentUntil(last, momentAfter(5s));
  EXPECT_EQ(longer.window().ackedBytes, 1'000U) << "of the third second";
  EXPECT_TRUE(longer.settlesBy(longer.changesAt()));
}

/// Ten requests a second, sampled after a turn of this end (30 ms) or of the peer (70 ms).
ObservationBuilder exchangesUntil(Nanoseconds time, bool isOwnTurn) {
  const auto exchanges = static_cast<std::uint64_t>(time / 100ms);
  return observedAfter(time)
      .set(tcp_info::kDataSegsOut, static_cast<std::uint32_t>(exchanges))
      .set(tcp_info::kBytesReceived, exchanges * 100)
      .set(tcp_info::kLastDataSent, isOwnTurn ? 10U : 80U)
      .set(tcp_info::kLastDataRecv, isOwnTurn ? 40U : 10U);
}

SocketObservation exchangesAfter(Nanoseconds time, bool isOwnTurn) {
  return exchangesUntil(time, isOwnTurn).build();
}

TEST(ConnectionActivity, TakesAsMuchMemoryAsIsCountedWhereItHoldsAll) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const auto after = [](unsigned seconds) {
    return exchangesUntil(std::chrono::seconds(seconds), true).set(tcp_info::kTotalRetrans, seconds).build();
  };
  for (unsigned second = 0; second < 29; ++second) activity.step(after(second), after(second + 1));
  EXPECT_EQ(activity.bytes(), kMostActivityBytes);
}

TEST(ConnectionActivity, AtOnePollASecondTurnsOfExchangesAreRememberedBeyondTheWindow) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const auto at = [](int second) { return exchangesAfter(std::chrono::seconds(second), second % 3 == 0); };
  for (int second = 0; second < 30; ++second) {
    activity.step(at(second), at(second + 1));
    if (second < 12) continue;
    EXPECT_GE(activity.window().ownTurnUs.count(), 3U) << second;
    EXPECT_LE(activity.window().ownTurnUs.count() + activity.window().peersTurnUs.count(), 26U) << second;
  }
  EXPECT_EQ(activity.window().ownTurnUs.mean(), 30'000.0);
  EXPECT_EQ(activity.window().peersTurnUs.mean(), 70'000.0);
}

TEST(ConnectionActivity, WhereTheWindowHasTurnsEnoughNoOlderOnesCount) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  for (Nanoseconds time = 0s; time < 10s; time += 100ms) {
    activity.step(exchangesAfter(time, false), exchangesAfter(time + 100ms, true));
  }
  for (Nanoseconds time = 10s; time < 16s; time += 100ms) {
    const bool isOwnTurn = (time / 100ms) % 2 == 0;
    activity.step(exchangesAfter(time, !isOwnTurn), exchangesAfter(time + 100ms, isOwnTurn));
  }
  const WindowStatistics window = activity.window();
  EXPECT_LE(window.ownTurnUs.count() + window.peersTurnUs.count(), 50U);
  EXPECT_GE(window.peersTurnUs.count(), 6U);
}

TEST(ConnectionActivity, TurnsFromBeforeALongSilenceAreForgotten) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  for (int second = 0; second < 12; ++second) {
    activity.step(exchangesAfter(std::chrono::seconds(second), false),
                  exchangesAfter(std::chrono::seconds(second + 1), second % 2 == 0));
  }
  const SocketObservation last = exchangesAfter(12s, true);
  activity.silentUntil(last, momentAfter(60s));
  EXPECT_TRUE(activity.window().ownTurnUs.empty());
}

/// A loss each second, after which the window is `threshold`.
SocketObservation lossesUntil(int second, std::uint32_t threshold) {
  const auto passed = static_cast<std::uint32_t>(second);
  return observedAfter(std::chrono::seconds(second))
      .set(tcp_info::kTotalRetrans, passed)
      .set(tcp_info::kDataSegsOut, 1'000 * passed)
      .set(tcp_info::kSndSsthresh, threshold)
      .build();
}

TEST(ConnectionActivity, WhereTheWindowHasFewLossesOlderOnesCountButThoseAfterSlowStart) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const auto at = [](int second) {
    return lossesUntil(second, second < 3 ? 400U : 30U + static_cast<unsigned>(second % 2));
  };
  for (int second = 0; second < 16; ++second) activity.step(at(second), at(second + 1));
  const WindowStatistics window = activity.window();
  ASSERT_TRUE(window.losses);
  EXPECT_LE(window.lossEvents, 5U) << "of the window alone";
  EXPECT_GE(window.losses->thresholdsAfter.count(), 8U);
  EXPECT_LT(window.losses->thresholdsAfter.variation(), 0.05) << "without the overshoot of slow start";
  EXPECT_LT(window.losses->segmentsBetween.distances().variation(), 0.01);
}

TEST(ConnectionActivity, OldLossesAreNoneOfAWindowWithoutAny) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  const auto at = [](int second) { return lossesUntil(std::min(second, 9), 30); };
  for (int second = 0; second < 16; ++second) {
    SocketObservation before = at(second);
    SocketObservation now = at(second + 1);
    before.takenAt = momentAfter(std::chrono::seconds(second));
    now.takenAt = momentAfter(std::chrono::seconds(second + 1));
    activity.step(before, now);
  }
  EXPECT_FALSE(activity.window().losses);
}

TEST(ConnectionActivity, DrawsTheFastestRateAsTheTopOfTheSparkline) {
  ConnectionActivity activity(momentAfter(0s), kHalf);
  activity.step(observedAfter(0s).acked(0).build(), observedAfter(1s).acked(1'000).build());
  activity.step(observedAfter(1s).acked(1'000).build(), observedAfter(2s).acked(1'500).build());
  ConnectionFigures figures;
  activity.drawSparkline(figures);
  EXPECT_FLOAT_EQ(figures.sparklineTopBps, 8'000.0F);
  EXPECT_EQ(figures.sparkline.back(), 128);
  EXPECT_EQ(*std::max_element(figures.sparkline.begin(), figures.sparkline.end()), 255);
  EXPECT_EQ(figures.sparkline.front(), 0);
}

TEST(ConnectionActivity, WhatIsRestartedForAnotherConnectionKnowsNothingOfTheOneBefore) {
  ConnectionActivity used(momentAfter(0s), kHalf);
  used.step(observedAfter(0s).acked(0).build(), observedAfter(2s).acked(9'000'000).chronographs(2s).build());
  used.step(observedAfter(2s).acked(9'000'000).build(), observedAfter(4s).acked(9'500'000).chronographs(4s).build());
  used.restart(momentAfter(4s), kHalf);
  ConnectionActivity fresh(momentAfter(4s), kHalf);
  for (ConnectionActivity* activity : {&used, &fresh}) {
    activity->step(observedAfter(4s).acked(0).build(), observedAfter(5s).acked(1'000).chronographs(1s).build());
    activity->step(observedAfter(5s).acked(1'000).build(), observedAfter(7s).acked(3'000).chronographs(3s).build());
  }
  EXPECT_EQ(used.window().ackedBytes, 3'000U);
  EXPECT_EQ(used.window().samples, fresh.window().samples);
  EXPECT_EQ(used.window().from, fresh.window().from);
  EXPECT_EQ(used.interval().sendGoodput, fresh.interval().sendGoodput);
  ConnectionFigures usedFigures;
  ConnectionFigures freshFigures;
  used.drawSparkline(usedFigures);
  fresh.drawSparkline(freshFigures);
  EXPECT_EQ(usedFigures.sparkline, freshFigures.sparkline);
}

}  // namespace
}  // namespace tcpscope
