#include "ui/plots/zoom_window.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Moment at(std::int64_t milliseconds) {
  return Moment::fromNanoseconds(milliseconds * 1'000'000);
}

class ZoomWindowTest : public testing::Test {
protected:
  ZoomWindowTest() { m_window.setWhole({at(0), at(1000)}); }
  ZoomWindow m_window;
};

TEST_F(ZoomWindowTest, BeginsWithTheWhole) {
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(0), at(1000)}));
  EXPECT_TRUE(m_window.isWhole());
}

TEST_F(ZoomWindowTest, KeepsTheAnchorWhereItIs) {
  m_window.zoom(0.5, at(250));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(125), at(625)}));
  m_window.zoom(2.0, at(250));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(0), at(1000)}));
}

TEST_F(ZoomWindowTest, NeverLeavesTheWhole) {
  m_window.zoom(0.5, at(0));
  m_window.pan(std::chrono::milliseconds(-100));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(0), at(500)}));
  m_window.pan(std::chrono::seconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(500), at(1000)}));
  m_window.zoom(100.0, at(600));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(0), at(1000)}));
}

TEST_F(ZoomWindowTest, StaysWiderThanNothingHoweverOftenItIsZoomed) {
  for (int turn = 0; turn < 100; ++turn) m_window.zoom(0.5, at(500));
  EXPECT_GE(m_window.shown().to - m_window.shown().from, std::chrono::microseconds(1));
  EXPECT_LE(m_window.shown().from, at(500));
}

TEST_F(ZoomWindowTest, AWholeThatGrowsLeavesWhatIsShown) {
  m_window.show({at(100), at(200)});
  m_window.setWhole({at(0), at(2000)});
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(100), at(200)}));
  m_window.setWhole({at(5000), at(6000)});
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(5000), at(6000)}));
}

TEST_F(ZoomWindowTest, ValuesFitThemselvesUntilSomebodyChooses) {
  EXPECT_FALSE(m_window.values());
  m_window.zoomValues(0.5, 50.0, {0.0, 100.0});
  EXPECT_EQ(m_window.values(), (ValueRange{25.0, 75.0}));
  m_window.showValues({5.0, 5.0});
  EXPECT_EQ(m_window.values(), (ValueRange{25.0, 75.0}));
  m_window.fitValues();
  EXPECT_FALSE(m_window.values());
}

TEST_F(ZoomWindowTest, BringsAMomentIntoSightOnlyWhereItIsNot) {
  m_window.show({at(100), at(200)});
  m_window.bringIntoSight(at(150));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(100), at(200)}));
  m_window.bringIntoSight(at(700));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(650), at(750)}));
}

TEST_F(ZoomWindowTest, AScreenThatReachesTheEndMovesOnWithIt) {
  m_window.show({at(800), at(1000)});
  m_window.grow({at(100), at(1500)}, Milliseconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(1300), at(1500)}));
  EXPECT_EQ(m_window.whole(), (TimeSpan{at(100), at(1500)}));
}

TEST_F(ZoomWindowTest, AScreenInThePastStaysWhileThereIsOne) {
  m_window.show({at(100), at(300)});
  m_window.grow({at(50), at(1500)}, Milliseconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(100), at(300)}));
  m_window.grow({at(250), at(1600)}, Milliseconds(10));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(250), at(450)}));
}

TEST_F(ZoomWindowTest, TheWholeGrowsUpToTheLongestAndThenMovesOn) {
  m_window.grow({at(0), at(1500)}, Milliseconds(2000));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(0), at(1500)}));
  m_window.grow({at(0), at(2500)}, Milliseconds(2000));
  EXPECT_EQ(m_window.shown(), (TimeSpan{at(500), at(2500)}));
}

}  // namespace
}  // namespace tcpscope
