// Slope, frequency and duty cycle between cursors.
#include "ui/plots/span_measurement.h"

#include <gtest/gtest.h>

#include "tests/ui/plots/history_drawing.h"

namespace tcpscope {
namespace {

using test::historyOfPeerWindows;
using test::startPlus;

SpanMeasurement measureAll(const ConnectionHistory& history) {
  return measureSpan(history, Metric::sndWnd, startPlus(Milliseconds(0)), startPlus(Milliseconds(100'000)));
}

TEST(SpanMeasurement, OfAStraightLineIsItsSlope) {
  const SpanMeasurement measured = measureAll(historyOfPeerWindows({100, 120, 140, 160, 180}, Milliseconds(10)));
  ASSERT_TRUE(measured.slopePerSecond);
  EXPECT_NEAR(*measured.slopePerSecond, 2000.0, 1e-6);
  EXPECT_FALSE(measured.frequencyHz) << "it rises once";
}

TEST(SpanMeasurement, OfASquareWaveHasFrequencyAndDutyCycle) {
  // Up for 10 ms of 40.
  std::vector<std::uint32_t> values;
  for (int period = 0; period < 5; ++period) values.insert(values.end(), {100, 100, 100, 900});
  const SpanMeasurement measured = measureAll(historyOfPeerWindows({values.begin(), values.end()}, Milliseconds(10)));
  ASSERT_TRUE(measured.frequencyHz);
  EXPECT_NEAR(*measured.frequencyHz, 25.0, 1e-6);
  EXPECT_NEAR(measured.dutyRatio.value(), 0.25, 1e-6);
}

TEST(SpanMeasurement, NoiseAroundTheMiddleIsNoPeriod) {
  const SpanMeasurement measured =
      measureAll(historyOfPeerWindows({0, 490, 510, 490, 510, 490, 510, 490, 510, 1000}, Milliseconds(10)));
  EXPECT_FALSE(measured.frequencyHz);
  EXPECT_FALSE(measured.dutyRatio);
}

TEST(SpanMeasurement, OfAConstantIsLevel) {
  const SpanMeasurement measured = measureAll(historyOfPeerWindows({100, 100, 100, 100}, Milliseconds(10)));
  EXPECT_DOUBLE_EQ(measured.slopePerSecond.value(), 0.0);
  EXPECT_FALSE(measured.frequencyHz);
}

TEST(SpanMeasurement, OfOneSampleIsNothing) {
  EXPECT_FALSE(measureAll(historyOfPeerWindows({100}, Milliseconds(10))).slopePerSecond);
  EXPECT_FALSE(measureAll(ConnectionHistory()).slopePerSecond);
}

}  // namespace
}  // namespace tcpscope
