#include "ui/plots/zoom_window.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Moment zoomAt(std::int64_t milliseconds) {
  return Moment::fromNanoseconds(milliseconds * 1'000'000);
}

class ZoomWindowTest : public testing::Test {
protected:
  ZoomWindowTest() { m_window.setWhole({zoomAt(0), zoomAt(1000)}); }
  ZoomWindow m_window;
};

TEST_F(ZoomWindowTest, StartsWithTheWholeRange) {
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(0), zoomAt(1000)}));
  EXPECT_TRUE(m_window.isWhole());
}

TEST_F(ZoomWindowTest, KeepsTheAnchorWhereItIs) {
  m_window.zoom(0.5, zoomAt(250));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(125), zoomAt(625)}));
  m_window.zoom(2.0, zoomAt(250));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(0), zoomAt(1000)}));
}

TEST_F(ZoomWindowTest, NeverLeavesTheWholeRange) {
  m_window.zoom(0.5, zoomAt(0));
  m_window.pan(std::chrono::milliseconds(-100));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(0), zoomAt(500)}));
  m_window.pan(std::chrono::seconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(500), zoomAt(1000)}));
  m_window.zoom(100.0, zoomAt(600));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(0), zoomAt(1000)}));
}

TEST_F(ZoomWindowTest, StaysWiderThanNothingHoweverOftenItIsZoomed) {
  for (int turn = 0; turn < 100; ++turn) m_window.zoom(0.5, zoomAt(500));
  EXPECT_GE(m_window.shown().to - m_window.shown().from, std::chrono::microseconds(1));
  EXPECT_LE(m_window.shown().from, zoomAt(500));
}

TEST_F(ZoomWindowTest, AGrowingRangeKeepsWhatIsShown) {
  m_window.show({zoomAt(100), zoomAt(200)});
  m_window.setWhole({zoomAt(0), zoomAt(2000)});
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(100), zoomAt(200)}));
  m_window.setWhole({zoomAt(5000), zoomAt(6000)});
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(5000), zoomAt(6000)}));
}

TEST_F(ZoomWindowTest, ValuesAreAutoscaledUntilTheUserZooms) {
  EXPECT_FALSE(m_window.values());
  m_window.zoomValues(0.5, 50.0, {0.0, 100.0});
  EXPECT_EQ(m_window.values(), (ValueRange{25.0, 75.0}));
  m_window.showValues({5.0, 5.0});
  EXPECT_EQ(m_window.values(), (ValueRange{25.0, 75.0}));
  m_window.fitValues();
  EXPECT_FALSE(m_window.values());
}

TEST_F(ZoomWindowTest, ScrollsToAMomentOnlyIfItIsHidden) {
  m_window.show({zoomAt(100), zoomAt(200)});
  m_window.bringIntoSight(zoomAt(150));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(100), zoomAt(200)}));
  m_window.bringIntoSight(zoomAt(700));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(650), zoomAt(750)}));
}

TEST_F(ZoomWindowTest, AScreenThatReachesTheEndMovesOnWithIt) {
  m_window.show({zoomAt(800), zoomAt(1000)});
  m_window.grow({zoomAt(100), zoomAt(1500)}, Milliseconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(1300), zoomAt(1500)}));
  EXPECT_EQ(m_window.whole(), (TimeSpan{zoomAt(100), zoomAt(1500)}));
}

TEST_F(ZoomWindowTest, AScreenInThePastStaysWhileThereIsOne) {
  m_window.show({zoomAt(100), zoomAt(300)});
  m_window.grow({zoomAt(50), zoomAt(1500)}, Milliseconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(100), zoomAt(300)}));
  m_window.grow({zoomAt(250), zoomAt(1600)}, Milliseconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(250), zoomAt(450)}));
}

TEST_F(ZoomWindowTest, TheWholeGrowsUpToTheLongestAndThenMovesOn) {
  m_window.grow({zoomAt(0), zoomAt(1500)}, Milliseconds(2000));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(0), zoomAt(1500)}));
  m_window.grow({zoomAt(0), zoomAt(2500)}, Milliseconds(2000));
  EXPECT_EQ(m_window.shown(), (TimeSpan{zoomAt(500), zoomAt(2500)}));
}

}  // namespace
}  // namespace tcpscope
