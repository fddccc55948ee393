// A live capture as its user meets it in the window: begun from the list, its filter changed, stopped, saved, refused.
#include "ui/window/live_capture_bar.h"

#include <gtest/gtest.h>

#include <QCoreApplication>

#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/snapshot_drawing.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

class LiveCaptureBarTest : public testing::Test {
protected:
  LiveCaptureBarTest() { m_bar.capture(test::connectionRow({7})); }

  void report(const std::function<void(LiveCaptureState&)>& change) {
    auto snapshot = std::make_shared<SessionSnapshot>();
    m_state.number = request().number;
    change(m_state);
    snapshot->capture = m_state;
    m_bar.setSnapshot(snapshot);
  }
  [[nodiscard]] const CaptureRequest& request() const { return *m_port.wanted.capture; }

  test::RecordingPort m_port;
  ControlState m_control{m_port};
  LiveCaptureBar m_bar{m_control};
  LiveCaptureState m_state{1, {PlaceId{0}, 7}, LiveCapturePhase::running};
};

TEST_F(LiveCaptureBarTest, BeginsWithTheFilterOfExactlyThisConnection) {
  ASSERT_TRUE(m_port.wanted.capture);
  EXPECT_EQ(request().connection.cookie, 7U);
  EXPECT_EQ(request().filter, "tcp and host 192.0.2.1 and port 7 and host 198.51.100.2 and port 443");
  EXPECT_FALSE(m_bar.isHidden());
  EXPECT_EQ(m_bar.filter().text().toStdString(), request().filter);
}

TEST_F(LiveCaptureBarTest, AnotherFilterIsAnotherCapture) {
  const std::uint32_t first = request().number;
  m_bar.filter().setText(QStringLiteral("host 192.0.2.1"));
  emit m_bar.filter().returnPressed();
  EXPECT_EQ(request().filter, "host 192.0.2.1");
  EXPECT_NE(request().number, first);
}

TEST_F(LiveCaptureBarTest, ReportsTheCaptureAndWhatIsMissing) {
  report([](LiveCaptureState& state) {
    state.interface = "eth0";
    state.packets = 1200;
    state.connectionPackets = 1200;
    state.dropped = 0;
    state.clockError = Nanoseconds(200);
  });
  EXPECT_TRUE(m_bar.headline().contains(QStringLiteral("Capturing packets of 192.0.2.1:7")))
      << qPrintable(m_bar.headline());
  EXPECT_TRUE(m_bar.headline().contains(QStringLiteral("eth0")));
  EXPECT_TRUE(m_bar.notice().contains(QStringLiteral("1200 packets captured, none dropped")))
      << qPrintable(m_bar.notice());
  report([](LiveCaptureState& state) {
    state.dropped = 35;
    state.discarded = 400;
  });
  EXPECT_TRUE(m_bar.notice().contains(QStringLiteral("35 dropped"))) << qPrintable(m_bar.notice());
  EXPECT_TRUE(m_bar.notice().contains(QStringLiteral("lower confidence"))) << qPrintable(m_bar.notice());
  EXPECT_TRUE(m_bar.notice().contains(QStringLiteral("the oldest 400 were dropped to save memory")))
      << qPrintable(m_bar.notice());
}

TEST_F(LiveCaptureBarTest, ABadFilterIsReportedAtItsField) {
  report([](LiveCaptureState& state) {
    state.phase = LiveCapturePhase::failed;
    state.error =
        LiveCaptureError{LiveCaptureErrorKind::badFilter, UntrustedText("port of call"), UntrustedText("syntax error")};
  });
  EXPECT_TRUE(m_bar.fault().contains(QStringLiteral("syntax error"))) << qPrintable(m_bar.fault());
  EXPECT_TRUE(m_bar.notice().isEmpty());
  report([](LiveCaptureState& state) {
    state.phase = LiveCapturePhase::running;
    state.error.reset();
  });
  EXPECT_TRUE(m_bar.fault().isEmpty());
}

TEST_F(LiveCaptureBarTest, WithoutPrivilegeItExplainsWhatToDo) {
  report([](LiveCaptureState& state) {
    state.phase = LiveCapturePhase::failed;
    state.error = LiveCaptureError{LiveCaptureErrorKind::missingRight, UntrustedText("eth0"), {}};
  });
  EXPECT_TRUE(m_bar.fault().isEmpty());
  EXPECT_TRUE(m_bar.notice().contains(QStringLiteral("dumpcap"))) << qPrintable(m_bar.notice());
  EXPECT_TRUE(m_bar.notice().contains(QStringLiteral("as root"))) << qPrintable(m_bar.notice());
}

TEST_F(LiveCaptureBarTest, StopsSavesAndCloses) {
  report([](LiveCaptureState& state) { state.packets = 3; });
  for (QAction* action : m_bar.captureActions()) EXPECT_TRUE(action->isEnabled()) << qPrintable(action->text());
  m_bar.stop();
  EXPECT_TRUE(request().isOver);
  m_bar.save(QStringLiteral("/tmp/x.pcapng"));
  EXPECT_EQ(request().saveTo, "/tmp/x.pcapng");
  EXPECT_EQ(request().saveNumber, 1U);
  EXPECT_TRUE(request().isOver);
  report([](LiveCaptureState& state) { state.saved = SavedCapture{1, UntrustedText("/tmp/x.pcapng"), 3, {}}; });
  EXPECT_TRUE(m_bar.notice().contains(QStringLiteral("3 packets saved in /tmp/x.pcapng")))
      << qPrintable(m_bar.notice());
  m_bar.close();
  EXPECT_FALSE(m_port.wanted.capture);
  EXPECT_TRUE(m_bar.isHidden());
  for (QAction* action : m_bar.captureActions()) EXPECT_FALSE(action->isEnabled()) << qPrintable(action->text());
}

TEST_F(LiveCaptureBarTest, UpdatesOfAnOlderCaptureAreNotShown) {
  m_bar.capture(test::connectionRow({8}));
  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->capture = LiveCaptureState{1, {PlaceId{0}, 7}, LiveCapturePhase::failed};
  m_bar.setSnapshot(snapshot);
  EXPECT_TRUE(m_bar.headline().contains(QStringLiteral("192.0.2.1:8"))) << qPrintable(m_bar.headline());
  EXPECT_TRUE(m_bar.headline().contains(QStringLiteral("Starting"))) << qPrintable(m_bar.headline());
}

TEST(CapturePacketsAction, CapturesTheSelectedConnectionAndShowsItsPackets) {
  test::RecordingPort port;
  port.snapshot = test::snapshotOf({{7}, {8}});
  MainWindow window(port);
  window.resize(1000, 700);
  QAction* capture = nullptr;
  for (QAction* action : window.list().actions()) {
    if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)) capture = action;
  }
  ASSERT_NE(capture, nullptr);
  window.show();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (window.list().filterText().isNull() || !capture->isEnabled()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    QCoreApplication::processEvents();
    window.selection().setConnection(ConnectionId{PlaceId{0}, 8});
  }
  capture->trigger();
  ASSERT_TRUE(port.wanted.capture);
  EXPECT_EQ(port.wanted.capture->connection.cookie, 8U);
  EXPECT_EQ(window.views().currentKey(), QStringLiteral("packets"));
}

}  // namespace
}  // namespace tcpscope
