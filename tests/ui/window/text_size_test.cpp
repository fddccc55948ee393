#include "ui/window/text_size.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/ui/support/recording_port.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

class TextSizeTest : public testing::Test {
protected:
  ~TextSizeTest() override { QApplication::setFont(m_desktop); }
  static void choose(TextSize& sizes, const QString& item) {
    QMenu menu;
    sizes.addTo(menu);
    for (QAction* action : menu.actions().constFirst()->menu()->actions()) {
      if (action->text().remove(u'&') == item) action->trigger();
    }
  }

  QFont m_desktop = QApplication::font();
  test::RecordingPort m_port;
};

TEST_F(TextSizeTest, GrowsWithinBoundsAndComesBack) {
  QWidget window;
  TextSize sizes(window);
  choose(sizes, QStringLiteral("Larger"));
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF() * 1.1, 0.01);
  for (int times = 0; times < 30; ++times) choose(sizes, QStringLiteral("Larger"));
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF() * 2.0, 0.01);
  choose(sizes, QStringLiteral("Default"));
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF(), 0.01);
}

TEST_F(TextSizeTest, RowsOfTablesGrowWithTheText) {
  MainWindow window(m_port);
  window.show();
  const auto* const table = window.list().findChild<QTableView*>();
  const int room = table->verticalHeader()->defaultSectionSize() - table->fontMetrics().height();
  TextSize sizes(window);
  const int before = table->fontMetrics().height();
  for (int times = 0; times < 5; ++times) choose(sizes, QStringLiteral("Larger"));
  QCoreApplication::processEvents();
  EXPECT_GT(table->fontMetrics().height(), before);
  EXPECT_EQ(table->verticalHeader()->defaultSectionSize() - table->fontMetrics().height(), room);
}

TEST_F(TextSizeTest, ColumnsKeepTheirLetters) {
  MainWindow window(m_port);
  window.resize(1600, 800);
  window.show();
  const QHeaderView* const columns = window.list().findChild<QTableView*>()->horizontalHeader();
  const int column = columns->logicalIndex(0);
  const int before = columns->sectionSize(column);
  TextSize sizes(window);
  for (int times = 0; times < 5; ++times) choose(sizes, QStringLiteral("Larger"));
  EXPECT_NEAR(columns->sectionSize(column), before * 1.5, 3);
  choose(sizes, QStringLiteral("Default"));
  EXPECT_NEAR(columns->sectionSize(column), before, 3);
}

TEST_F(TextSizeTest, HeadlinesGrowToo) {
  QWidget window;
  QLabel headline(&window);
  QFont large = headline.font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  headline.setFont(large);
  QLabel bold(&window);
  QFont heavy = bold.font();
  heavy.setBold(true);
  bold.setFont(heavy);
  window.show();
  TextSize sizes(window);
  choose(sizes, QStringLiteral("Larger"));
  QCoreApplication::processEvents();
  EXPECT_NEAR(headline.font().pointSizeF(), m_desktop.pointSizeF() * 1.5 * 1.1, 0.01);
  EXPECT_NEAR(bold.font().pointSizeF(), m_desktop.pointSizeF() * 1.1, 0.01) << "it follows the program's font";
}

TEST_F(TextSizeTest, IsKept) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
  QWidget window;
  TextSize first(window);
  choose(first, QStringLiteral("Smaller"));
  first.saveSettings(settings);
  QApplication::setFont(m_desktop);
  TextSize second(window);
  second.restoreSettings(settings);
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF() * 0.9, 0.01);
}

}  // namespace
}  // namespace tcpscope
