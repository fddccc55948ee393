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

}  // namespace
}  // namespace tcpscope
