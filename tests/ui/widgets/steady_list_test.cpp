#include "ui/widgets/steady_list.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QScrollBar>
#include <QSignalSpy>

namespace tcpscope {
namespace {

std::vector<SteadyRow> rows(const QStringList& names, const QString& figure) {
  std::vector<SteadyRow> result;
  for (const QString& name : names) result.push_back({{name, figure}, {}, {}});
  return result;
}

class SteadyListTest : public testing::Test {
protected:
  SteadyListTest() {
    m_list.resize(300, 80);
    m_list.show();
  }
  SteadyList m_list{{"What", "Value"}, "List of a test"};
};

TEST_F(SteadyListTest, ShowsNewFiguresInTheSameRows) {
  m_list.setRows(rows({"loss", "queue"}, "1 %"));
  const QTreeWidgetItem* first = m_list.topLevelItem(0);
  m_list.setRows(rows({"loss", "queue"}, "2 %"));
  EXPECT_EQ(m_list.topLevelItem(0), first);
  EXPECT_EQ(first->text(1), "2 %");
}

TEST_F(SteadyListTest, TheSelectedRowStaysSelectedWhereverItMoves) {
  m_list.setRows(rows({"loss", "queue"}, "1 %"));
  m_list.setCurrentItem(m_list.topLevelItem(1));
  m_list.setRows(rows({"queue", "timeouts", "loss"}, "2 %"));
  ASSERT_NE(m_list.currentItem(), nullptr);
  EXPECT_EQ(m_list.currentItem()->text(0), "queue");
}

TEST_F(SteadyListTest, NothingIsSelectedOnceTheRowIsGone) {
  m_list.setRows(rows({"loss", "queue"}, "1 %"));
  m_list.setCurrentItem(m_list.topLevelItem(1));
  m_list.setRows(rows({"loss"}, "1 %"));
  EXPECT_TRUE(m_list.selectedItems().isEmpty());
}

TEST_F(SteadyListTest, StaysWhereTheUserScrolledTo) {
  const QStringList many = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  m_list.setRows(rows(many, "1 %"));
  m_list.setCurrentItem(m_list.topLevelItem(0));
  m_list.verticalScrollBar()->setValue(m_list.verticalScrollBar()->maximum());
  const int scrolledTo = m_list.verticalScrollBar()->value();
  ASSERT_GT(scrolledTo, 0);
  m_list.setRows(rows(many, "2 %"));
  EXPECT_EQ(m_list.verticalScrollBar()->value(), scrolledTo);
}

TEST_F(SteadyListTest, ShowsALongTextWhole) {
  m_list.setRows({{{"loss", "1 %"}, {}, {}}, {{"queue", QString("word ").repeated(60)}, {}, {}}});
  const auto heightOf = [this](int row) { return m_list.visualItemRect(m_list.topLevelItem(row)).height(); };
  EXPECT_GT(heightOf(1), 3 * heightOf(0));
  m_list.resize(1200, 80);
  QCoreApplication::processEvents();
  const int wide = heightOf(1);
  m_list.resize(250, 80);
  QCoreApplication::processEvents();
  EXPECT_GT(heightOf(1), wide) << "in a column of another width";
}

TEST_F(SteadyListTest, LeavesUnchangedRowsAlone) {
  m_list.setRows(rows({"loss"}, "1 %"));
  const QSignalSpy changes(m_list.model(), &QAbstractItemModel::dataChanged);
  m_list.setRows(rows({"loss"}, "1 %"));
  EXPECT_EQ(changes.count(), 0);
}

}  // namespace
}  // namespace tcpscope
