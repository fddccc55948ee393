// A capture as its user meets it: opened, looked at, left again; and files that are none.
#include "app/desktop/opened_file.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

#include "app/desktop/shown_replay.h"
#include "core/session/capture/captured_packets.h"
#include "tests/app/desktop/demo_waiting.h"
#include "tests/app/desktop/pretended_wireshark.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/written_recording.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

using test::comesTrue;

class OpenedFileTest : public testing::Test {
protected:
  OpenedFileTest() { m_window.show(); }
  [[nodiscard]] Ports ports() {
    Ports ports;
    ports.captures = &m_file;
    ports.replay = &m_replay;
    ports.demos = &m_demo;
    return ports;
  }
  void open(const std::string& name) {
    m_window.openFile(QString::fromStdString((test::testData() / "captures" / name).string()));
  }
  [[nodiscard]] CaptureBar& bar() { return *m_window.findChild<CaptureBar*>(); }

  test::RecordingPort m_home;
  SwitchedSession m_shown{m_home};
  OpenedFile m_file{m_shown};
  ShownReplay m_replay{m_shown};
  LabDemo m_demo{m_shown, test::sourcesWithoutLab()};
  MainWindow m_window{m_shown, ports()};
};

TEST_F(OpenedFileTest, ShowsTheFirstConnectionWithItsPackets) {
  open("composite-retransmissions.pcap");
  ASSERT_TRUE(comesTrue([&] { return m_window.selection().connection().has_value(); }));
  const ConnectionId selected = *m_window.selection().connection();
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest()->details.contains(selected); }));
  const auto packets = m_shown.latest()->details.at(selected)->packets;
  ASSERT_NE(packets, nullptr);
  EXPECT_EQ(packets->analysis.flow.directions[packets->analysis.bulk].sent.retransmittedPackets.value(), 12U);
  bar().poll();
  EXPECT_TRUE(bar().headline().contains(QStringLiteral("composite-retransmissions.pcap, 248 packets")))
      << bar().headline().toStdString();
}

TEST_F(OpenedFileTest, HandsTheFileThatIsShownToWireshark) {
  const test::OnlyPath path;
  const QString arguments = test::pretendWireshark(path);
  EXPECT_FALSE(m_file.showInWireshark("tcp", 17)) << "no capture is shown";
  open("fast-open.pcap");
  open("does-not-exist.pcap");
  ASSERT_TRUE(m_file.showInWireshark("tcp", 17));
  const QByteArray given = test::contentOnceWritten(arguments);
  EXPECT_TRUE(given.contains("/fast-open.pcap\n-Y\ntcp\n-g\n17\n")) << given.toStdString();
}

TEST_F(OpenedFileTest, SavesThePacketsOfAConnection) {
  const QTemporaryDir folder;
  const QString saved = folder.filePath(QStringLiteral("saved.pcapng"));
  open("composite-retransmissions.pcap");
  ASSERT_TRUE(comesTrue([&] { return m_window.selection().connection().has_value(); }));
  const ConnectionId selected = *m_window.selection().connection();
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest()->details.contains(selected); }));
  m_file.savePackets(selected, saved.toStdString());
  ASSERT_TRUE(comesTrue([&] { return m_file.state().notice.find("saved in") != std::string::npos; }))
      << m_file.state().notice;
  EXPECT_NE(m_file.state().notice.find("with comments"), std::string::npos) << m_file.state().notice;
  m_window.openFile(saved);
  EXPECT_TRUE(comesTrue([&] { return m_shown.latest() && m_shown.latest()->totalRows == 1; }));
}

TEST_F(OpenedFileTest, SaysWhereTheyCannotBeSaved) {
  open("composite-retransmissions.pcap");
  ASSERT_TRUE(comesTrue([&] { return m_window.selection().connection().has_value(); }));
  const ConnectionId selected = *m_window.selection().connection();
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest()->details.contains(selected); }));
  m_file.savePackets(selected, "/nonexistent/saved.pcapng");
  EXPECT_TRUE(comesTrue([&] { return m_file.state().notice.find("/nonexistent") != std::string::npos; }))
      << m_file.state().notice;
}

TEST_F(OpenedFileTest, ComesBackToThisMachine) {
  open("fast-open.pcap");
  ASSERT_TRUE(comesTrue([&] { return m_window.selection().connection().has_value(); }));
  bar().close();
  EXPECT_EQ(m_shown.latest(), m_home.latest());
  EXPECT_FALSE(m_window.selection().connection());
  EXPECT_TRUE(bar().isHidden());
}

TEST_F(OpenedFileTest, AnotherFileTakesThePlaceOfTheFirst) {
  open("fast-open.pcap");
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest() && m_shown.latest()->totalRows == 3; }));
  const PlaceId first = m_shown.latest()->places.front().id;
  open("accecn-handshake.pcap");
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest() && m_shown.latest()->totalRows == 1; }));
  EXPECT_NE(m_shown.latest()->places.front().id, first);
}

TEST_F(OpenedFileTest, ARecordingGoesToAnyMomentAndTheSelectionStays) {
  const test::TemporaryFile file("");
  const test::WrittenMinute written(file.path());
  m_window.openFile(QString::fromStdString(file.path()));
  ReplayBar& replay = *m_window.replayBar();
  EXPECT_FALSE(replay.isHidden());
  m_replay.pause();
  ASSERT_TRUE(comesTrue([&] { return m_window.selection().connection() && m_replay.state()->end; }));
  const ConnectionId first{m_window.selection().connection()->place, 1};
  m_window.selection().setConnection(first);
  const auto shows = [&](Nanoseconds sinceBegin) {
    m_replay.seek(test::writtenBegin() + sinceBegin);
    return comesTrue([&] {
      const auto snapshot = m_shown.latest();
      const auto detail = snapshot->details.find(first);
      return snapshot->time == test::writtenBegin() + sinceBegin && detail != snapshot->details.end() &&
             detail->second->history.lastTime() == snapshot->time;
    });
  };
  EXPECT_TRUE(shows(std::chrono::seconds(50)));
  EXPECT_TRUE(shows(std::chrono::seconds(8)));
  EXPECT_EQ(m_window.selection().connection(), first);
  replay.poll();
  EXPECT_EQ(replay.positionText(), QStringLiteral("00:00:08 of 00:01:00"));
  bar().close();
  EXPECT_TRUE(replay.isHidden());
  EXPECT_FALSE(m_replay.state());
}

TEST_F(OpenedFileTest, ARecordingShowsItsComment) {
  const test::TemporaryFile file("");
  const test::WrittenMinute written(file.path(), {}, UntrustedText("before the update\x1b[2J"));
  m_window.openFile(QString::fromStdString(file.path()));
  EXPECT_TRUE(bar().headline().contains(QStringLiteral(" — before the update"))) << bar().headline().toStdString();
  EXPECT_FALSE(bar().headline().contains(u'\x1b'));
}

TEST_F(OpenedFileTest, ACaptureHasNothingToPlay) {
  open("fast-open.pcap");
  EXPECT_TRUE(m_window.replayBar()->isHidden());
}

TEST_F(OpenedFileTest, WhatIsNoCaptureIsRefusedAndNothingElseChanges) {
  open("README.md");
  const CaptureState state = m_file.state();
  EXPECT_EQ(state.phase, CapturePhase::failed);
  EXPECT_NE(state.notice.find("README.md"), std::string::npos) << state.notice;
  EXPECT_EQ(m_shown.latest(), m_home.latest());
  EXPECT_FALSE(bar().isHidden());
  bar().close();
  EXPECT_TRUE(bar().isHidden());
}

TEST_F(OpenedFileTest, AnOpenFileStaysWhereAnotherCannotBeOpened) {
  open("fast-open.pcap");
  ASSERT_TRUE(comesTrue([&] { return m_window.selection().connection().has_value(); }));
  const ConnectionId selected = *m_window.selection().connection();
  open("README.md");
  ASSERT_NE(m_shown.latest(), m_home.latest());
  EXPECT_EQ(m_shown.latest()->totalRows, 3U);
  EXPECT_EQ(m_window.selection().connection(), selected);
  EXPECT_TRUE(bar().headline().contains(QStringLiteral("fast-open.pcap"))) << bar().headline().toStdString();
  EXPECT_TRUE(bar().notice().contains(QStringLiteral("README.md"))) << bar().notice().toStdString();
  bar().close();
  EXPECT_EQ(m_shown.latest(), m_home.latest());
}

TEST_F(OpenedFileTest, ADemoGoesOnWhereAFileCannotBeOpened) {
  m_window.demoBar()->start(0);
  ASSERT_TRUE(comesTrue([&] { return m_window.selection().connection().has_value(); }));
  const auto ofDemo = &m_shown.shown();
  open("README.md");
  EXPECT_EQ(&m_shown.shown(), ofDemo);
  open("fast-open.pcap");
  EXPECT_TRUE(m_window.demoBar()->isHidden());
  EXPECT_TRUE(comesTrue([&] { return m_shown.latest() && m_shown.latest()->totalRows == 3; }));
}

TEST_F(OpenedFileTest, ACutFileSaysWhereItIsCut) {
  QTemporaryDir folder;
  QFile whole(QString::fromStdString((test::testData() / "captures" / "fast-open.pcap").string()));
  ASSERT_TRUE(whole.open(QIODevice::ReadOnly));
  const QString path = folder.filePath(QStringLiteral("cut.pcap"));
  QFile cut(path);
  ASSERT_TRUE(cut.open(QIODevice::WriteOnly));
  cut.write(whole.readAll().chopped(10));
  cut.close();
  m_window.openFile(path);
  ASSERT_TRUE(comesTrue([&] { return m_file.state().phase == CapturePhase::open; }));
  EXPECT_NE(m_file.state().notice.find("byte"), std::string::npos) << m_file.state().notice;
  EXPECT_GT(m_file.state().packets, 0U);
}

}  // namespace
}  // namespace tcpscope
