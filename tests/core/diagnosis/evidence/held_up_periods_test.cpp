#include "core/diagnosis/evidence/held_up_periods.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

Moment at(Nanoseconds time) {
  return Moment() + time;
}

/// Steps of 100 ms, a letter each: '#' the reader holds up the connection, '.' data arrives as it should.
std::vector<LimitInterval> steps(std::string_view drawn) {
  std::vector<LimitInterval> intervals;
  Nanoseconds begin{0};
  for (const char step : drawn) {
    LimitInterval interval{at(begin), at(begin + 100ms), {}, {}};
    interval.receiving.add(step == '#' ? Limit::application : Limit::unknown, 100ms);
    intervals.push_back(interval);
    begin += 100ms;
  }
  return intervals;
}

/// Samples of 200 ms each, with the share of the time in which the program waited.
std::vector<ProgramWaits> waits(std::initializer_list<double> ratios) {
  std::vector<ProgramWaits> all;
  for (const double ratio : ratios) {
    const Nanoseconds begin = all.size() * 200ms;
    all.push_back({at(begin), at(begin + 200ms), std::chrono::duration_cast<Nanoseconds>(ratio * 200ms)});
  }
  return all;
}

TEST(HeldUpPeriods, AreThoseInWhichTheReaderDidNotKeepUp) {
  const HeldUpPeriods periods = heldUpByReader(steps("..##..##..##"), waits({0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(periods.count, 3U);
  EXPECT_EQ(periods.time, 600ms);
  EXPECT_EQ(periods.withoutProcessor, 3U);
  EXPECT_EQ(periods.withoutProcessorTime, 600ms);
}

TEST(HeldUpPeriods, AreNotOfTheProcessorWhereTheProgramWaitsForItAtOtherTimes) {
  const HeldUpPeriods periods = heldUpByReader(steps("..##..##..##"), waits({1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(periods.count, 3U);
  EXPECT_EQ(periods.withoutProcessor, 0U);
  EXPECT_EQ(periods.withoutProcessorTime, 0ms);
}

TEST(HeldUpPeriods, CountTheTimeWithoutAProcessorInThoseAlone) {
  const HeldUpPeriods periods = heldUpByReader(steps("##..####"), waits({1, 0, 0.3, 0.3}));
  EXPECT_EQ(periods.count, 2U);
  EXPECT_EQ(periods.withoutProcessor, 1U);
  EXPECT_EQ(periods.time, 600ms);
  EXPECT_EQ(periods.withoutProcessorTime, 200ms);
}

TEST(HeldUpPeriods, TakeASampleByItsShareInThePeriod) {
  const HeldUpPeriods periods = heldUpByReader(steps("...#"), waits({0, 0.6}));
  EXPECT_EQ(periods.count, 1U);
  EXPECT_EQ(periods.withoutProcessor, 1U) << "60 of 100 ms";
  EXPECT_EQ(periods.withoutProcessorTime, 60ms);
}

TEST(HeldUpPeriods, GoAsFarAsTheProgramWasSampled) {
  EXPECT_EQ(heldUpByReader(steps("##..##"), {}).count, 0U);
  const HeldUpPeriods periods = heldUpByReader(steps("##..##"), waits({1, 1}));
  EXPECT_EQ(periods.count, 1U);
  EXPECT_EQ(periods.time, 200ms);
}

TEST(HeldUpPeriods, AreOfTheWriterWhereItSends) {
  std::vector<LimitInterval> limits = steps("..");
  limits[1].sending.add(Limit::application, 100ms);
  limits[0].sending.add(Limit::network, 100ms);
  EXPECT_EQ(heldUpByWriter(limits, waits({1})).time, 100ms);
  EXPECT_EQ(heldUpByReader(limits, waits({1})).time, 0ms);
}

}  // namespace
}  // namespace tcpscope
