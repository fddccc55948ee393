#include "ui/plots/event_marks.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Moment markAt(int milliseconds) {
  return Moment() + Milliseconds(milliseconds);
}

TEST(EventMarksTest, MergesCloseMarksOfTheSameKind) {
  const std::vector<HistoryEvent> events = {{markAt(10), HistoryEventKind::retransmission, 3},
                                            {markAt(12), HistoryEventKind::timeout, 1},
                                            {markAt(14), HistoryEventKind::retransmission, 2},
                                            {markAt(40), HistoryEventKind::retransmission, 1}};
  const auto marks = gatherMarks(events, {markAt(0), markAt(100)}, Milliseconds(10));
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_EQ(marks[0].kind, HistoryEventKind::retransmission);
  EXPECT_EQ(marks[0].count, 5U);
  EXPECT_EQ(marks[0].last, markAt(14));
  EXPECT_EQ(marks[1].kind, HistoryEventKind::timeout);
  EXPECT_EQ(marks[2].first, markAt(40));
}

TEST(EventMarksTest, TheSizeOfAWindowDropIsNoNumberOfDrops) {
  const std::vector<HistoryEvent> events = {{markAt(10), HistoryEventKind::congestionWindowDrop, 40},
                                            {markAt(11), HistoryEventKind::congestionWindowDrop, 20}};
  EXPECT_EQ(gatherMarks(events, {markAt(0), markAt(100)}, Milliseconds(10)).at(0).count, 2U);
}

TEST(EventMarksTest, LeavesOutWhatIsNotOnTheScreen) {
  const std::vector<HistoryEvent> events = {{markAt(10), HistoryEventKind::opened, 1},
                                            {markAt(50), HistoryEventKind::timeout, 1},
                                            {markAt(200), HistoryEventKind::closed, 1}};
  const auto marks = gatherMarks(events, {markAt(20), markAt(100)}, Milliseconds(1));
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_EQ(marks[0].kind, HistoryEventKind::timeout);
}

TEST(EventMarksTest, DescribesTheMarkUnderThePointer) {
  const std::vector<EventMark> marks = {{HistoryEventKind::retransmission, markAt(10), markAt(14), 5},
                                        {HistoryEventKind::timeout, markAt(60), markAt(60), 1}};
  EXPECT_EQ(describeMarks(marks, {}, {}, markAt(16), Milliseconds(3)), QStringLiteral("5 × retransmission"));
  EXPECT_EQ(describeMarks(marks, {}, {}, markAt(40), Milliseconds(3)), QString());
}

TEST(EventMarksTest, DescribesTheChange) {
  const std::vector<EventMark> marks = {{HistoryEventKind::hostSettingChanged, markAt(10), markAt(10), 1}};
  const std::vector<ChangeMark> changes = {
      {markAt(10), std::nullopt, UntrustedText("net.ipv4.tcp_sack"), UntrustedText("0"), UntrustedText("1")},
      {markAt(50), std::nullopt, UntrustedText("net.ipv4.tcp_ecn"), UntrustedText("2"), UntrustedText("1")}};
  EXPECT_EQ(describeMarks(marks, changes, {}, markAt(11), Milliseconds(3)),
            QStringLiteral("1 × setting changed\nnet.ipv4.tcp_sack: 0 → 1"));
}

TEST(EventMarksTest, DescribesWhyPacketsWereDropped) {
  const std::vector<EventMark> marks = {{HistoryEventKind::localDrop, markAt(10), markAt(12), 2}};
  const LossReport report{17, 1448, {}, false, DropReason{"NETFILTER_DROP", 12}, {}};
  const std::vector<ReportedLoss> losses = {{markAt(10), HistoryEventKind::localDrop, false, report},
                                            {markAt(12), HistoryEventKind::localDrop, false, report},
                                            {markAt(50), HistoryEventKind::localDrop, false, report}};
  EXPECT_EQ(
      describeMarks(marks, {}, losses, markAt(11), Milliseconds(3)),
      QStringLiteral("2 × packet dropped on this host\n2 × dropped on this host: netfilter drop (NETFILTER_DROP)"));
}

TEST(EventMarksTest, EveryKindHasATitleALaneAndAColour) {
  for (std::size_t number = 0; number < kHistoryEventKinds; ++number) {
    const auto kind = static_cast<HistoryEventKind>(number);
    EXPECT_FALSE(eventTitle(kind).isEmpty());
    EXPECT_LT(markLane(kind), kMarkLanes);
    for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
      EXPECT_GE(contrastRatio(eventColor(kind, appearance), themePalette(appearance).color(QPalette::Base)), 3.0);
    }
  }
}

}  // namespace
}  // namespace tcpscope
