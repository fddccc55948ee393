#include "ui/plots/acquisition.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using std::chrono::seconds;

Moment acquiredAt(double second) {
  return Moment() + std::chrono::duration<double>(second);
}

TimeSpan span(double from, double to) {
  return {acquiredAt(from), acquiredAt(to)};
}

// The default time base shows ten seconds.

TEST(AcquisitionTest, ShowsNothingBeforeTheFirstSample) {
  EXPECT_FALSE(Acquisition().screen().has_value());
}

TEST(AcquisitionTest, RunningEndsAtTheNewestSample) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 30));
  EXPECT_EQ(acquisition.screen(), span(20, 30));
  acquisition.setRecorded(span(0, 31));
  EXPECT_EQ(acquisition.screen(), span(21, 31));
}

TEST(AcquisitionTest, AStoppedScreenKeepsStillWhileRecordingContinues) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 30));
  acquisition.toggle();
  acquisition.setRecorded(span(0, 40));
  EXPECT_EQ(acquisition.screen(), span(20, 30));
  acquisition.toggle();
  EXPECT_EQ(acquisition.screen(), span(30, 40));
}

TEST(AcquisitionTest, AStoppedScreenThatIsNotFullKeepsStillToo) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 3));
  acquisition.stop();
  acquisition.setRecorded(span(0, 5));
  EXPECT_EQ(acquisition.screen(), span(-7, 3));
}

TEST(AcquisitionTest, SingleStopsWhenAWholeScreenHasBeenSeenSinceItWasArmed) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 30));
  acquisition.single();
  acquisition.setRecorded(span(0, 39.9));
  EXPECT_EQ(acquisition.state(), AcquisitionState::single);
  acquisition.setRecorded(span(0, 40.3));
  EXPECT_EQ(acquisition.state(), AcquisitionState::stopped);
  EXPECT_EQ(acquisition.screen(), span(30, 40));
}

TEST(AcquisitionTest, AReplayThatGoesBackTakesAStoppedScreenAlong) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 40));
  acquisition.stop();
  acquisition.setRecorded(span(0, 25));
  EXPECT_EQ(acquisition.screen(), span(15, 25));
}

TEST(AcquisitionTest, AReplayThatGoesBackArmsASingleAcquisitionThere) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 40));
  acquisition.single();
  acquisition.setRecorded(span(0, 20));
  acquisition.setRecorded(span(0, 30));
  EXPECT_EQ(acquisition.state(), AcquisitionState::stopped);
  EXPECT_EQ(acquisition.screen(), span(20, 30));
}

TEST(AcquisitionTest, SingleArmedBeforeTheFirstSampleCountsFromIt) {
  Acquisition acquisition;
  acquisition.single();
  acquisition.setRecorded(span(5, 5));
  acquisition.setRecorded(span(5, 14));
  EXPECT_EQ(acquisition.state(), AcquisitionState::single);
  acquisition.setRecorded(span(5, 15));
  EXPECT_EQ(acquisition.screen(), span(5, 15));
}

TEST(AcquisitionTest, PanningStopsAndStaysWithinTheRecord) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 30));
  acquisition.pan(-seconds(5));
  EXPECT_EQ(acquisition.state(), AcquisitionState::stopped);
  EXPECT_EQ(acquisition.screen(), span(15, 25));
  acquisition.pan(-seconds(100));
  EXPECT_EQ(acquisition.screen(), span(0, 10));
  acquisition.pan(seconds(100));
  EXPECT_EQ(acquisition.screen(), span(20, 30));
}

TEST(AcquisitionTest, ARecordShorterThanTheScreenStandsAtItsRightEdge) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 3));
  acquisition.pan(-seconds(5));
  EXPECT_EQ(acquisition.screen(), span(-7, 3));
}

TEST(AcquisitionTest, ZoomingAStoppedScreenKeepsTheAnchorInItsPlace) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 100));
  acquisition.stop();
  acquisition.pan(-seconds(50));  // 40 … 50
  EXPECT_TRUE(acquisition.zoomInAt(acquiredAt(42)));
  // From 10 s to 5 s: 42 stays a fifth from the left edge.
  EXPECT_EQ(acquisition.screen(), span(41, 46));
  EXPECT_TRUE(acquisition.zoomOutAt(acquiredAt(42)));
  EXPECT_EQ(acquisition.screen(), span(40, 50));
}

TEST(AcquisitionTest, ZoomingWhileRunningKeepsTheRightEdge) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 100));
  EXPECT_TRUE(acquisition.zoomOutAt(acquiredAt(95)));
  EXPECT_EQ(acquisition.screen(), span(80, 100));
  EXPECT_EQ(acquisition.state(), AcquisitionState::running);
}

TEST(AcquisitionTest, AnotherConnectionStartsRunningWithNothingRecorded) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 30));
  acquisition.stop();
  acquisition.reset();
  EXPECT_FALSE(acquisition.screen().has_value());
  EXPECT_EQ(acquisition.state(), AcquisitionState::running);
}

// ---- triggers

Acquisition armed(TriggerMode mode, double preTriggerRatio = 0.5, seconds holdOff = seconds(0)) {
  Acquisition acquisition;
  acquisition.setRecorded(span(0, 30));
  acquisition.arm(TriggerSettings{mode, preTriggerRatio, holdOff});
  return acquisition;
}

void triggerAt(Acquisition& acquisition, double second) {
  acquisition.setRecorded(span(0, second));
  acquisition.triggerAt(acquiredAt(second));
}

TEST(AcquisitionTest, ATriggerGetsItsPlaceOnceThePartBehindItIsRecorded) {
  Acquisition acquisition = armed(TriggerMode::normal, 0.2);
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 47));
  EXPECT_EQ(acquisition.screen(), span(37, 47)) << "it runs";
  EXPECT_EQ(acquisition.triggered(), acquiredAt(40));
  acquisition.setRecorded(span(0, 49));
  EXPECT_EQ(acquisition.screen(), span(38, 48)) << "two of ten seconds before the trigger";
  EXPECT_EQ(acquisition.triggered(), acquiredAt(40));
}

TEST(AcquisitionTest, NormalShowsATriggerUntilTheNextOneIsComplete) {
  Acquisition acquisition = armed(TriggerMode::normal);
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 100));
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  triggerAt(acquisition, 110);
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  acquisition.setRecorded(span(0, 115));
  EXPECT_EQ(acquisition.screen(), span(105, 115));
}

TEST(AcquisitionTest, AutomaticRunsOnWhereNoneComesForAScreen) {
  Acquisition acquisition = armed(TriggerMode::automatic);
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 54));
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  acquisition.setRecorded(span(0, 56));
  EXPECT_EQ(acquisition.screen(), span(46, 56));
}

TEST(AcquisitionTest, SingleStopsAtTheFirstTrigger) {
  Acquisition acquisition = armed(TriggerMode::single);
  triggerAt(acquisition, 40);
  EXPECT_EQ(acquisition.state(), AcquisitionState::running);
  acquisition.setRecorded(span(0, 60));
  EXPECT_EQ(acquisition.state(), AcquisitionState::stopped);
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  acquisition.triggerAt(acquiredAt(55));
  EXPECT_EQ(acquisition.screen(), span(35, 45));
}

TEST(AcquisitionTest, ATriggerWithinTheHoldOffIsNone) {
  Acquisition acquisition = armed(TriggerMode::normal, 0.5, seconds(30));
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 50));
  triggerAt(acquisition, 69);
  acquisition.setRecorded(span(0, 80));
  EXPECT_EQ(acquisition.triggered(), acquiredAt(40));
  triggerAt(acquisition, 90);
  acquisition.setRecorded(span(0, 100));
  EXPECT_EQ(acquisition.triggered(), acquiredAt(90));
}

TEST(AcquisitionTest, ATriggeredScreenThatIsStoppedStaysWhereItIs) {
  Acquisition acquisition = armed(TriggerMode::normal);
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 100));
  acquisition.stop();
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  acquisition.run();
  EXPECT_EQ(acquisition.screen(), span(90, 100)) << "armed again";
}

TEST(AcquisitionTest, SingleWithATriggerStopsOnceAndKeepsItsMode) {
  Acquisition acquisition = armed(TriggerMode::normal);
  acquisition.single();
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 60));
  EXPECT_EQ(acquisition.state(), AcquisitionState::stopped);
  EXPECT_EQ(acquisition.trigger()->mode, TriggerMode::normal);
  acquisition.run();
  triggerAt(acquisition, 70);
  acquisition.setRecorded(span(0, 90));
  EXPECT_EQ(acquisition.state(), AcquisitionState::running);
}

TEST(AcquisitionTest, ATriggerOfAnotherConnectionTakesTheScreen) {
  Acquisition acquisition = armed(TriggerMode::normal);
  acquisition.single();
  acquisition.reset();
  EXPECT_TRUE(acquisition.triggerAt(acquiredAt(40)));
  acquisition.setRecorded(span(39, 44));
  EXPECT_EQ(acquisition.state(), AcquisitionState::running) << "the part behind it is not recorded";
  acquisition.setRecorded(span(39, 46));
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  EXPECT_EQ(acquisition.state(), AcquisitionState::stopped) << "once, for whichever connection";
}

TEST(AcquisitionTest, ATriggerIsCompleteWhereNothingMoreIsRecorded) {
  Acquisition acquisition = armed(TriggerMode::normal);
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 41));
  acquisition.passTime(acquiredAt(44));
  EXPECT_FALSE(acquisition.triggerAt(acquiredAt(44))) << "the screen has not passed";
  acquisition.passTime(acquiredAt(46));
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  EXPECT_TRUE(acquisition.triggerAt(acquiredAt(46))) << "the next one is not lost";
}

TEST(AcquisitionTest, AStoppedScreenStaysWhereTheTriggerIsSwitchedOff) {
  Acquisition acquisition = armed(TriggerMode::single);
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 60));
  acquisition.arm(std::nullopt);
  EXPECT_EQ(acquisition.state(), AcquisitionState::stopped);
  EXPECT_EQ(acquisition.screen(), span(35, 45));
  EXPECT_FALSE(acquisition.triggered());
}

TEST(AcquisitionTest, WithoutATriggerNothingFires) {
  Acquisition acquisition;
  triggerAt(acquisition, 40);
  acquisition.setRecorded(span(0, 100));
  EXPECT_EQ(acquisition.screen(), span(90, 100));
  EXPECT_FALSE(acquisition.triggered());
}

}  // namespace
}  // namespace tcpscope
