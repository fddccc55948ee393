#include "ui/window/presentation.h"

#include <gtest/gtest.h>

#include <QMenuBar>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/support/recording_port.h"
#include "ui/plots/trace_plot.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

class PresentationTest : public testing::Test {
protected:
  PresentationTest() {
    m_window.views().showView(QStringLiteral("scope"));
    m_window.show();
    QCoreApplication::processEvents();
  }
  QAction* action(const QString& text) {
    for (const QAction* menu : m_window.menuBar()->actions()) {
      for (QAction* action : menu->menu()->actions()) {
        if (action->text().remove(u'&') == text) return action;
      }
    }
    return nullptr;
  }

  test::RecordingPort m_port;
  MainWindow m_window{m_port};
};

TEST_F(PresentationTest, ThePlotHasMoreThanHalfOfASmallWindow) {
  m_window.resize(1280, 720);
  QCoreApplication::processEvents();
  const auto* const plot = m_window.findChild<TracePlot*>();
  EXPECT_GE(plot->width() * plot->height(), 1280 * 720 * 55 / 100) << plot->width() << " x " << plot->height();
}

TEST_F(PresentationTest, TheListIsHiddenOnRequestAndComesBackWithItsKey) {
  action(QStringLiteral("Hide the list"))->trigger();
  EXPECT_TRUE(m_window.list().isHidden());
  action(QStringLiteral("Connection list"))->trigger();
  EXPECT_FALSE(m_window.list().isHidden());
}

TEST_F(PresentationTest, LeavesTheViewAloneInLargeLettersUntilEscape) {
  const double usual = m_window.views().font().pointSizeF();
  action(QStringLiteral("Presentation"))->trigger();
  EXPECT_TRUE(m_window.isFullScreen());
  EXPECT_TRUE(m_window.list().isHidden());
  EXPECT_TRUE(m_window.views().tabBar()->isHidden());
  EXPECT_GT(m_window.views().font().pointSizeF(), usual * 1.4);
  // The scope has the key, too.
  auto* const plot = m_window.findChild<TracePlot*>();
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_Escape);
  EXPECT_FALSE(m_window.isFullScreen());
  EXPECT_FALSE(m_window.list().isHidden());
  EXPECT_FALSE(m_window.views().tabBar()->isHidden());
  EXPECT_EQ(m_window.views().font().pointSizeF(), usual);
}

TEST_F(PresentationTest, AListThatWasHiddenStaysHiddenAfterIt) {
  action(QStringLiteral("Hide the list"))->trigger();
  action(QStringLiteral("Presentation"))->trigger();
  action(QStringLiteral("Presentation"))->trigger();
  EXPECT_TRUE(m_window.list().isHidden());
}

TEST_F(PresentationTest, IsOverAfterARestartAndAFullScreenIsKnown) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("settings.ini");
  action(QStringLiteral("Full screen"))->trigger();
  action(QStringLiteral("Presentation"))->trigger();
  {
    QSettings settings(file, QSettings::IniFormat);
    m_window.saveSettings(settings);
  }
  EXPECT_FALSE(m_window.views().tabBar()->isHidden());
  QSettings settings(file, QSettings::IniFormat);
  action(QStringLiteral("Full screen"))->trigger();
  m_window.restoreSettings(settings);
  EXPECT_EQ(action(QStringLiteral("Full screen"))->isChecked(), m_window.isFullScreen());
}

}  // namespace
}  // namespace tcpscope
