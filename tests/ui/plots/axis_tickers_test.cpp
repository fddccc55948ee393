#include "ui/plots/axis_tickers.h"

#include <gtest/gtest.h>

#include "ui/plots/rate_plot.h"

namespace tcpscope {
namespace {

TEST(AxisTickersTest, TimesAreAsExactAsTheDivisionAsksFor) {
  EXPECT_EQ(timeLabel(-0.04, Milliseconds(10)), QStringLiteral("-40 ms"));
  EXPECT_EQ(timeLabel(-3.0, Milliseconds(1'000)), QStringLiteral("-3 s"));
  EXPECT_EQ(timeLabel(-1.5, Milliseconds(500)), QStringLiteral("-1.5 s"));
  EXPECT_EQ(timeLabel(-0.2, Milliseconds(100)), QStringLiteral("-0.2 s"));
  EXPECT_EQ(timeLabel(-90.0, Milliseconds(60'000)), QStringLiteral("-1:30 min"));
  EXPECT_EQ(timeLabel(0.0, Milliseconds(60'000)), QStringLiteral("0:00 min"));
}

TEST(AxisTickersTest, ValuesCarryTheirUnit) {
  EXPECT_TRUE(valueLabel(MetricUnit::bitsPerSecond, 12e6).endsWith(QStringLiteral("Mbit/s")));
  EXPECT_TRUE(valueLabel(MetricUnit::bytes, 64.0 * 1024).endsWith(QStringLiteral("KiB")));
  EXPECT_TRUE(valueLabel(MetricUnit::microseconds, 20'000).endsWith(QStringLiteral("ms")));
  EXPECT_TRUE(valueLabel(MetricUnit::ratio, 0.5).endsWith(QStringLiteral("%")));
}

TEST(RateAxisTest, ShowsBoundsNearTheRateAndLeavesOutThoseFarAbove) {
  const double top = rateAxisTop(12e6, {{"receiver's window", 13e6}, {"window scale", 80e9}});
  EXPECT_GE(top, 13e6 * 1.05);
  EXPECT_LE(top, 20e6);
}

TEST(RateAxisTest, WithoutTrafficTheLowestBoundIsShown) {
  const double top = rateAxisTop(0.0, {{"a", 10e6}, {"b", 90e6}});
  EXPECT_GE(top, 10e6);
  EXPECT_LT(top, 20e6);
}

TEST(RateAxisTest, IsNeverEmpty) {
  EXPECT_GT(rateAxisTop(std::numeric_limits<double>::quiet_NaN(), {}), 0.0);
}

}  // namespace
}  // namespace tcpscope
