#include "core/control/rtt_trend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/random_stream.h"

namespace tcpscope {
namespace {

using Samples = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

RttTrend trendOf(const Samples& samples) {
  RttTrend trend{};
  beginRttTrend(&trend);
  for (const auto& [departure, rtt] : samples) addRttSample(&trend, departure, rtt);
  return trend;
}

double correlationOf(const RttTrend& trend) {
  return static_cast<double>(rttCorrelation(&trend)) / 65536.0;
}

TEST(RttTrend, WithoutSamplesNothingRises) {
  const RttTrend none = trendOf({});
  EXPECT_EQ(meanRtt(&none), 0);
  EXPECT_EQ(rttDeviation(&none), 0);
  EXPECT_EQ(isRttRising(&none), 0);
  EXPECT_EQ(rttCorrelation(&none), 0);
  const RttTrend one = trendOf({{5, 45'000}});
  EXPECT_EQ(meanRtt(&one), 45'000);
  EXPECT_EQ(isRttRising(&one), 0);
}

TEST(RttTrend, ALineUpCorrelatesWholly) {
  const RttTrend up = trendOf({{0, 45'000}, {100, 45'010}, {200, 45'020}, {300, 45'030}});
  EXPECT_NEAR(correlationOf(up), 1, 1e-4);
  EXPECT_EQ(isRttRising(&up), 1);
  EXPECT_EQ(meanRtt(&up), 45'015);
  // 11.18 µs.
  EXPECT_EQ(rttDeviation(&up), 11);
  const RttTrend down = trendOf({{0, 45'030}, {100, 45'020}, {200, 45'010}, {300, 45'000}});
  EXPECT_NEAR(correlationOf(down), -1, 1e-4);
  EXPECT_EQ(isRttRising(&down), 0);
}

TEST(RttTrend, WhatDoesNotVaryHasNoTrend) {
  const RttTrend flat = trendOf({{0, 45'000}, {100, 45'000}, {200, 45'000}});
  EXPECT_EQ(isRttRising(&flat), 0);
  EXPECT_EQ(rttCorrelation(&flat), 0);
  const RttTrend atOnce = trendOf({{7, 45'000}, {7, 46'000}, {7, 47'000}});
  EXPECT_EQ(isRttRising(&atOnce), 0);
  EXPECT_EQ(rttCorrelation(&atOnce), 0);
}

TEST(RttTrend, SmallValuesAreNotRoundedAway) {
  // Pearson's r of (0, 1, 2) and (0, 1, 1).
  const RttTrend trend = trendOf({{0, 0}, {1, 1}, {2, 1}});
  EXPECT_NEAR(correlationOf(trend), 0.8660, 0.35);
  EXPECT_EQ(isRttRising(&trend), 1);
}

TEST(RttTrend, AgreesWithFloatingPoint) {
  RandomStream random(3, 1);
  for (int run = 0; run < 200; ++run) {
    const double slope = random.unit() * 2 - 1;
    const double noise = random.unit() * 3000;
    Samples samples;
    double time = 0;
    for (int i = 0; i < 700; ++i) {
      time += 1 + random.unit() * 120;
      const double rtt = 90'000 + slope * time / 20 + noise * (random.unit() - 0.5);
      samples.emplace_back(static_cast<std::uint32_t>(time), static_cast<std::uint32_t>(rtt));
    }
    double sumT = 0;
    double sumR = 0;
    for (const auto& [t, r] : samples) {
      sumT += t - samples.front().first;
      sumR += r;
    }
    const double n = static_cast<double>(samples.size());
    double tt = 0;
    double rr = 0;
    double tr = 0;
    for (const auto& [t, r] : samples) {
      const double dt = t - samples.front().first - sumT / n;
      const double dr = r - sumR / n;
      tt += dt * dt;
      rr += dr * dr;
      tr += dt * dr;
    }
    const RttTrend trend = trendOf(samples);
    ASSERT_NEAR(correlationOf(trend), tr / std::sqrt(tt * rr), 1e-3);
    ASSERT_EQ(isRttRising(&trend), tr > 0 ? 1 : 0);
    ASSERT_NEAR(rttDeviation(&trend), std::sqrt(rr / n), 1);
    ASSERT_NEAR(meanRtt(&trend), sumR / n, 1);
  }
}

TEST(RttTrend, TheClockMayWrapAround) {
  const std::uint32_t end = std::numeric_limits<std::uint32_t>::max();
  const RttTrend trend = trendOf({{end - 10, 100}, {end, 200}, {10, 300}, {20, 400}});
  EXPECT_NEAR(correlationOf(trend), 1, 1e-3);
}

TEST(RttTrend, ADepartureBeforeTheFirstCountsAsTheFirst) {
  const RttTrend trend = trendOf({{1000, 300}, {10, 300}, {2000, 400}});
  EXPECT_EQ(trend.timeSum, 1000);
}

// The largest sums there can be.
TEST(RttTrend, NeverOverflows) {
  RttTrend trend{};
  beginRttTrend(&trend);
  for (std::uint32_t i = 0; i < kMostRttSamples + 10; ++i) {
    const bool isLate = i > kMostRttSamples / 2;
    addRttSample(&trend, isLate ? 1U << 30 : 0, isLate ? std::numeric_limits<std::uint32_t>::max() : 0);
  }
  EXPECT_EQ(trend.count, kMostRttSamples);
  EXPECT_EQ(isRttRising(&trend), 1);
  EXPECT_NEAR(correlationOf(trend), 1, 1e-3);
  EXPECT_NEAR(rttDeviation(&trend), kMostMicroseconds / 2.0, 2);
}

}  // namespace
}  // namespace tcpscope
