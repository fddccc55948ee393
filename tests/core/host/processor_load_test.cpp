#include "core/host/processor_load.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(ProcessorLoad, IsTheShareOfSoftirqInTheTimeBetweenTwoReadings) {
  const ProcessorTimes before{{0, {100, 1000}}, {1, {0, 1000}}};
  const ProcessorTimes after{{0, {110, 1200}}, {1, {150, 1200}}};
  EXPECT_EQ(softirqRatio(0, before, after), 0.05);
  EXPECT_EQ(softirqRatio(1, before, after), 0.75);
  EXPECT_EQ(highestSoftirqRatio(before, after), 0.75);
}

TEST(ProcessorLoad, IsUnknownOfAProcessorThatWasNotThereAndOfCountsThatWentBack) {
  const ProcessorTimes before{{0, {100, 1000}}};
  EXPECT_FALSE(softirqRatio(1, before, {{1, {5, 10}}}));
  EXPECT_FALSE(softirqRatio(0, before, {{0, {50, 1100}}}));
  EXPECT_FALSE(softirqRatio(0, before, before)) << "no time has passed";
  EXPECT_FALSE(highestSoftirqRatio({}, {}));
}

}  // namespace
}  // namespace tcpscope
