#include "ui/window/letter_size.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/ui/support/recording_port.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

class LetterSizeTest : public testing::Test {
protected:
  ~LetterSizeTest() override { QApplication::setFont(m_desktop); }
  static void choose(LetterSize& letters, const QString& item) {
    QMenu menu;
    letters.addTo(menu);
    for (QAction* action : menu.actions().constFirst()->menu()->actions()) {
      if (action->text().remove(u'&') == item) action->trigger();
    }
  }

  QFont m_desktop = QApplication::font();
  test::RecordingPort m_port;
};

TEST_F(LetterSizeTest, GrowsWithinBoundsAndComesBack) {
  QWidget window;
  LetterSize letters(window);
  choose(letters, QStringLiteral("Larger"));
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF() * 1.1, 0.01);
  for (int times = 0; times < 30; ++times) choose(letters, QStringLiteral("Larger"));
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF() * 2.0, 0.01);
  choose(letters, QStringLiteral("Default"));
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF(), 0.01);
}

TEST_F(LetterSizeTest, RowsOfTablesGrowWithTheLetters) {
  MainWindow window(m_port);
  window.show();
  const auto* const table = window.list().findChild<QTableView*>();
  const int room = table->verticalHeader()->defaultSectionSize() - table->fontMetrics().height();
  LetterSize letters(window);
  for (int times = 0; times < 5; ++times) choose(letters, QStringLiteral("Larger"));
  EXPECT_EQ(table->verticalHeader()->defaultSectionSize() - table->fontMetrics().height(), room);
}

TEST_F(LetterSizeTest, IsKept) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
  QWidget window;
  LetterSize first(window);
  choose(first, QStringLiteral("Smaller"));
  first.saveSettings(settings);
  QApplication::setFont(m_desktop);
  LetterSize second(window);
  second.restoreSettings(settings);
  EXPECT_NEAR(QApplication::font().pointSizeF(), m_desktop.pointSizeF() * 0.9, 0.01);
}

}  // namespace
}  // namespace tcpscope
