#include "core/model/connection_history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ObservationBuilder;

Moment after(Nanoseconds span) {
  return Moment::fromNanoseconds(0) + span;
}

/// One sample a millisecond: the window counts up, everything else stays.
void appendWindows(ConnectionHistory& history, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t window = from; window < to; ++window) {
    const SocketObservation socket = ObservationBuilder().congestionWindow(window).build();
    ASSERT_TRUE(history.append(after(window * 1ms), {socket}));
  }
}

TEST(ConnectionHistory, BeginsEmpty) {
  const ConnectionHistory history;
  EXPECT_TRUE(history.empty());
  EXPECT_EQ(history.sampleCount(), 0U);
  EXPECT_FALSE(history.firstTime());
  EXPECT_FALSE(history.lastTime());
  EXPECT_FALSE(history.valueAt(Metric::rtt, after(1s)));
}

TEST(HistoryChunk, ReportsNothingBeforeItsFirstSample) {
  const HistoryChunk chunk;
  EXPECT_TRUE(std::isnan(chunk.constant(Metric::rtt)));
  EXPECT_TRUE(std::isnan(chunk.range(Metric::rtt).first));
}

TEST(ConnectionHistory, KeepsEverySampleOfEveryMetric) {
  ConnectionHistory history;
  appendWindows(history, 1, 301);
  EXPECT_EQ(history.sampleCount(), 300U);
  EXPECT_EQ(history.chunks().size(), 3U);
  EXPECT_EQ(history.firstTime(), after(1ms));
  EXPECT_EQ(history.lastTime(), after(300ms));
  std::uint32_t expected = 1;
  for (const auto& chunk : history.chunks()) {
    for (std::size_t index = 0; index < chunk->size(); ++index, ++expected) {
      EXPECT_EQ(chunk->time(index), after(expected * 1ms));
      EXPECT_EQ(chunk->value(Metric::sndCwnd, index), expected);
      EXPECT_EQ(chunk->value(Metric::rtt, index), 20'000);
      EXPECT_TRUE(std::isnan(chunk->value(Metric::memoryReceiveBuffer, index)));
    }
  }
}

TEST(ConnectionHistory, RefusesASampleThatIsNotNewer) {
  ConnectionHistory history;
  const SocketObservation socket = ObservationBuilder().build();
  EXPECT_TRUE(history.append(after(5ms), {socket}));
  EXPECT_FALSE(history.append(after(5ms), {socket}));
  EXPECT_FALSE(history.append(after(4ms), {socket}));
  EXPECT_EQ(history.sampleCount(), 1U);
}

TEST(ConnectionHistory, FindsTheNewestValueAtOrBeforeAMoment) {
  ConnectionHistory history;
  appendWindows(history, 10, 400);
  EXPECT_FALSE(history.valueAt(Metric::sndCwnd, after(9ms)));
  EXPECT_EQ(history.valueAt(Metric::sndCwnd, after(10ms)), 10);
  EXPECT_EQ(history.valueAt(Metric::sndCwnd, after(250ms + 999us)), 250);
  EXPECT_EQ(history.valueAt(Metric::sndCwnd, after(1h)), 399);
}

TEST(ConnectionHistory, SkipsSamplesThatDidNotReportTheMetric) {
  ConnectionHistory history;
  ObservationBuilder socket;
  const SocketObservation full = socket.peerWindow(1000).build();
  const SocketObservation cut = socket.reportedBytes(200).build();
  history.append(after(1ms), {full});
  for (int sample = 2; sample < 500; ++sample) history.append(after(sample * 1ms), {cut});
  EXPECT_EQ(history.valueAt(Metric::sndWnd, after(1s)), 1000);
  EXPECT_FALSE(history.valueAt(Metric::memoryDrops, after(1s)));
}

TEST(ConnectionHistory, KnowsTheRangeOfEachChunk) {
  ConnectionHistory history;
  appendWindows(history, 1, 1 + 2 * kChunkSamples);
  const auto& chunks = history.chunks();
  EXPECT_EQ(chunks[0]->range(Metric::sndCwnd), std::pair(1.0, 128.0));
  EXPECT_EQ(chunks[1]->range(Metric::sndCwnd), std::pair(129.0, 256.0));
  EXPECT_EQ(chunks[0]->range(Metric::rtt), std::pair(20'000.0, 20'000.0));
  EXPECT_TRUE(std::isnan(chunks[0]->range(Metric::memoryDrops).first));
}

TEST(ConnectionHistory, ACopyDoesNotSeeWhatIsAppendedLater) {
  ConnectionHistory history;
  appendWindows(history, 1, 200);
  const ConnectionHistory snapshot = history;
  appendWindows(history, 200, 300);
  EXPECT_EQ(snapshot.sampleCount(), 199U);
  EXPECT_EQ(snapshot.lastTime(), after(199ms));
  EXPECT_EQ(snapshot.chunks().back()->range(Metric::sndCwnd).second, 199);
  EXPECT_EQ(history.sampleCount(), 299U);
}

TEST(ConnectionHistory, ACopySharesTheFullChunks) {
  ConnectionHistory history;
  appendWindows(history, 1, 300);
  const ConnectionHistory snapshot = history;
  ASSERT_EQ(snapshot.chunks().size(), 3U);
  EXPECT_EQ(snapshot.chunks()[0], history.chunks()[0]);
  EXPECT_EQ(snapshot.chunks()[1], history.chunks()[1]);
  EXPECT_NE(snapshot.chunks()[2], history.chunks()[2]) << "the growing one is not shared";
}

TEST(ConnectionHistory, ACopyOfACopyGrowsOnItsOwn) {
  ConnectionHistory history;
  appendWindows(history, 1, 50);
  ConnectionHistory first = history;
  ConnectionHistory second = first;
  appendWindows(second, 50, 60);
  EXPECT_EQ(first.sampleCount(), 49U);
  EXPECT_EQ(second.sampleCount(), 59U);
  first = second;
  appendWindows(second, 60, 70);
  EXPECT_EQ(first.sampleCount(), 59U);
}

TEST(ConnectionHistory, ACopyAndItsOriginalBothGoOn) {
  ConnectionHistory original;
  appendWindows(original, 1, 50);
  ConnectionHistory copy = original;
  appendWindows(copy, 100, 110);
  appendWindows(original, 50, 60);
  const ConnectionHistory later = original;
  appendWindows(original, 60, 70);
  EXPECT_EQ(copy.valueAt(Metric::sndCwnd, after(109ms)), 109);
  EXPECT_EQ(copy.chunks().back()->values(Metric::sndCwnd)[49], 100);
  EXPECT_EQ(original.chunks().back()->values(Metric::sndCwnd)[49], 50);
  EXPECT_EQ(original.chunks().back()->range(Metric::sndCwnd).second, 69);
  EXPECT_EQ(later.valueAt(Metric::sndCwnd, after(1s)), 59);
  EXPECT_EQ(later.sampleCount(), 59U);
}

TEST(ConnectionHistory, LeavesAnEmptyOneBehindWhenMoved) {
  ConnectionHistory history;
  appendWindows(history, 1, 50);
  ConnectionHistory moved = std::move(history);
  EXPECT_EQ(moved.sampleCount(), 49U);
  appendWindows(moved, 50, 60);
  EXPECT_EQ(moved.sampleCount(), 59U);
}

TEST(ConnectionHistory, StaysWithinItsBudgetByForgettingTheOldest) {
  constexpr std::size_t kBudget = 100'000;
  ConnectionHistory history(kBudget);
  appendWindows(history, 1, 20'000);
  EXPECT_LT(history.residentBytes(), kBudget + 50'000);
  EXPECT_GT(history.firstTime(), after(1ms));
  EXPECT_EQ(history.lastTime(), after(19'999ms));
  EXPECT_EQ(history.valueAt(Metric::sndCwnd, after(19'999ms)), 19'999);
  EXPECT_FALSE(history.valueAt(Metric::sndCwnd, after(1ms)));
}

TEST(ConnectionHistory, PaysOneNumberForAMetricThatDoesNotChange) {
  ConnectionHistory steady;
  ConnectionHistory moving;
  for (int sample = 1; sample <= 128; ++sample) {
    steady.append(after(sample * 1ms), {ObservationBuilder().build()});
    moving.append(after(sample * 1ms),
                  {ObservationBuilder().congestionWindow(static_cast<std::uint32_t>(sample)).build()});
  }
  // The window itself and its bytes.
  EXPECT_EQ(moving.residentBytes() - steady.residentBytes(), 2 * kChunkSamples * sizeof(double));
}

}  // namespace
}  // namespace tcpscope
