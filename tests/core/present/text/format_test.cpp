#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/present/text/quantity_text.h"

namespace tcpscope {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(FormatRate, UsesSiPrefixes) {
  EXPECT_EQ(formatRate(BitsPerSecond(0)), "0 bit/s");
  EXPECT_EQ(formatRate(BitsPerSecond(512)), "512 bit/s");
  EXPECT_EQ(formatRate(BitsPerSecond(999.7)), "1.00 kbit/s");
  EXPECT_EQ(formatRate(BitsPerSecond(12.34e6)), "12.3 Mbit/s");
  EXPECT_EQ(formatRate(BitsPerSecond(9.4e9)), "9.40 Gbit/s");
  EXPECT_EQ(formatRate(BitsPerSecond::unlimited()), "unlimited");
  EXPECT_EQ(formatRate(BitsPerSecond(kNan)), "not known");
}

TEST(FormatBytes, UsesBinaryPrefixes) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(65'536), "64.0 KiB");
  EXPECT_EQ(formatBytes(3.5 * 1024 * 1024), "3.50 MiB");
  EXPECT_EQ(formatBytes(kNan), "not known");
}

TEST(FormatTime, UsesAFittingUnit) {
  EXPECT_EQ(formatTime(0), "0 s");
  EXPECT_EQ(formatTime(55e-6), "55.0 µs");
  EXPECT_EQ(formatTime(0.0012), "1.20 ms");
  EXPECT_EQ(formatTime(0.9999), "1.00 s");
  EXPECT_EQ(formatTime(12.5), "12.5 s");
  EXPECT_EQ(formatTime(90), "1 min 30 s");
  EXPECT_EQ(formatTime(7260), "2 h 1 min");
}

TEST(FormatQuantileTime, HasTwoDigits) {
  EXPECT_EQ(formatQuantileTime(0.0514), "51 ms");
  EXPECT_EQ(formatQuantileTime(0.0202, 0.0202, 0.0724), "20.2 ms") << "none of the samples is smaller";
  EXPECT_EQ(formatQuantileTime(0.00118, 0.0, 0.00118), "1.18 ms");
  EXPECT_EQ(formatQuantileTime(0.00123), "1.2 ms");
  EXPECT_EQ(formatQuantileTime(0.514), "510 ms");
  EXPECT_EQ(formatQuantileTime(996e-6), "1.0 ms");
  EXPECT_EQ(formatQuantileTime(0.0), "0 s");
  EXPECT_EQ(formatQuantileTime(90.0), "1 min 30 s");
  EXPECT_EQ(formatQuantileTime(kNan), "not known");
}

TEST(FormatRatio, KeepsSmallSharesVisible) {
  EXPECT_EQ(formatRatio(0), "0 %");
  EXPECT_EQ(formatRatio(0.123), "12.3 %");
  EXPECT_EQ(formatRatio(0.9999), "100 %");
  EXPECT_EQ(formatRatio(0.00012), "<0.1 %");
}

TEST(FormatCount, GroupsThousands) {
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(19'873), "19,873");
  EXPECT_EQ(formatCount(1'000'000), "1,000,000");
}

TEST(FormatWhole, RoundsAndStaysShort) {
  EXPECT_EQ(formatWhole(1.0), "1");
  EXPECT_EQ(formatWhole(19'872.6), "19,873");
  EXPECT_EQ(formatWhole(4.96e42), "4.96e+42");
  EXPECT_EQ(formatWhole(kNan), "not known");
}

TEST(FormatMetric, FollowsTheUnitOfTheCatalogue) {
  EXPECT_EQ(formatMetric(Metric::rtt, 20'500), "20.5 ms");
  EXPECT_EQ(formatMetric(Metric::sndCwnd, 1), "1 segment");
  EXPECT_EQ(formatMetric(Metric::sndCwnd, 10), "10 segments");
  EXPECT_EQ(formatMetric(Metric::pacingRate, std::numeric_limits<double>::infinity()), "unlimited");
  EXPECT_EQ(formatMetric(Metric::bytesAcked, 2048), "2.00 KiB");
  EXPECT_EQ(formatMetric(Metric::pmtu, 1500), "1500 B");
  EXPECT_EQ(formatMetric(Metric::rtt, kNan), "not known");
}

TEST(FormatByKey, TakesTheUnitFromTheEndOfTheKey) {
  EXPECT_EQ(formatByKey("goodput_bps", 8e6), "8.00 Mbit/s");
  EXPECT_EQ(formatByKey("rtt_us", 30'000), "30.0 ms");
  EXPECT_EQ(formatByKey("retransmitted_segments", 12), "12");
  EXPECT_EQ(formatByKey("sack", 0), "no");
}

}  // namespace
}  // namespace tcpscope
