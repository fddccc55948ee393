// The trigger of the scope, on the connections that it shows and on all others.
#include <gtest/gtest.h>

#include <QStackedWidget>

#include "tests/ui/views/scope_of_senders.h"

namespace tcpscope {
namespace {

using ScopeTriggerTest = test::ScopeOfSendersTest;
using test::WatchedSenders;

TEST_F(ScopeTriggerTest, ATriggerMayWaitOnAnyConnectionInTheScope) {
  WatchedSenders senders(2);
  ScopeView view(m_context);
  m_selection.setFurther(WatchedSenders::id(2), true);
  show(view, senders.runFor(Milliseconds(2000)));
  std::vector<std::pair<QString, ConnectionId>> fired;
  QObject::connect(&view, &ScopeView::triggerFired,
                   [&](const QString& what, ConnectionId id, const TriggerActions& actions) {
                     EXPECT_TRUE(actions.reports);
                     fired.emplace_back(what, id);
                   });
  // The first connection never has so large a window.
  const LevelTrigger level{Metric::congestionWindowBytes, true, 70.0 * 1448};
  TriggerChoice choice{level, {TriggerMode::single, 0.5, Nanoseconds(0)}, false, {false, false, true}};
  view.armTrigger(choice);
  m_snapshot = senders.runFor(Milliseconds(3000));
  update();
  EXPECT_TRUE(fired.empty()) << "of the selected one alone";
  choice.isOfAllShown = true;
  view.armTrigger(choice);
  m_snapshot = senders.runFor(Milliseconds(3000));
  update();
  ASSERT_EQ(fired.size(), 1U) << "once in single mode";
  EXPECT_EQ(fired.front().second, WatchedSenders::id(2));
  EXPECT_TRUE(fired.front().first.startsWith(QStringLiteral("cwnd (bytes) rises to")))
      << qPrintable(fired.front().first);
  EXPECT_TRUE(fired.front().first.contains(QStringLiteral(" on 192.0.2.1:50002, at ")))
      << qPrintable(fired.front().first);
  m_snapshot = senders.runFor(Milliseconds(12'000));
  update();
  EXPECT_EQ(fired.size(), 1U);
  EXPECT_EQ(view.acquisition().state(), AcquisitionState::stopped);
}

TEST_F(ScopeTriggerTest, TheTriggerOnTheScreenKeepsItsConnectionWhileTheNextOneWaits) {
  WatchedSenders senders(2);
  ScopeView view(m_context);
  m_selection.setFurther(WatchedSenders::id(2), true);
  show(view, senders.runFor(Milliseconds(2000)));
  std::vector<ConnectionId> fired;
  QObject::connect(&view, &ScopeView::triggerFired,
                   [&](const QString&, ConnectionId id, const TriggerActions&) { fired.push_back(id); });
  // At 2.3 s by the first connection; it holds the screen until 7.3 s, and at 7.5 s the second one has it.
  const LevelTrigger level{Metric::congestionWindowBytes, true, 54.5 * 1448};
  view.armTrigger(TriggerChoice{level, {TriggerMode::normal, 0.5, Nanoseconds(0)}, true, {}});
  m_snapshot = senders.runFor(Milliseconds(5400));
  update();
  ASSERT_EQ(fired, (std::vector{WatchedSenders::id(1)}));
  const QString shown = view.triggerText();
  EXPECT_TRUE(shown.contains(QStringLiteral(" on 192.0.2.1:50001, at "))) << qPrintable(shown);
  m_snapshot = senders.runFor(Milliseconds(400));
  update();
  ASSERT_EQ(fired, (std::vector{WatchedSenders::id(1), WatchedSenders::id(2)}));
  EXPECT_EQ(view.triggerText(), shown);
}

TEST_F(ScopeTriggerTest, ATriggerWaitsBehindAnotherView) {
  WatchedSenders senders(1);
  QStackedWidget stack;
  auto* view = new ScopeView(m_context);
  stack.addWidget(view);
  stack.addWidget(new QWidget);
  show(*view, senders.runFor(Milliseconds(2000)));
  int fired = 0;
  QObject::connect(view, &ScopeView::triggerFired, [&fired] { ++fired; });
  EXPECT_FALSE(view->needsEverySnapshot());
  const LevelTrigger level{Metric::congestionWindowBytes, true, 50.0 * 1448};
  view->armTrigger(TriggerChoice{level, {TriggerMode::single, 0.5, Nanoseconds(0)}, false, {false, false, true}});
  EXPECT_TRUE(view->needsEverySnapshot());
  stack.setCurrentIndex(1);
  const TimeSpan drawn = frameOf(*view).screen;
  m_snapshot = senders.runFor(Milliseconds(3000));
  view->setSnapshot(m_snapshot);
  EXPECT_EQ(fired, 1);
  EXPECT_EQ(frameOf(*view).screen, drawn) << "nothing is drawn that is not seen";
  m_snapshot = senders.runFor(Milliseconds(12'000));
  view->setSnapshot(m_snapshot);
  EXPECT_FALSE(view->needsEverySnapshot()) << "single mode is over";
  stack.setCurrentIndex(0);
  view->setSnapshot(m_snapshot);
  EXPECT_NE(frameOf(*view).screen, drawn);
  m_view = nullptr;
}

/// The scope is behind another view, and the selection is the third's.
TEST_F(ScopeTriggerTest, ATriggerOnAFilterSelectsItsConnection) {
  WatchedSenders senders(3);
  ScopeView view(m_context);
  show(view, senders.runFor(Milliseconds(2000)));
  std::vector<std::pair<QString, ConnectionId>> fired;
  QObject::connect(&view, &ScopeView::triggerFired,
                   [&](const QString& what, ConnectionId id, const TriggerActions&) { fired.emplace_back(what, id); });
  TriggerChoice choice;
  choice.filterText = "congestion_window_bytes > 140000";
  choice.settings.mode = TriggerMode::single;
  view.armTrigger(choice);
  ASSERT_TRUE(m_port.wanted.trigger) << "requested from the session";
  senders.setTrigger(*m_port.wanted.trigger);
  for (int step = 0; step < 100; ++step) {
    m_snapshot = senders.runFor(Milliseconds(100));
    update();
  }
  ASSERT_EQ(fired.size(), 1U) << "in single mode";
  EXPECT_EQ(fired.front().second, WatchedSenders::id(3));
  EXPECT_TRUE(fired.front().first.contains(QStringLiteral(" on 192.0.2.1:50003"))) << qPrintable(fired.front().first);
  EXPECT_EQ(m_selection.connection(), WatchedSenders::id(3));
  EXPECT_EQ(view.acquisition().state(), AcquisitionState::stopped);
  EXPECT_TRUE(view.acquisition().triggered());
  m_selection.setConnection(WatchedSenders::id(1));
  for (int step = 0; step < 20; ++step) {
    m_snapshot = senders.runFor(Milliseconds(100));
    update();
  }
  EXPECT_EQ(m_selection.connection(), WatchedSenders::id(1)) << "it is over";
  EXPECT_FALSE(view.needsEverySnapshot());
  press(view, QStringLiteral("Next trigger"));
  EXPECT_EQ(m_selection.connection(), WatchedSenders::id(3));
  EXPECT_EQ(view.acquisition().state(), AcquisitionState::stopped);
  EXPECT_TRUE(view.triggerText().contains(QStringLiteral(" on 192.0.2.1:50003"))) << qPrintable(view.triggerText());
  press(view, QStringLiteral("Trigger off"));
  EXPECT_FALSE(m_port.wanted.trigger);
}

TEST_F(ScopeTriggerTest, TheNextTriggerMayBeOfAnotherConnection) {
  WatchedSenders senders(2);
  ScopeView view(m_context);
  m_selection.setFurther(WatchedSenders::id(2), true);
  show(view, senders.runFor(Milliseconds(20'000)));
  const LevelTrigger level{Metric::congestionWindowBytes, true, 70.0 * 1448};
  view.armTrigger(TriggerChoice{level, {}, false, {}});
  press(view, QStringLiteral("Next trigger"));
  EXPECT_FALSE(view.triggerText().contains(QStringLiteral(", at "))) << "the selected one has none";
  view.armTrigger(TriggerChoice{level, {}, true, {}});
  press(view, QStringLiteral("Next trigger"));
  EXPECT_TRUE(view.triggerText().contains(QStringLiteral(" on 192.0.2.1:50002, at ")))
      << qPrintable(view.triggerText());
}

}  // namespace
}  // namespace tcpscope
