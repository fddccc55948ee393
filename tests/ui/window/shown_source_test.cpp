// What a file that is opened shows: a capture its worst connection on the packets, and this host again afterwards.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/snapshot_drawing.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

class OneFile final : public CapturePort {
public:
  bool open(const std::string& /*path*/) override {
    phase = CapturePhase::reading;
    return true;
  }
  bool openInNewWindow(const std::string& path) override {
    besides.push_back(path);
    return true;
  }
  void stopReading() override {}
  void close() override { phase = CapturePhase::none; }
  bool showInWireshark(const std::string& /*displayFilter*/, std::optional<std::uint64_t> /*frame*/) override {
    return false;
  }
  void findPacket(std::uint64_t /*frame*/) override {}
  void savePackets(ConnectionId /*connection*/, const std::string& /*path*/) override {}
  CaptureState state() override {
    CaptureState state;
    state.phase = phase;
    return state;
  }

  CapturePhase phase = CapturePhase::none;
  std::vector<std::string> besides;
};

class ShownSourceTest : public testing::Test {
protected:
  ShownSourceTest() {
    Ports ports;
    ports.captures = &m_file;
    m_window = std::make_unique<MainWindow>(m_port, ports);
    m_window->show();
    publish({{7}}, false);
  }
  /// The next snapshot reaches the window as the feed brings it.
  void publish(const std::vector<test::DrawnRow>& rows, bool isCapture) {
    auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotOf(rows));
    snapshot->number = ++m_number;
    snapshot->time = Moment() + std::chrono::seconds(m_number);
    Place place;
    if (isCapture) place.recording = UntrustedText("a.pcap");
    place.isCapture = isCapture;
    snapshot->places = {place};
    m_port.snapshot = snapshot;
    m_window->poll();
  }
  [[nodiscard]] std::uint64_t selected() const {
    const auto& connection = m_window->selection().connection();
    return connection ? connection->cookie : 0;
  }

  test::RecordingPort m_port;
  OneFile m_file;
  std::unique_ptr<MainWindow> m_window;
  std::uint64_t m_number = 0;
};

TEST_F(ShownSourceTest, TheStartSelectsTheWorstOnceVerdictsAreKnown) {
  const test::DrawnRow idle{1};
  const test::DrawnRow fast{.cookie = 2, .sendRateBps = 9e6F};
  const test::DrawnRow limited{.cookie = 3, .sendRateBps = 1e6F, .severity = 3};
  const test::DrawnRow over{.cookie = 4, .sendRateBps = 1e6F, .severity = 3, .state = TcpState::timeWait};
  for (int second = 0; second < 4; ++second) publish({idle, fast, over, limited}, false);
  EXPECT_EQ(selected(), 0U);
  publish({idle, fast, over, limited}, false);
  EXPECT_EQ(selected(), 3U);
  m_window->selection().setConnection(std::nullopt);
  publish({idle, fast, over, limited}, false);
  EXPECT_EQ(selected(), 0U) << "the start is over";
}

TEST_F(ShownSourceTest, NothingIsSelectedAtTheStartWhereNothingMoves) {
  for (int second = 0; second < 9; ++second) publish({{1}, {.cookie = 2, .state = TcpState::timeWait}}, false);
  EXPECT_EQ(selected(), 0U);
  publish({{1}, {.cookie = 5, .sendRateBps = 10.0F}}, false);
  EXPECT_EQ(selected(), 5U);
}

TEST_F(ShownSourceTest, ACaptureOpensOnThePacketsOfItsWorstConnection) {
  m_window->openFile(QStringLiteral("a.pcap"));
  publish({{1}, {2}}, true);
  EXPECT_EQ(m_window->views().currentKey(), "packets");
  EXPECT_EQ(selected(), 0U) << "the worst is not known before the end";
  m_file.phase = CapturePhase::open;
  publish({{1}, {2}}, true);
  publish({{2}, {1}}, true);
  EXPECT_EQ(selected(), 2U);
}

TEST_F(ShownSourceTest, WhatTheUserSelectsMeanwhileStays) {
  m_window->openFile(QStringLiteral("a.pcap"));
  publish({{1}, {2}}, true);
  m_window->selection().setConnection(ConnectionId{PlaceId{0}, 1});
  m_file.phase = CapturePhase::open;
  publish({{2}, {1}}, true);
  publish({{2}, {1}}, true);
  EXPECT_EQ(selected(), 1U);
}

TEST_F(ShownSourceTest, AViewThatWasAskedForStays) {
  m_window->openFile(QStringLiteral("a.pcap"));
  m_window->views().showView(QStringLiteral("scope"));
  publish({{1}}, true);
  EXPECT_EQ(m_window->views().currentKey(), "scope");
}

TEST_F(ShownSourceTest, AViewThatTheKeyboardChoseStays) {
  m_window->openFile(QStringLiteral("a.pcap"));
  // As Ctrl+Tab does.
  m_window->views().setCurrentIndex(2);
  publish({{1}}, true);
  EXPECT_EQ(m_window->views().currentIndex(), 2);
}

TEST_F(ShownSourceTest, TheViewOfACaptureIsNotTheOneOfTheNextStart) {
  m_window->views().showView(QStringLiteral("diagnosis"));
  m_window->openFile(QStringLiteral("a.pcap"));
  publish({{1}}, true);
  ASSERT_EQ(m_window->views().currentKey(), "packets");
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  m_window->views().saveSettings(settings);
  EXPECT_EQ(settings.value("window/view").toString(), "diagnosis");
}

TEST_F(ShownSourceTest, ClosingTheFileBringsThePreviousViewBack) {
  m_window->views().showView(QStringLiteral("diagnosis"));
  m_window->openFile(QStringLiteral("a.pcap"));
  publish({{1}}, true);
  EXPECT_EQ(m_window->views().currentKey(), "packets");
  for (CaptureBar* bar : m_window->findChildren<CaptureBar*>()) bar->close();
  EXPECT_EQ(m_window->views().currentKey(), "diagnosis");
}

TEST_F(ShownSourceTest, AFileMayHaveAWindowOfItsOwn) {
  m_window->openFile(QStringLiteral("a.pcap"));
  publish({{1}}, true);
  EXPECT_EQ(m_window->windowTitle(), QStringLiteral("a.pcap – tcpscope"));
  m_window->findChild<FileActions*>()->openInNewWindow(QStringLiteral("b.pcap"));
  EXPECT_EQ(m_file.besides, std::vector<std::string>{"b.pcap"});
  EXPECT_EQ(m_file.phase, CapturePhase::reading) << "the first one stays";
}

TEST_F(ShownSourceTest, AFindingLeadsToItsPacketsAndBack) {
  m_window->views().showView(QStringLiteral("diagnosis"));
  View* diagnosis = m_window->views().views().at(1);
  PacketTarget target;
  target.what = QStringLiteral("Finding: packet loss");
  emit diagnosis->packetsRequested(target);
  EXPECT_EQ(m_window->views().currentKey(), "packets");
  View* packets = m_window->views().views().at(6);
  emit packets->backRequested();
  EXPECT_EQ(m_window->views().currentKey(), "diagnosis");
}

}  // namespace
}  // namespace tcpscope
