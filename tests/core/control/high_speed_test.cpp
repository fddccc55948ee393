#include "core/control/high_speed.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace tcpscope {
namespace {

double ratioOf(std::uint64_t fixed) {
  return static_cast<double>(fixed) / 65536.0;
}

/// Section 5 of RFC 3649, in floating point.
double exactDecrease(double window) {
  return 0.5 - 0.4 * std::log(window / 38) / std::log(83000.0 / 38);
}
double exactIncrease(double window) {
  const double loss = 0.078 / std::pow(window, 1.2);
  const double decrease = exactDecrease(window);
  return window * window * loss * 2 * decrease / (2 - decrease);
}

struct TableRow {
  std::uint32_t window;
  double increase;
  double decrease;
};

// Appendix B: in the percent before the window of a row a(w) passes its whole number.
TEST(HighSpeed, AgreesWithTheTableOfTheRfc) {
  constexpr std::array kRows = {TableRow{38, 1, .50},    TableRow{118, 2, .44},   TableRow{221, 3, .41},
                                TableRow{347, 4, .38},   TableRow{495, 5, .37},   TableRow{663, 6, .35},
                                TableRow{851, 7, .34},   TableRow{1058, 8, .33},  TableRow{1284, 9, .32},
                                TableRow{1529, 10, .31}, TableRow{1793, 11, .30}, TableRow{2076, 12, .29},
                                TableRow{2378, 13, .28}, TableRow{2699, 14, .28}, TableRow{3039, 15, .27},
                                TableRow{5036, 20, .25}, TableRow{10661, 30, .21}};
  for (const TableRow& row : kRows) {
    EXPECT_NEAR(ratioOf(highSpeedIncrease(row.window)), row.increase, 0.014) << row.window;
    EXPECT_NEAR(ratioOf(highSpeedDecrease(row.window)), row.decrease, 0.005) << row.window;
    if (row.window == kLowWindow) {
      EXPECT_EQ(highSpeedIncrease(row.window), kRenoIncrease);
      continue;
    }
    EXPECT_GE(ratioOf(highSpeedIncrease(row.window)), row.increase) << row.window;
    EXPECT_LT(ratioOf(highSpeedIncrease(row.window - row.window / 100)), row.increase) << row.window;
  }
  EXPECT_NEAR(ratioOf(highSpeedDecrease(84035)), 0.10, 0.0001);
  EXPECT_NEAR(ratioOf(highSpeedIncrease(84035)), 70.73, 0.01);
}

TEST(HighSpeed, AgreesWithTheFormulaeAtEveryWindow) {
  for (std::uint32_t window = 40; window <= kHighWindow; ++window) {
    ASSERT_NEAR(ratioOf(highSpeedDecrease(window)), exactDecrease(window), 4e-5) << window;
    const double increase = std::max(1.0, exactIncrease(window));
    ASSERT_NEAR(ratioOf(highSpeedIncrease(window)) / increase, 1, 3e-4) << window;
  }
}

TEST(HighSpeed, IsRenoUpToTheLowWindow) {
  for (std::uint32_t window = 0; window <= kLowWindow; ++window) {
    EXPECT_EQ(highSpeedIncrease(window), kRenoIncrease);
    EXPECT_EQ(highSpeedDecrease(window), kLargestDecrease);
  }
}

TEST(HighSpeed, StaysBeyondTheHighWindow) {
  for (const std::uint32_t window : {83001U, 1U << 20, std::numeric_limits<std::uint32_t>::max()}) {
    EXPECT_EQ(highSpeedIncrease(window), highSpeedIncrease(kHighWindow));
    EXPECT_EQ(highSpeedDecrease(window), kLeastDecrease);
  }
}

// Its average window at a loss event ratio, from section 5: 263 segments at 10^-4, 12,279 at 10^-6. Increase and
// decrease balance there: an event every 1/p segments takes what 1/p segments have added.
TEST(HighSpeed, HoldsTheWindowOfTheResponseFunction) {
  for (const auto& [lossRatio, window] : {std::pair(1e-4, 263.0), std::pair(1e-5, 1795.0), std::pair(1e-6, 12279.0)}) {
    std::uint32_t now = static_cast<std::uint32_t>(window);
    std::uint64_t credit = 0;
    double sum = 0;
    std::uint64_t rounds = 0;
    const double perEvent = 1 / lossRatio;
    double sinceEvent = 0;
    while (rounds < 200'000) {
      sinceEvent += now;
      sum += now;
      ++rounds;
      now = increasedWindow(now, now, highSpeedIncrease(now), 1U << 30, &credit);
      if (sinceEvent < perEvent) continue;
      sinceEvent = 0;
      now = decreasedWindow(now);
    }
    EXPECT_NEAR(sum / static_cast<double>(rounds) / window, 1, 0.12) << lossRatio;
  }
}

TEST(HighSpeed, GrowsByAOfWSegmentsInAnRtt) {
  std::uint64_t credit = 0;
  std::uint32_t window = 1058;
  for (std::uint32_t acked = 0; acked < 1058; ++acked) {
    window = increasedWindow(window, 1, highSpeedIncrease(1058), 1U << 30, &credit);
  }
  // Eight, less what the growing window takes from the last acknowledgments.
  EXPECT_EQ(window, 1065);
}

TEST(HighSpeed, DoesNotSpendTheCreditOfALargerWindowAtOnce) {
  std::uint64_t credit = 0;
  EXPECT_EQ(increasedWindow(1000, 999, kRenoIncrease, 1U << 30, &credit), 1000);
  EXPECT_EQ(increasedWindow(10, 1, kRenoIncrease, 1U << 30, &credit), 11);
}

TEST(HighSpeed, ObeysTheClamp) {
  std::uint64_t credit = 0;
  EXPECT_EQ(increasedWindow(99, 500, kRenoIncrease, 100, &credit), 100);
  std::uint32_t rest = 0;
  EXPECT_EQ(slowStartWindow(90, 30, 1000, 100, &rest), 100);
}

TEST(HighSpeed, DecreasesByBOfW) {
  EXPECT_EQ(decreasedWindow(10), 5);
  EXPECT_EQ(decreasedWindow(1058), 713);
  EXPECT_EQ(decreasedWindow(3), 2);
  EXPECT_EQ(decreasedWindow(1), 2);
  EXPECT_EQ(decreasedWindow(100'000), 90'000);
}

TEST(HighSpeed, SlowStartEndsAtTheThreshold) {
  std::uint32_t rest = 0;
  EXPECT_EQ(slowStartWindow(10, 4, 100, 1000, &rest), 14);
  EXPECT_EQ(rest, 0);
  EXPECT_EQ(slowStartWindow(98, 6, 100, 1000, &rest), 100);
  EXPECT_EQ(rest, 4);
  EXPECT_EQ(slowStartWindow(100, 6, 100, 1000, &rest), 100);
  EXPECT_EQ(rest, 6);
}

}  // namespace
}  // namespace tcpscope
