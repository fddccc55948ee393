#include "ui/window/demo_bar.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QMenuBar>
#include <QSignalSpy>

#include "tests/ui/support/recording_port.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

/// A lab that does what the test says.
class ScriptedDemo final : public DemoPort {
public:
  [[nodiscard]] const std::vector<DemoScenario>& scenarios() const override { return m_scenarios; }
  void start(std::size_t scenario) override { now = {DemoPhase::starting, scenario, {}, {}, {}}; }
  void stop() override { now = {}; }
  [[nodiscard]] DemoState state() override { return now; }

  DemoState now;

private:
  std::vector<DemoScenario> m_scenarios = {
      {"slow_reader", "A slow reader", "The program at the other end pauses.", "Truth: the reader."},
      {"healthy", "A healthy path", "Nothing is wrong.", ""}};
};

class DemoBarTest : public testing::Test {
protected:
  void enter(DemoPhase phase) {
    m_demo.now.phase = phase;
    m_demo.now.main = ConnectionFilter::parse("dport = :5001").value();
    m_bar.poll();
  }
  [[nodiscard]] QString shownText() const {
    QStringList texts;
    for (const QLabel* label : m_bar.findChildren<QLabel*>()) {
      if (!label->isHidden()) texts << label->text();
    }
    return texts.join(u'\n');
  }

  ScriptedDemo m_demo;
  DemoBar m_bar{m_demo};
};

TEST_F(DemoBarTest, IsVisibleOnlyWhileADemoExists) {
  m_bar.poll();
  EXPECT_TRUE(m_bar.isHidden());
  m_bar.start(0);
  EXPECT_FALSE(m_bar.isHidden());
  EXPECT_TRUE(shownText().contains("A slow reader"));
  m_bar.stop();
  EXPECT_TRUE(m_bar.isHidden());
}

TEST_F(DemoBarTest, TheAnswerIsHiddenUntilTheUserAsks) {
  m_bar.start(0);
  enter(DemoPhase::running);
  EXPECT_FALSE(shownText().contains("Truth: the reader."));
  m_bar.showAnswer(true);
  EXPECT_TRUE(shownText().contains("Truth: the reader.")) << shownText().toStdString();
  EXPECT_TRUE(shownText().contains("pauses"));
}

TEST_F(DemoBarTest, AnotherDemoHidesTheAnswerAgain) {
  m_bar.start(0);
  enter(DemoPhase::running);
  m_bar.showAnswer(true);
  m_bar.start(1);
  enter(DemoPhase::running);
  EXPECT_FALSE(shownText().contains("no single fault"));
}

TEST_F(DemoBarTest, AnnouncesOnceWhichConnectionToSelect) {
  const QSignalSpy started(&m_bar, &DemoBar::started);
  m_bar.start(0);
  EXPECT_EQ(started.count(), 0);
  enter(DemoPhase::running);
  m_bar.poll();
  EXPECT_EQ(started.count(), 1);
}

TEST_F(DemoBarTest, ShowsWithTheAnswerWhetherTheVerdictAgrees) {
  m_bar.start(0);
  m_demo.now.verdict = "Both ends agree.";
  enter(DemoPhase::running);
  EXPECT_FALSE(shownText().contains("Both ends agree."));
  m_bar.showAnswer(true);
  EXPECT_TRUE(shownText().contains("Both ends agree.")) << shownText().toStdString();
}

TEST_F(DemoBarTest, AnnouncesTheEndOfARunningDemo) {
  const QSignalSpy ended(&m_bar, &DemoBar::ended);
  m_bar.start(0);
  enter(DemoPhase::running);
  EXPECT_EQ(ended.count(), 0);
  m_bar.start(1);
  EXPECT_EQ(ended.count(), 1);
  m_bar.stop();
  EXPECT_EQ(ended.count(), 1);
}

TEST_F(DemoBarTest, ShowsWhyADemoDoesNotRun) {
  m_bar.start(0);
  m_demo.now.notice = "this kernel has no user namespaces.";
  enter(DemoPhase::failed);
  EXPECT_TRUE(shownText().contains("no user namespaces")) << shownText().toStdString();
}

TEST(DemoMenu, ListsTheScenariosByTitle) {
  test::RecordingPort port;
  ScriptedDemo demo;
  Ports ports;
  ports.demos = &demo;
  MainWindow window(port, ports);
  QStringList titles;
  for (const QAction* menu : window.menuBar()->actions()) {
    if (menu->text() != "&Demo") continue;
    for (const QAction* action : menu->menu()->actions()) titles << action->text();
  }
  EXPECT_TRUE(titles.contains("A slow reader"));
  EXPECT_TRUE(titles.contains("A healthy path"));
}

}  // namespace
}  // namespace tcpscope
