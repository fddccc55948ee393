#include "ui/plots/cursor_pair.h"

#include <gtest/gtest.h>

#include "tests/ui/plots/history_drawing.h"

namespace tcpscope {
namespace {

using test::historyOfPeerWindows;
using test::startPlus;

TEST(CursorPairTest, OneCursorAloneMeasuresNothing) {
  CursorPair cursors;
  cursors.place(Cursor::a, startPlus(Milliseconds(10)));
  EXPECT_FALSE(cursors.difference());
  EXPECT_FALSE(cursors.frequencyHz());
  EXPECT_FALSE(cursors.span());
}

TEST(CursorPairTest, MeasuresTimeAndItsReciprocal) {
  CursorPair cursors;
  cursors.place(Cursor::a, startPlus(Milliseconds(60)));
  cursors.place(Cursor::b, startPlus(Milliseconds(10)));
  EXPECT_EQ(cursors.difference(), Nanoseconds(Milliseconds(-50)));
  EXPECT_DOUBLE_EQ(cursors.frequencyHz().value(), 20.0);
  EXPECT_EQ(cursors.span(), (TimeSpan{startPlus(Milliseconds(10)), startPlus(Milliseconds(60))}));
}

TEST(CursorPairTest, AtTheSameMomentThereIsNoFrequency) {
  CursorPair cursors;
  cursors.place(Cursor::a, startPlus(Milliseconds(10)));
  cursors.place(Cursor::b, startPlus(Milliseconds(10)));
  EXPECT_FALSE(cursors.frequencyHz());
}

TEST(CursorPairTest, MovesWithinTheScreenAndAppearsInItsMiddle) {
  const TimeSpan screen{startPlus(Milliseconds(0)), startPlus(Milliseconds(100))};
  CursorPair cursors;
  cursors.move(Cursor::a, Milliseconds(10), screen);
  EXPECT_EQ(cursors.at(Cursor::a), startPlus(Milliseconds(60)));
  cursors.move(Cursor::a, Milliseconds(1000), screen);
  EXPECT_EQ(cursors.at(Cursor::a), screen.to);
}

TEST(CursorPairTest, ReadsTheTraceAtBothAndInBetween) {
  const ConnectionHistory history = historyOfPeerWindows({100, 400, 200, 300}, Milliseconds(10));
  CursorPair cursors;
  cursors.place(Cursor::a, startPlus(Milliseconds(10)));
  cursors.place(Cursor::b, startPlus(Milliseconds(30)));
  const CursorReading reading = readCursors(history, Metric::sndWnd, cursors);
  EXPECT_EQ(reading.atA, 400.0);
  EXPECT_EQ(reading.atB, 300.0);
  EXPECT_EQ(reading.difference, -100.0);
  ASSERT_TRUE(reading.inSpan);
  EXPECT_EQ(reading.inSpan->count, 3U);
  EXPECT_EQ(reading.inSpan->smallest, 200.0);
  EXPECT_EQ(reading.inSpan->largest, 400.0);
  EXPECT_EQ(reading.inSpan->mean, 300.0);
}

TEST(CursorPairTest, BeforeTheRecordNothingIsRead) {
  const ConnectionHistory history = historyOfPeerWindows({100, 400}, Milliseconds(10));
  CursorPair cursors;
  cursors.place(Cursor::a, startPlus(Milliseconds(-50)));
  const CursorReading reading = readCursors(history, Metric::sndWnd, cursors);
  EXPECT_FALSE(reading.atA);
  EXPECT_FALSE(reading.difference);
}

}  // namespace
}  // namespace tcpscope
