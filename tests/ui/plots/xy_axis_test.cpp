#include "ui/plots/xy_axis.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tcpscope {
namespace {

constexpr double kMebi = 1024.0 * 1024.0;

TEST(XyAxis, EndsAtTheNextStepAboveTheValues) {
  XyAxis axis(MetricUnit::bytes);
  axis.adapt(0.2 * kMebi, 1.3 * kMebi);
  EXPECT_DOUBLE_EQ(axis.from(), 0.0);
  EXPECT_DOUBLE_EQ(axis.step(), 0.2 * kMebi);
  EXPECT_DOUBLE_EQ(axis.to(), 1.4 * kMebi);
}

TEST(XyAxis, HasItsLabelsInOneUnit) {
  XyAxis axis(MetricUnit::bytes);
  axis.adapt(0.0, 1.3 * kMebi);
  EXPECT_EQ(axis.label(0.8 * kMebi), "0.8 MiB");
  EXPECT_EQ(axis.label(axis.step() * 5), "1 MiB");
  EXPECT_EQ(axis.label(1.2 * kMebi), "1.2 MiB");
}

TEST(XyAxis, KeepsTheUnitOfItsValuesWhereItEndsAboveThem) {
  XyAxis axis(MetricUnit::bytes);
  axis.adapt(870.0 * 1024, 1020.0 * 1024);
  EXPECT_DOUBLE_EQ(axis.step(), 20.0 * 1024);
  EXPECT_EQ(axis.label(1040.0 * 1024), "1040 KiB");
}

TEST(XyAxis, BeginsAtZeroUnlessAllValuesAreFarFromIt) {
  XyAxis axis(MetricUnit::microseconds);
  axis.adapt(30'100, 31'900);
  EXPECT_DOUBLE_EQ(axis.from(), 30'000);
  EXPECT_DOUBLE_EQ(axis.to(), 32'000);
  axis.adapt(5'000, 40'000);
  EXPECT_DOUBLE_EQ(axis.from(), 0.0);
}

TEST(XyAxis, GrowsAtOnceAndShrinksOnlyWhereLittleOfItIsUsed) {
  XyAxis axis(MetricUnit::bitsPerSecond);
  axis.adapt(0, 7e6);
  axis.adapt(0, 12e6);
  EXPECT_DOUBLE_EQ(axis.to(), 12e6);
  axis.adapt(0, 7e6);
  EXPECT_DOUBLE_EQ(axis.to(), 12e6);
  axis.adapt(0, 5e6);
  EXPECT_DOUBLE_EQ(axis.to(), 5e6);
  axis.adapt(std::nan(""), std::nan(""));
  EXPECT_DOUBLE_EQ(axis.to(), 5e6);
}

TEST(XyAxis, AConstantStandsInAnAxisFromZero) {
  XyAxis axis(MetricUnit::bytes);
  axis.adapt(256.0 * 1024, 256.0 * 1024);
  EXPECT_DOUBLE_EQ(axis.from(), 0.0);
  EXPECT_DOUBLE_EQ(axis.to(), 300.0 * 1024);
  XyAxis ofZero(MetricUnit::microseconds);
  ofZero.adapt(0.0, 0.0);
  EXPECT_LT(ofZero.from(), ofZero.to());
}

}  // namespace
}  // namespace tcpscope
