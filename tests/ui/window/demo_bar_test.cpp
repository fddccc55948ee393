#include "ui/window/demo_bar.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QMenuBar>
#include <QSignalSpy>
#include <QToolButton>
#include <algorithm>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/scripted_changes.h"
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
      {"slow_reader", "A slow reader", "The path carries 100 Mbit/s.", "The program at the other end pauses.",
       "Truth: the reader.", Limit::receiver},
      {"healthy", "A healthy path", "The path carries 100 Mbit/s.", "Nothing is wrong.", "", {}}};
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
  EXPECT_TRUE(shownText().contains("Demo: find the limit"));
  m_bar.stop();
  EXPECT_TRUE(m_bar.isHidden());
}

TEST_F(DemoBarTest, TheAnswerIsHiddenUntilTheUserAsks) {
  m_bar.start(0);
  enter(DemoPhase::running);
  EXPECT_FALSE(shownText().contains("Truth: the reader."));
  EXPECT_FALSE(shownText().contains("slow reader")) << "neither does the title give it away";
  EXPECT_FALSE(shownText().contains("pauses")) << "nor the story";
  EXPECT_TRUE(shownText().contains("The path carries 100 Mbit/s."));
  m_bar.showAnswer(true);
  EXPECT_TRUE(shownText().contains("pauses"));
  EXPECT_TRUE(shownText().contains("Demo: A slow reader"));
  EXPECT_TRUE(shownText().contains("Truth: the reader.")) << shownText().toStdString();
}

TEST_F(DemoBarTest, ARightGuessShowsTheAnswerAWrongOneAsksAgain) {
  m_bar.start(0);
  enter(DemoPhase::running);
  EXPECT_TRUE(shownText().contains("What limits it?"));
  m_bar.guess(DemoGuess::network);
  EXPECT_TRUE(shownText().contains("Not quite. What else limits it?")) << shownText().toStdString();
  EXPECT_FALSE(shownText().contains("Truth: the reader.")) << "another guess is possible";
  m_bar.start(0);
  enter(DemoPhase::running);
  m_bar.guess(DemoGuess::receiver);
  EXPECT_TRUE(shownText().contains("Right: Truth: the reader."));
}

TEST_F(DemoBarTest, AWrongGuessMovesNoButton) {
  m_bar.resize(1000, 100);
  m_bar.show();
  m_bar.start(0);
  enter(DemoPhase::running);
  QCoreApplication::processEvents();
  const auto places = [this] {
    std::vector<QPoint> places;
    for (const QToolButton* button : m_bar.findChildren<QToolButton*>()) {
      if (button->isVisible()) places.push_back(button->mapTo(&m_bar, QPoint()));
    }
    return places;
  };
  const auto before = places();
  m_bar.guess(DemoGuess::network);
  QCoreApplication::processEvents();
  EXPECT_EQ(places(), before);
}

TEST_F(DemoBarTest, WithoutAGuessNothingIsJudged) {
  m_bar.start(0);
  enter(DemoPhase::running);
  m_bar.showAnswer(true);
  EXPECT_TRUE(shownText().contains("Answer: Truth: the reader."));
}

TEST_F(DemoBarTest, AComparisonAsksForNoGuessAndHasNoFix) {
  m_bar.start(1);
  enter(DemoPhase::running);
  for (const QToolButton* button : m_bar.findChildren<QToolButton*>()) {
    EXPECT_NE(button->isVisibleTo(&m_bar) ? button->text() : QString(), "Receiver");
  }
  m_bar.showAnswer(true);
  for (const QToolButton* button : m_bar.findChildren<QToolButton*>()) {
    EXPECT_NE(button->isVisibleTo(&m_bar) ? button->text() : QString(), QStringLiteral("Fix it…"));
  }
}

TEST_F(DemoBarTest, TheFixIsOfferedWithTheAnswer) {
  const QSignalSpy fix(&m_bar, &DemoBar::fixRequested);
  m_bar.start(0);
  enter(DemoPhase::running);
  m_bar.guess(DemoGuess::receiver);
  for (QToolButton* button : m_bar.findChildren<QToolButton*>()) {
    if (button->isVisibleTo(&m_bar) && button->text() == QStringLiteral("Fix it…")) button->click();
  }
  EXPECT_EQ(fix.count(), 1);
  m_demo.now.verdict = "The sender's verdict: another.";
  m_bar.poll();
  EXPECT_FALSE(shownText().contains("another")) << "after the fix it is about something else";
}

TEST(DemoGuess, EveryLimitHasOne) {
  for (const Limit limit : kVerdictLimits) {
    const DemoGuess right = guessOf(limit);
    EXPECT_TRUE(std::any_of(kDemoGuesses.begin(), kDemoGuesses.end(),
                            [right](const DemoGuessRow& row) { return row.guess == right; }));
  }
  EXPECT_EQ(guessOf(Limit::timeout), DemoGuess::network);
  EXPECT_EQ(guessOf(Limit::stalled), DemoGuess::nothing);
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

TEST(DemoMenu, ListsTheScenariosByWhatLimitsThem) {
  test::RecordingPort port;
  ScriptedDemo demo;
  Ports ports;
  ports.demos = &demo;
  MainWindow window(port, ports);
  const auto bar = window.menuBar()->actions();
  const auto demos = std::find_if(bar.begin(), bar.end(), [](const QAction* menu) { return menu->text() == "&Demo"; });
  ASSERT_NE(demos, bar.end());
  QStringList shown;
  for (const QAction* group : (*demos)->menu()->actions()) {
    if (group->menu() == nullptr) continue;
    for (const QAction* action : group->menu()->actions()) shown << group->text() + u'/' + action->text();
  }
  EXPECT_EQ(shown, (QStringList{"&Receiver/A slow reader", "&Comparisons/A healthy path"}));
}

TEST(MainWindowWithDemos, HidesTheVerdictsUntilTheAnswerIsShown) {
  ScriptedDemo demo;
  test::RecordingPort port;
  Ports ports;
  ports.demos = &demo;
  MainWindow window(port, ports);
  port.snapshot = test::snapshotWithDetail({test::ObservationBuilder().build()});
  window.poll();
  const QAbstractItemModel* model = window.findChild<ConnectionTableView*>()->model();
  ASSERT_EQ(model->rowCount(), 1);
  const auto verdict = [model] {
    return model->index(0, static_cast<int>(ConnectionColumn::verdict)).data().toString();
  };
  EXPECT_NE(verdict(), "?");
  window.demoBar()->start(0);
  demo.now.phase = DemoPhase::running;
  window.demoBar()->poll();
  EXPECT_EQ(verdict(), "?");
  window.demoBar()->guess(DemoGuess::network);
  EXPECT_EQ(verdict(), "?") << "a wrong guess";
  window.demoBar()->guess(DemoGuess::receiver);
  EXPECT_NE(verdict(), "?");
  window.demoBar()->start(1);
  demo.now.phase = DemoPhase::running;
  window.demoBar()->poll();
  EXPECT_NE(verdict(), "?") << "nothing is to be guessed";
}

TEST(MainWindowWithDemos, ForgetsTheChangesOfADemoThatIsOver) {
  ScriptedDemo demo;
  test::ScriptedChanges advice;
  test::ScriptedChanges settings;
  test::RecordingPort port;
  Ports ports;
  ports.demos = &demo;
  ports.changes = &advice;
  ports.settings = &settings;
  MainWindow window(port, ports);
  window.demoBar()->start(0);
  demo.now.phase = DemoPhase::running;
  window.demoBar()->poll();
  auto shown = std::make_shared<SessionSnapshot>(*test::snapshotWithDetail({test::ObservationBuilder().build()}));
  shown->places.resize(1);
  shown->places.front().id = PlaceId{9};
  port.snapshot = shown;
  window.poll();
  advice.current.phase = settings.current.phase = HostChangePhase::inForce;
  advice.current.place = PlaceId{9};
  settings.current.place = PlaceId{0};
  // The next one, without an end of the first.
  window.demoBar()->start(1);
  EXPECT_EQ(advice.current.phase, HostChangePhase::none);
  EXPECT_EQ(settings.current.phase, HostChangePhase::inForce) << "it is a host's behind the demo";
}

}  // namespace
}  // namespace tcpscope
