// What views with a plot share: keys that work inside the view, and the plot above its table.
#include "ui/widgets/plot_pane.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>

namespace tcpscope {
namespace {

class PlotPaneTest : public testing::Test {
protected:
  PlotPaneTest() { layOutPlotPane(m_view, *m_bar, *m_plot, *m_table, 4, *m_line); }

  QWidget m_view;
  QToolBar* m_bar = new QToolBar;
  QWidget* m_plot = new QWidget;
  QTableView* m_table = new QTableView;
  QLabel* m_line = new QLabel(QStringLiteral("what it shows"));
};

TEST_F(PlotPaneTest, ShowsToolbarPlotTableAndLineFromTopToBottom) {
  m_view.resize(600, 700);
  m_view.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_view));
  const auto top = [&](const QWidget* part) { return part->mapTo(&m_view, QPoint(0, 0)).y(); };
  EXPECT_LT(top(m_bar), top(m_plot));
  EXPECT_LT(top(m_plot), top(m_table));
  EXPECT_LT(top(m_table), top(m_line));
  EXPECT_GT(m_plot->height(), m_table->height()) << "the plot has what the table does not need";
}

TEST_F(PlotPaneTest, ActionsListenToEachOfTheirKeysWhereverTheFocusIsInTheView) {
  int runs = 0;
  addViewAction(m_view, QStringLiteral("Whole connection"), {Qt::Key_0, Qt::Key_Home}, [&] { ++runs; });
  m_view.resize(600, 700);
  m_view.show();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&m_view));
  m_table->setFocus();
  QTest::keyClick(m_table, Qt::Key_0);
  QTest::keyClick(m_table, Qt::Key_Home);
  EXPECT_EQ(runs, 2);
}

TEST_F(PlotPaneTest, InALowPaneTheTableIsHiddenUntilItIsAskedFor) {
  m_view.resize(600, 400);
  m_view.show();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&m_view));
  EXPECT_FALSE(m_table->isVisible());
  m_plot->setFocusPolicy(Qt::StrongFocus);
  m_plot->setFocus();
  QTest::keyClick(m_plot, Qt::Key_V, Qt::ShiftModifier);
  // The application takes Shift for held until a key comes without it, in later tests as well.
  QTest::keyClick(m_plot, Qt::Key_Shift);
  EXPECT_TRUE(m_table->isVisible());
}

TEST_F(PlotPaneTest, ToolTipsNameTheFirstKey) {
  const QAction* const one = addViewAction(m_view, QStringLiteral("Cursor A"), {Qt::Key_A, Qt::Key_1}, [] {});
  EXPECT_EQ(one->toolTip(), QStringLiteral("Cursor A (A)"));
  const QAction* const other = addViewAction(m_view, QStringLiteral("Save picture…"), {}, [] {});
  EXPECT_FALSE(other->toolTip().contains(QLatin1Char('('))) << "without keys";
}

}  // namespace
}  // namespace tcpscope
