#include "core/model/downsample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ObservationBuilder;

struct Sample {
  Nanoseconds at;
  std::uint32_t window;
};

Moment sampledAfter(Nanoseconds span) {
  return Moment::fromNanoseconds(0) + span;
}

ConnectionHistory historyOf(const std::vector<Sample>& samples) {
  ConnectionHistory history;
  for (const Sample& sample : samples) {
    EXPECT_TRUE(
        history.append(sampledAfter(sample.at), {ObservationBuilder().congestionWindow(sample.window).build()}));
  }
  return history;
}

TEST(Downsample, KeepsSmallestLargestAndLastOfEachColumn) {
  // Column:                  |      0      |     1     | 2 |    3     |
  const auto history = historyOf({{0ms, 10}, {4ms, 30}, {9ms, 20}, {10ms, 7}, {19ms, 8}, {30ms, 5}});
  const auto pixels = downsample(history, Metric::sndCwnd, sampledAfter(0ms), sampledAfter(40ms), 4);
  ASSERT_EQ(pixels.size(), 4U);
  EXPECT_EQ(pixels[0].time, sampledAfter(0ms));
  EXPECT_EQ(pixels[0].smallest, 10);
  EXPECT_EQ(pixels[0].largest, 30);
  EXPECT_EQ(pixels[0].last, 20);
  EXPECT_EQ(pixels[1].time, sampledAfter(10ms));
  EXPECT_EQ(pixels[1].smallest, 7);
  EXPECT_EQ(pixels[1].largest, 8);
  EXPECT_TRUE(std::isnan(pixels[2].smallest) && std::isnan(pixels[2].largest) && std::isnan(pixels[2].last));
  EXPECT_EQ(pixels[3].last, 5);
}

TEST(Downsample, TakesItsBeginAndLeavesItsEnd) {
  const auto history = historyOf({{9ms, 1}, {10ms, 2}, {20ms, 3}});
  const auto pixels = downsample(history, Metric::sndCwnd, sampledAfter(10ms), sampledAfter(20ms), 1);
  ASSERT_EQ(pixels.size(), 1U);
  EXPECT_EQ(pixels[0].smallest, 2);
  EXPECT_EQ(pixels[0].largest, 2);
}

TEST(Downsample, GivesNothingForNoColumnsOrNoSpan) {
  const auto history = historyOf({{1ms, 1}});
  EXPECT_TRUE(downsample(history, Metric::sndCwnd, sampledAfter(0ms), sampledAfter(1s), 0).empty());
  EXPECT_TRUE(downsample(history, Metric::sndCwnd, sampledAfter(1s), sampledAfter(1s), 10).empty());
  EXPECT_TRUE(downsample(history, Metric::sndCwnd, sampledAfter(2s), sampledAfter(1s), 10).empty());
}

TEST(Downsample, OfAnEmptyHistoryIsEmptyColumns) {
  const auto pixels = downsample(ConnectionHistory(), Metric::rtt, sampledAfter(0ms), sampledAfter(1s), 3);
  ASSERT_EQ(pixels.size(), 3U);
  for (const PixelColumn& column : pixels) EXPECT_TRUE(std::isnan(column.last));
}

/// What downsample() must give, sample by sample.
std::vector<PixelColumn> slowly(const std::vector<Sample>& samples, Nanoseconds from, Nanoseconds to, int columns) {
  std::vector<PixelColumn> pixels;
  for (int column = 0; column < columns; ++column) {
    const Nanoseconds begin = from + (to - from) * column / columns;
    const Nanoseconds end = from + (to - from) * (column + 1) / columns;
    PixelColumn pixel{sampledAfter(begin), NAN, NAN, NAN};
    for (const Sample& sample : samples) {
      if (sample.at < begin || sample.at >= end) continue;
      pixel.smallest = std::fmin(pixel.smallest, sample.window);
      pixel.largest = std::fmax(pixel.largest, sample.window);
      pixel.last = sample.window;
    }
    pixels.push_back(pixel);
  }
  return pixels;
}

TEST(Downsample, AgreesWithLookingAtEverySampleAtEveryZoom) {
  std::mt19937 random(20250101);
  std::vector<Sample> samples;
  Nanoseconds time = 0ms;
  for (int number = 0; number < 3000; ++number) {
    time += Nanoseconds(1 + random() % 3'000'000);
    samples.push_back({time, static_cast<std::uint32_t>(1 + random() % 1000)});
  }
  const ConnectionHistory history = historyOf(samples);
  for (const int columns : {1, 2, 3, 7, 10, 64, 1000, 5000}) {
    for (const auto& [from, to] : {std::pair<Nanoseconds, Nanoseconds>{0ms, time},
                                   {-1s, time + 1s},
                                   {100ms, 333ms},
                                   {time, time + 1s},
                                   {50ms, 50ms + 7ns}}) {
      const auto fast =
          downsample(history, Metric::sndCwnd, sampledAfter(from), sampledAfter(to), static_cast<std::size_t>(columns));
      const auto slow = slowly(samples, from, to, columns);
      ASSERT_EQ(fast.size(), slow.size());
      for (std::size_t at = 0; at < fast.size(); ++at) {
        const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        ASSERT_EQ(fast[at].time, slow[at].time) << "column " << at << " of " << columns;
        ASSERT_TRUE(same(fast[at].smallest, slow[at].smallest)) << "column " << at << " of " << columns;
        ASSERT_TRUE(same(fast[at].largest, slow[at].largest)) << "column " << at << " of " << columns;
        ASSERT_TRUE(same(fast[at].last, slow[at].last)) << "column " << at << " of " << columns;
      }
    }
  }
}

TEST(Summarize, CountsBothEndsOfTheSpan) {
  const auto history = historyOf({{1ms, 100}, {2ms, 2}, {3ms, 4}, {4ms, 9}, {5ms, 100}});
  const auto summary = summarize(history, Metric::sndCwnd, sampledAfter(2ms), sampledAfter(4ms));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->count, 3U);
  EXPECT_EQ(summary->smallest, 2);
  EXPECT_EQ(summary->largest, 9);
  EXPECT_EQ(summary->mean, 5);
  EXPECT_EQ(summary->last, 9);
}

TEST(Summarize, GivesNothingWhereNothingWasReported) {
  const auto history = historyOf({{1ms, 1}});
  EXPECT_FALSE(summarize(history, Metric::memoryDrops, sampledAfter(0ms), sampledAfter(1s)));
  EXPECT_FALSE(summarize(history, Metric::sndCwnd, sampledAfter(2ms), sampledAfter(1s)));
}

}  // namespace
}  // namespace tcpscope
