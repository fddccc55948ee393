#include "ui/plots/trace_set.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(TraceSetTest, AMetricIsAddedOnce) {
  TraceSet set;
  EXPECT_EQ(set.add(Metric::rtt), 0U);
  EXPECT_EQ(set.add(Metric::sndWnd), 1U);
  EXPECT_EQ(set.add(Metric::rtt), 0U);
  EXPECT_EQ(set.size(), 2U);
}

TEST(TraceSetTest, ATraceKeepsItsStyleAndAFreedStyleIsReused) {
  TraceSet set;
  set.add(Metric::rtt);
  set.add(Metric::sndWnd);
  set.add(Metric::sndCwnd);
  set.remove(0);
  EXPECT_EQ(set.at(0).style, 1U);
  const auto index = set.add(Metric::rttvar);
  EXPECT_EQ(set.at(index.value()).style, 0U);
}

TEST(TraceSetTest, NoMoreTracesThanStyles) {
  TraceSet set;
  for (std::size_t number = 0; number < kMaxTraces; ++number) {
    EXPECT_TRUE(set.add(static_cast<Metric>(number)).has_value());
  }
  EXPECT_FALSE(set.add(Metric::sendGoodput).has_value());
}

TEST(TraceSetTest, WindowsShareAScaleAndCountersKeepTheirOwn) {
  TraceSet set;
  set.add(Metric::congestionWindowBytes);
  set.add(Metric::sndWnd);
  set.add(Metric::bytesAcked);
  set.at(0).scale.adapt(0, 80.0 * 1024);
  set.at(1).scale.adapt(0, 800.0 * 1024);
  set.at(2).scale.adapt(0, 8e9);
  const double ofCounter = set.at(2).scale.unitsPerDivision();
  set.shareScalesByUnit();
  EXPECT_EQ(set.at(0).scale.unitsPerDivision(), 100.0 * 1024);
  EXPECT_EQ(set.at(1).scale.unitsPerDivision(), 100.0 * 1024);
  EXPECT_EQ(set.at(2).scale.unitsPerDivision(), ofCounter);
}

TEST(TraceSetTest, AScaleSetByHandIsNotShared) {
  TraceSet set;
  set.add(Metric::congestionWindowBytes);
  set.add(Metric::sndWnd);
  set.at(0).scale.setUnitsPerDivision(10.0 * 1024);
  set.at(1).scale.adapt(0, 800.0 * 1024);
  set.shareScalesByUnit();
  EXPECT_EQ(set.at(0).scale.unitsPerDivision(), 10.0 * 1024);
}

}  // namespace
}  // namespace tcpscope
