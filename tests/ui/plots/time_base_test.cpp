#include "ui/plots/time_base.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(TimeBaseTest, GoesFromAMillisecondToTenMinutesInStepsOfAboutTwo) {
  const auto steps = TimeBase::steps();
  EXPECT_EQ(steps.front(), Milliseconds(1));
  EXPECT_EQ(steps.back(), minutes(10));
  for (std::size_t index = 1; index < steps.size(); ++index) {
    const double factor = toSeconds(steps[index]) / toSeconds(steps[index - 1]);
    EXPECT_GE(factor, 2.0);
    EXPECT_LE(factor, 3.0);
  }
}

TEST(TimeBaseTest, ShowsTenSecondsAtFirst) {
  EXPECT_EQ(TimeBase().span(), seconds(10));
}

TEST(TimeBaseTest, StopsAtBothEnds) {
  TimeBase base;
  while (base.zoomIn()) {
  }
  EXPECT_EQ(base.perDivision(), Milliseconds(1));
  while (base.zoomOut()) {
  }
  EXPECT_EQ(base.perDivision(), minutes(10));
  base.setStep(1000);
  EXPECT_EQ(base.perDivision(), minutes(10));
}

TEST(TimeBaseTest, TakesTheShortestStepThatHoldsASpan) {
  EXPECT_EQ(TimeBase::holding(seconds(20)).perDivision(), seconds(2));
  EXPECT_EQ(TimeBase::holding(seconds(21)).perDivision(), seconds(5));
  EXPECT_EQ(TimeBase::holding(Nanoseconds(0)).perDivision(), Milliseconds(1));
  EXPECT_EQ(TimeBase::holding(std::chrono::hours(24)).perDivision(), minutes(10));
}

}  // namespace
}  // namespace tcpscope
