// A live capture in the window, of a real connection on the loopback interface: the packets stand in the view of the
// same row, beside the kernel's figures; what is saved can be opened again.
#include <gtest/gtest.h>

#include <QTemporaryDir>

#include "app/desktop/opened_file.h"
#include "app/session/local_place.h"
#include "core/session/capture/captured_packets.h"
#include "tests/app/desktop/demo_waiting.h"
#include "tests/support/loopback_connection.h"
#include "ui/plots/packet_plot.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

using test::comesTrue;

class LiveCaptureWindow : public ::testing::Test {
protected:
  void SetUp() override {
    const auto place = findLocalPlace(std::nullopt);
    ASSERT_TRUE(place);
    SessionControl control;
    control.listInterval = Milliseconds(100);
    auto session = openLocalSession(*place, {control, false, {}});
    ASSERT_TRUE(session);
    m_session = std::move(*session);
    m_shown = std::make_unique<SwitchedSession>(*m_session);
    m_file = std::make_unique<OpenedFile>(*m_shown);
    Ports ports;
    ports.captures = m_file.get();
    m_window = std::make_unique<MainWindow>(*m_shown, ports);
    m_window->resize(1280, 800);
    m_window->show();
    auto ends = m_listener.connect();
    m_client = std::move(ends.first);
    m_server = std::move(ends.second);
    m_id = ConnectionId{place->place.id, test::cookieOf(m_client)};
  }
  /// As by a click, once the list has the row.
  bool isSelected() {
    return comesTrue([&] {
      const auto snapshot = m_shown->latest();
      if (!snapshot || snapshot->find(m_id) == nullptr) return false;
      m_window->selection().setConnection(m_id);
      return detail() != nullptr;
    });
  }
  void send() {
    const std::string text(2000, 'x');
    ASSERT_EQ(write(m_client.number(), text.data(), text.size()), 2000);
  }
  [[nodiscard]] std::shared_ptr<const ConnectionDetail> detail() const {
    const auto snapshot = m_shown->latest();
    if (!snapshot || !snapshot->details.contains(m_id)) return nullptr;
    return snapshot->details.at(m_id);
  }
  [[nodiscard]] LiveCapturePhase phase() const {
    const auto snapshot = m_shown->latest();
    return snapshot && snapshot->capture ? snapshot->capture->phase : LiveCapturePhase::starting;
  }
  /// May this process not capture? Any other failure is one of the test.
  [[nodiscard]] bool isDenied() const {
    const auto error = m_shown->latest()->capture->error;
    return error && error->kind == LiveCaptureErrorKind::missingRight;
  }
  [[nodiscard]] const PacketFrame& frame() const { return m_window->findChild<PacketPlot*>()->frame(); }

  test::LoopbackListener m_listener;
  test::Descriptor m_client;
  test::Descriptor m_server;
  ConnectionId m_id;
  std::unique_ptr<LiveSession> m_session;
  std::unique_ptr<SwitchedSession> m_shown;
  std::unique_ptr<OpenedFile> m_file;
  std::unique_ptr<MainWindow> m_window;
};

TEST_F(LiveCaptureWindow, ShowsThePacketsOfTheSelectedRowUntilStoppedAndTheFileSaysTheSame) {
  ASSERT_TRUE(isSelected());
  ASSERT_TRUE(comesTrue([&] {
    m_window->capturePackets();
    return m_window->liveCapture().isVisible();
  }));
  ASSERT_TRUE(comesTrue([&] { return phase() != LiveCapturePhase::starting; }));
  if (isDenied()) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  send();
  ASSERT_TRUE(comesTrue([&] { return detail() && detail()->packets; }));
  ASSERT_TRUE(comesTrue([&] { return frame().series != nullptr; }));
  EXPECT_NE(frame().kernel.history, nullptr);
  // The handshake was before the capture: the scale is the kernel's.
  EXPECT_TRUE(detail()->packets->sent(0).windowScale());
  m_window->liveCapture().stop();
  ASSERT_TRUE(comesTrue([&] { return phase() == LiveCapturePhase::ended; }));
  const std::uint64_t packets = m_shown->latest()->capture->packets;

  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("live.pcapng"));
  m_window->liveCapture().save(path);
  ASSERT_TRUE(comesTrue([&] { return m_shown->latest()->capture->saved.has_value(); }));
  m_window->openFile(path);
  ASSERT_TRUE(comesTrue([&] { return m_file->state().phase == CapturePhase::open; }));
  EXPECT_EQ(m_file->state().packets, packets);
  EXPECT_FALSE(m_window->liveCapture().isVisible());
  m_window->findChild<CaptureBar*>()->close();
}

TEST_F(LiveCaptureWindow, ClosingItLetsThePacketsGo) {
  ASSERT_TRUE(isSelected());
  ASSERT_TRUE(comesTrue([&] {
    m_window->capturePackets();
    return m_window->liveCapture().isVisible();
  }));
  ASSERT_TRUE(comesTrue([&] { return phase() != LiveCapturePhase::starting; }));
  if (isDenied()) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  send();
  ASSERT_TRUE(comesTrue([&] { return detail() && detail()->packets; }));
  m_window->liveCapture().close();
  EXPECT_TRUE(comesTrue([&] { return detail() && !detail()->packets && !m_shown->latest()->capture; }));
}

}  // namespace
}  // namespace tcpscope
