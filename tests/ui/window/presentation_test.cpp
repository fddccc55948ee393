#include "ui/window/presentation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <algorithm>

#include "tests/ui/support/recording_port.h"
#include "ui/plots/plot_theme.h"
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

TEST_F(PresentationTest, HeadlinesStayLargerThanTheTextBelowThem) {
  const auto sizes = [this] {
    std::vector<double> points;
    for (const QLabel* label : m_window.findChildren<QLabel*>()) points.push_back(label->font().pointSizeF());
    return points;
  };
  m_window.views().showView(QStringLiteral("diagnosis"));
  const std::vector<double> usual = sizes();
  const double headline = *std::max_element(usual.begin(), usual.end());
  ASSERT_GT(headline, m_window.views().font().pointSizeF());
  action(QStringLiteral("Presentation"))->trigger();
  const std::vector<double> large = sizes();
  EXPECT_NEAR(*std::max_element(large.begin(), large.end()), headline * 1.5, 0.1);
  action(QStringLiteral("Presentation"))->trigger();
  EXPECT_THAT(sizes(), testing::Pointwise(testing::DoubleNear(0.1), usual));
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

TEST_F(PresentationTest, EscapeClosesAMenuFirst) {
  action(QStringLiteral("Presentation"))->trigger();
  QMenu menu(&m_window);
  menu.addAction(QStringLiteral("Fit all"));
  menu.popup(QPoint(100, 100));
  ASSERT_EQ(QApplication::activePopupWidget(), &menu);
  QTest::keyClick(&menu, Qt::Key_Escape);
  EXPECT_FALSE(menu.isVisible());
  EXPECT_TRUE(m_window.isFullScreen());
  action(QStringLiteral("Presentation"))->trigger();
}

TEST_F(PresentationTest, MenusAndTipsHaveLargeLettersAndTracesAreWide) {
  const QFont usualMenu = QApplication::font("QMenu");
  const QFont usualTip = QToolTip::font();
  EXPECT_EQ(traceWidth(m_window.findChild<TracePlot*>()->font()), 1);
  action(QStringLiteral("Presentation"))->trigger();
  EXPECT_GT(QApplication::font("QMenu").pointSizeF(), usualMenu.pointSizeF() * 1.4);
  EXPECT_GT(QToolTip::font().pointSizeF(), usualTip.pointSizeF() * 1.4);
  EXPECT_GE(traceWidth(m_window.findChild<TracePlot*>()->font()), 2);
  action(QStringLiteral("Presentation"))->trigger();
  EXPECT_EQ(QApplication::font("QMenu").pointSizeF(), usualMenu.pointSizeF());
  EXPECT_EQ(QToolTip::font().pointSizeF(), usualTip.pointSizeF());
  EXPECT_EQ(traceWidth(m_window.findChild<TracePlot*>()->font()), 1);
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
