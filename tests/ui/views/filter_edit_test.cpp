#include "ui/views/connection_list/filter_edit.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

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

class FilterHistory : public testing::Test {
protected:
  QLineEdit& field() { return *m_edit.findChild<QLineEdit*>(); }
  void use(const QString& text) {
    m_edit.setText(text);
    QTest::keyClick(&field(), Qt::Key_Return);
  }
  QString press(Qt::Key key) {
    QTest::keyClick(&field(), key);
    return m_edit.text();
  }

  FilterEdit m_edit;
};

TEST_F(FilterHistory, ArrowKeysBringFormerFiltersBackTheNewestFirst) {
  use("dport = :443");
  use("rtt > 50ms");
  m_edit.setText({});
  EXPECT_EQ(press(Qt::Key_Up), "rtt > 50ms");
  EXPECT_EQ(press(Qt::Key_Up), "dport = :443");
  EXPECT_EQ(press(Qt::Key_Up), "dport = :443") << "the oldest";
  EXPECT_EQ(press(Qt::Key_Down), "rtt > 50ms");
  EXPECT_EQ(press(Qt::Key_Down), "");
  EXPECT_EQ(press(Qt::Key_Down), "");
}

TEST_F(FilterHistory, WhatWasTypedComesBackBehindTheNewest) {
  use("dport = :443");
  m_edit.setText({});
  QTest::keyClicks(&field(), "rtt >");
  QTest::keyClick(&field(), Qt::Key_Return);
  EXPECT_EQ(press(Qt::Key_Up), "dport = :443") << "what does not parse is no entry";
  EXPECT_EQ(press(Qt::Key_Down), "rtt >");
}

TEST_F(FilterHistory, HasEachFilterOnceAndNoneThatDoesNotParse) {
  use("dport = :443");
  use("rtt > 50ms");
  use("dport = :443");
  use("dport = ");
  EXPECT_EQ(m_edit.history(), QStringList({"dport = :443", "rtt > 50ms"}));
  m_edit.setHistory({"nonsense (", "rtt > 50ms", "", "rtt > 50ms"});
  EXPECT_EQ(m_edit.history(), QStringList({"rtt > 50ms"}));
}

TEST_F(FilterHistory, WhereAFilterHidesAllAButtonShowsAll) {
  m_edit.setText("dport = :443");
  QSignalSpy waiting(&m_edit, &FilterEdit::filterChanged);
  ASSERT_TRUE(waiting.wait(5000));
  EXPECT_TRUE(m_edit.clearButton().isHidden());
  m_edit.setMatches(0, 10);
  EXPECT_FALSE(m_edit.clearButton().isHidden());
  m_edit.clearButton().click();
  EXPECT_EQ(m_edit.text(), "");
  EXPECT_TRUE(m_edit.clearButton().isHidden());
}

}  // namespace
}  // namespace tcpscope
