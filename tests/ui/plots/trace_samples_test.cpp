#include "ui/plots/trace_samples.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ui/plots/history_drawing.h"

namespace tcpscope {
namespace {

using test::historyOfPeerWindows;
using test::startPlus;

TraceRecord recordOf(const ConnectionHistory& history, Metric metric) {
  TraceRecord record;
  record.update({}, history, {&metric, 1});
  return record;
}

TraceSamples sampled(const ConnectionHistory& history, Metric metric, TimeSpan screen, std::size_t columns,
                     std::span<const Moment> holes = {}) {
  TraceRecord record = recordOf(history, metric);
  return sampleTrace(record, metric, screen, columns, holes);
}

std::vector<double> values(const TraceSamples& samples) {
  std::vector<double> result;
  for (const auto& point : samples.points) result.push_back(point.last);
  return result;
}

TEST(TraceSamplesTest, FewSamplesAreDrawnAsTheyAreWithANeighbourOnEitherSide) {
  const auto history = historyOfPeerWindows({1, 2, 3, 4, 5, 6}, Milliseconds(10));
  const TraceSamples samples =
      sampled(history, Metric::sndWnd, {startPlus(Milliseconds(15)), startPlus(Milliseconds(35))}, 100);
  EXPECT_EQ(values(samples), (std::vector<double>{2, 3, 4, 5}));
  EXPECT_FALSE(samples.decimated);
}

TEST(TraceSamplesTest, TheNeighbourMayLieInAnEarlierChunk) {
  std::vector<std::uint32_t> windows(kChunkSamples + 10, 7);
  windows[kChunkSamples - 1] = 9;
  const auto history = historyOfPeerWindows(windows, Milliseconds(1));
  const Moment firstOfSecondChunk = startPlus(Milliseconds(kChunkSamples));
  const TraceSamples samples =
      sampled(history, Metric::sndWnd, {firstOfSecondChunk, firstOfSecondChunk + Milliseconds(2)}, 100);
  EXPECT_EQ(samples.points.front().last, 9.0);
}

TEST(TraceSamplesTest, ManySamplesKeepTheirExtremesInTwoPointsAColumn) {
  std::vector<std::uint32_t> windows(10'000, 50);
  windows[4321] = 900;
  windows[8765] = 3;
  const auto history = historyOfPeerWindows(windows, Milliseconds(1));
  const TraceSamples samples =
      sampled(history, Metric::sndWnd, {startPlus(Milliseconds(0)), startPlus(Milliseconds(10'000))}, 200);
  EXPECT_TRUE(samples.decimated);
  EXPECT_LE(samples.points.size(), 202U);
  EXPECT_EQ(samples.largest, 900.0);
  EXPECT_EQ(samples.smallest, 3.0);
}

TEST(TraceSamplesTest, ColumnsStandStillWhileTheScreenScrolls) {
  const auto history = historyOfPeerWindows(std::vector<std::uint32_t>(5'000, 50), Milliseconds(1));
  const auto timesOf = [&](Nanoseconds from) {
    const TraceSamples samples =
        sampled(history, Metric::sndWnd, {startPlus(from), startPlus(from + Milliseconds(2'000))}, 100);
    std::vector<std::int64_t> phases;
    for (const auto& point : samples.points) phases.push_back(point.time.nanoseconds() % 20'000'000);
    return phases;
  };
  EXPECT_EQ(timesOf(Milliseconds(500)).front(), timesOf(Milliseconds(507)).front());
}

/// Samples at 0, 1 … 9 ms and, after a hole, at 50, 51 … 59 ms.
ConnectionHistory historyWithAHole() {
  ConnectionHistory history;
  for (int millisecond = 0; millisecond < 60; ++millisecond) {
    if (millisecond >= 10 && millisecond < 50) continue;
    const SocketObservation socket = test::ObservationBuilder().at(Milliseconds(millisecond)).peerWindow(7).build();
    history.append(socket.takenAt, MetricSource{socket, nullptr});
  }
  return history;
}

std::size_t interruptions(const TraceSamples& samples) {
  std::size_t count = 0;
  for (const auto& point : samples.points) count += std::isnan(point.last) ? 1U : 0U;
  return count;
}

TEST(TraceSamplesTest, TheLineIsInterruptedWhereSamplesAreMissing) {
  const ConnectionHistory history = historyWithAHole();
  const TimeSpan screen{startPlus(Milliseconds(0)), startPlus(Milliseconds(60))};
  const std::vector<Moment> holes = {startPlus(Milliseconds(50))};
  const TraceSamples samples = sampled(history, Metric::sndWnd, screen, 100, holes);
  ASSERT_EQ(interruptions(samples), 1U);
  EXPECT_TRUE(std::isnan(samples.points[10].last));
  EXPECT_EQ(samples.largest, 7.0);
  EXPECT_EQ(interruptions(sampled(history, Metric::sndWnd, screen, 100)), 0U);
}

TEST(TraceSamplesTest, AHoleInterruptsTheColumnsOnlyWhereItIsWiderThanOne) {
  const ConnectionHistory history = historyWithAHole();
  const TimeSpan screen{startPlus(Milliseconds(0)), startPlus(Milliseconds(60))};
  const std::vector<Moment> holes = {startPlus(Milliseconds(50))};
  EXPECT_EQ(interruptions(sampled(history, Metric::sndWnd, screen, 12, holes)), 1U);
  EXPECT_EQ(interruptions(sampled(history, Metric::sndWnd, screen, 1, holes)), 0U);
}

TEST(TraceSamplesTest, HolesAreTheGapsAmongTheEvents) {
  const std::vector<HistoryEvent> events = {{startPlus(Milliseconds(10)), HistoryEventKind::gap},
                                            {startPlus(Milliseconds(30)), HistoryEventKind::timeout},
                                            {startPlus(Milliseconds(40)), HistoryEventKind::gap}};
  EXPECT_EQ(holesOf(events, {startPlus(Milliseconds(20)), startPlus(Milliseconds(50))}),
            std::vector<Moment>{startPlus(Milliseconds(40))});
}

TEST(TraceSamplesTest, WhatIsNotReportedHasNoRange) {
  const auto history = historyOfPeerWindows({1, 2, 3}, Milliseconds(10));
  const TraceSamples samples =
      sampled(history, Metric::sendGoodput, {startPlus(Milliseconds(0)), startPlus(Milliseconds(30))}, 100);
  EXPECT_TRUE(std::isnan(samples.smallest));
  EXPECT_TRUE(std::isnan(samples.largest));
}

TEST(TraceSamplesTest, AnEmptyHistoryHasNoPoints) {
  const TraceSamples samples =
      sampled(ConnectionHistory(), Metric::rtt, {startPlus(Milliseconds(0)), startPlus(Milliseconds(30))}, 100);
  EXPECT_TRUE(samples.points.empty());
}

TEST(TraceSamplesTest, CountsTheSamplesOfASpan) {
  const auto history = historyOfPeerWindows(std::vector<std::uint32_t>(1'000, 1), Milliseconds(1));
  EXPECT_EQ(samplesIn(recordOf(history, Metric::sndWnd), {startPlus(Milliseconds(100)), startPlus(Milliseconds(299))}),
            200U);
  EXPECT_EQ(
      samplesIn(recordOf(history, Metric::sndWnd), {startPlus(Milliseconds(-100)), startPlus(Milliseconds(5'000))}),
      1'000U);
}

}  // namespace
}  // namespace tcpscope
