#include "ui/views/connection_list/filter_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace tcpscope {
namespace {

TEST(FilterEdit, IsGreenWhileTheFilterMatches) {
  FilterEdit edit;
  const QSignalSpy handedOn(&edit, &FilterEdit::filterChanged);
  edit.setText("dport = :443");
  EXPECT_EQ(edit.state(), EntryState::good);
  QSignalSpy waiting(&edit, &FilterEdit::filterChanged);
  ASSERT_TRUE(waiting.wait(5000));
  edit.setMatches(3, 10);
  EXPECT_EQ(edit.state(), EntryState::good);
  EXPECT_EQ(handedOn.count(), 1);
}

TEST(FilterEdit, IsYellowWhenNothingMatchesAndSaysSo) {
  FilterEdit edit;
  edit.setText("dport = :443");
  QSignalSpy waiting(&edit, &FilterEdit::filterChanged);
  ASSERT_TRUE(waiting.wait(5000));
  edit.setMatches(0, 10);
  EXPECT_EQ(edit.state(), EntryState::incomplete);
  EXPECT_FALSE(edit.message().isEmpty());
}

TEST(FilterEdit, IsYellowWhileTheTextIsNotComplete) {
  FilterEdit edit;
  edit.setText("dport = ");
  EXPECT_EQ(edit.state(), EntryState::incomplete);
}

TEST(FilterEdit, IsRedWithAMessageAndKeepsTheFormerFilterWhenTheTextCannotBeRead) {
  FilterEdit edit;
  edit.setText("dport = :443");
  const FilterPointer former = edit.filter().root();
  edit.setText("dport = :443 and nonsense = 7");
  EXPECT_EQ(edit.state(), EntryState::wrong);
  EXPECT_FALSE(edit.message().isEmpty());
  EXPECT_EQ(edit.filter().root(), former);
}

TEST(FilterEdit, IsNeutralWhenEmpty) {
  FilterEdit edit;
  edit.setText("x");
  edit.setText("");
  EXPECT_EQ(edit.state(), EntryState::neutral);
  EXPECT_FALSE(edit.isFiltering());
}

}  // namespace
}  // namespace tcpscope
