// A demo as its user meets it: from the menu into the scope, and back.
#include <gtest/gtest.h>

#include <QDir>
#include <QMenuBar>
#include <QTemporaryDir>

#include "app/desktop/shown_recorder.h"
#include "app/session/replay_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/session/capture/captured_packets.h"
#include "tests/app/desktop/demo_waiting.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

using test::comesTrue;

class DemoWindow : public testing::Test {
protected:
  DemoWindow() { m_window.show(); }

  [[nodiscard]] Ports ports() {
    Ports ports;
    ports.demos = &m_demo;
    return ports;
  }

  [[nodiscard]] QAction* demoAction(const QString& title) const {
    for (const QAction* menu : m_window.menuBar()->actions()) {
      if (menu->text() != "&Demo") continue;
      for (QAction* action : menu->menu()->findChildren<QAction*>()) {
        if (action->text() == title) return action;
      }
    }
    return nullptr;
  }

  test::RecordingPort m_home;
  SwitchedSession m_shown{m_home};
  LabDemo m_demo{m_shown, test::sourcesWithoutLab()};
  MainWindow m_window{m_shown, ports()};
};

TEST_F(DemoWindow, OffersEveryDemoByItsTitle) {
  for (const DemoScenario& scenario : m_demo.scenarios()) {
    EXPECT_NE(demoAction(QString::fromStdString(scenario.title)), nullptr) << scenario.name;
  }
}

TEST_F(DemoWindow, ShowsTheMainConnectionInTheScopeAndComesBack) {
  const ConnectionId ofHost{PlaceId{0}, 7};
  m_window.selection().setConnection(ofHost);
  m_window.views().showView("variables");
  QAction* action = demoAction("Mistuned receiver");
  ASSERT_NE(action, nullptr);
  action->trigger();
  EXPECT_FALSE(m_window.demoBar()->isHidden());
  ASSERT_TRUE(comesTrue([&] {
    const auto& selected = m_window.selection().connection();
    return selected && *selected != ofHost;
  }));
  EXPECT_EQ(m_window.views().currentKey(), QStringLiteral("scope"));
  const ConnectionId main = *m_window.selection().connection();
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest() && m_shown.latest()->details.contains(main); }));
  EXPECT_EQ(m_shown.latest()->details.at(main)->socket.remote.port, 5001);

  m_window.demoBar()->stop();
  EXPECT_TRUE(m_window.demoBar()->isHidden());
  EXPECT_EQ(m_window.selection().connection(), ofHost);
  EXPECT_EQ(m_home.wanted.focus, ofHost);
}

/// Where this machine has labs.
TEST(DemoPacketsInTheWindow, FillTheViewsOfPacketsWhileADemoRuns) {
  test::RecordingPort home;
  SwitchedSession shown(home);
  LabDemo demo(shown, {});
  Ports ports;
  ports.demos = &demo;
  MainWindow window(shown, ports);
  window.show();
  window.demoBar()->start(test::numberOf(demo, "bursty_loss"));
  const DemoState state = test::settled(demo);
  if (state.phase == DemoPhase::failed) GTEST_SKIP() << state.notice;
  ASSERT_TRUE(comesTrue([&] { return window.selection().connection().has_value(); }));
  EXPECT_TRUE(window.liveCapture().headline().isEmpty()) << "nothing is captured before a view shows packets";
  ASSERT_TRUE(window.views().showView("losses"));
  const auto packets = [&]() -> std::shared_ptr<const CapturedPackets> {
    const auto detail = sharedDetail(shown.latest(), window.selection());
    return detail ? detail->packets : nullptr;
  };
  EXPECT_TRUE(comesTrue([&] { return packets() != nullptr && !packets()->series.isEmpty(); }))
      << window.liveCapture().notice().toStdString();

  window.liveCapture().close();
  ASSERT_TRUE(comesTrue([&] { return packets() == nullptr; }));
  EXPECT_TRUE(window.liveCapture().headline().isEmpty()) << "what was closed stays closed";
}

TEST(DemoPacketsInTheWindow, AreInARecordingThatIsToHaveThem) {
  test::RecordingPort home;
  SwitchedSession shown(home);
  LabDemo demo(shown, {});
  ShownRecorder recorder(shown, {monotonicNow});
  Ports ports;
  ports.demos = &demo;
  ports.recordings = &recorder;
  MainWindow window(shown, ports);
  window.show();
  window.demoBar()->start(test::numberOf(demo, "bursty_loss"));
  const DemoState state = test::settled(demo);
  if (state.phase == DemoPhase::failed) GTEST_SKIP() << state.notice;
  ASSERT_TRUE(comesTrue([&] { return window.selection().connection().has_value(); }));
  const QTemporaryDir folder;
  recorder.start(folder.filePath(QStringLiteral("slow.tcpscope")).toStdString(), RecordedData::samplesAndPackets);
  ASSERT_TRUE(window.views().showView("packets"));
  ASSERT_TRUE(comesTrue([&] { return recorder.state().notice.find("packet headers in") != std::string::npos; }))
      << recorder.state().notice;
  recorder.stop();
  ASSERT_TRUE(comesTrue([&] { return recorder.state().phase == RecordPhase::ended; }));
  window.demoBar()->stop();

  const QStringList files = QDir(folder.path()).entryList({QStringLiteral("*.packets.pcapng")});
  ASSERT_EQ(files.size(), 1);
  QString name = files.constFirst();
  name.replace(QStringLiteral(".packets.pcapng"), QStringLiteral(".tcpscope"));
  SessionControl control;
  auto replay = openReplay(folder.filePath(name).toStdString(), control);
  ASSERT_TRUE(replay);
  (*replay)->seek(kNeverReached);
  const auto mainOf = [](const SessionSnapshot& seen) -> std::optional<ConnectionId> {
    for (const std::uint32_t slot : *seen.order)
      if (seen.row(slot).remote.port == 5001 || seen.row(slot).local.port == 5001) return seen.row(slot).id;
    return std::nullopt;
  };
  ASSERT_TRUE(comesTrue([&] { return (*replay)->latest() && mainOf(*(*replay)->latest()); }));
  control.focus = mainOf(*(*replay)->latest());
  (*replay)->setControl(control);
  EXPECT_TRUE(comesTrue([&] {
    const auto detail = (*replay)->latest()->details.find(*control.focus);
    return detail != (*replay)->latest()->details.end() && detail->second->packets != nullptr;
  }));
}

TEST_F(DemoWindow, AnEndBeforeTheFirstPictureLeavesTheFilterAsItWas) {
  m_window.demoBar()->start(0);
  ASSERT_TRUE(comesTrue([&] { return m_demo.state().phase == DemoPhase::running; }));
  m_window.demoBar()->poll();
  m_window.demoBar()->stop();
  EXPECT_EQ(m_home.wanted.filter.root(), nullptr);
  EXPECT_FALSE(m_window.selection().connection());
}

}  // namespace
}  // namespace tcpscope
