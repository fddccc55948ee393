// What the window does when the trigger fires.
#include "ui/window/trigger_responder.h"

#include <gtest/gtest.h>

#include <QFileInfo>
#include <QMainWindow>
#include <QStatusBar>
#include <QTemporaryDir>
#include <set>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"

namespace tcpscope {
namespace {

class RingRecorder final : public RecordPort {
public:
  void start(const std::string& path, RecordedData /*data*/) override {
    now = {RecordPhase::recording, {}, 0, 0, {}, path};
  }
  void startRing(const std::string& path, std::chrono::seconds keeps) override {
    start(path, RecordedData::samples);
    kept = keeps;
    ++rings;
  }
  void stop() override { now.phase = RecordPhase::ended; }
  void discard() override {
    now = {};
    ++discarded;
  }
  void forget() override { now = {}; }
  RecordState state() override { return now; }

  RecordState now;
  std::chrono::seconds kept{0};
  int rings = 0;
  int discarded = 0;
};

class KeptReports final : public ReportPort {
public:
  void write(ReportRequest request) override { written.push_back(std::move(request)); }
  void forget() override {}
  ReportState state() override { return {}; }

  std::vector<ReportRequest> written;
};

class TriggerResponderTest : public testing::Test {
protected:
  TriggerResponderTest() {
    m_port.snapshot = test::snapshotWithDetail({test::ObservationBuilder().build()});
    m_feed.poll();
  }

  const ConnectionId m_id = test::ObservationBuilder().build().id;
  QTemporaryDir m_folder;
  test::RecordingPort m_port;
  SnapshotFeed m_feed{m_port};
  Selection m_selection;
  ControlState m_control{m_port};
  KeptReports m_reports;
  RingRecorder m_recorder;
  QMainWindow m_window;
  ReportBar m_reportBar{m_reports};
  RecordBar m_recordBar{m_recorder};
  ReportActions m_actions{m_reportBar, m_feed, m_selection, m_control, m_window};
  LiveCaptureBar m_captureBar{m_control};
  TriggerResponder m_responder{{m_window, m_feed, &m_actions, &m_recordBar, &m_captureBar}, m_folder.path()};
};

TEST_F(TriggerResponderTest, RecordsIntoARingThatIsRemovedWithoutATrigger) {
  m_responder.arm({false, true, false});
  EXPECT_EQ(m_recorder.rings, 1);
  EXPECT_GE(m_recorder.kept * 7 / 8, TriggerResponder::kBefore + TriggerResponder::kAfter)
      << "an eighth is dropped at a time, until the ring ends";
  EXPECT_TRUE(m_recorder.now.path.starts_with(m_folder.path().toStdString() + "/tcpscope-trigger-"));
  m_responder.arm({});
  EXPECT_EQ(m_recorder.discarded, 1);
}

TEST_F(TriggerResponderTest, KeepsTheRingOfATrigger) {
  m_responder.arm({false, true, false});
  m_responder.respond(QStringLiteral("Retransmission"), m_id, {false, true, false});
  m_responder.arm({});
  EXPECT_EQ(m_recorder.discarded, 0);
  EXPECT_EQ(m_recorder.now.phase, RecordPhase::recording) << "until some seconds after it";
}

TEST_F(TriggerResponderTest, LeavesARecordingOfTheUserAlone) {
  m_recordBar.start(QStringLiteral("/tmp/own.tcpscope"));
  m_responder.arm({false, true, false});
  m_responder.arm({});
  EXPECT_EQ(m_recorder.rings, 0);
  EXPECT_EQ(m_recorder.discarded, 0);
  EXPECT_EQ(m_recorder.now.path, "/tmp/own.tcpscope");
}

TEST_F(TriggerResponderTest, LeavesARecordingAloneThatReplacedTheRing) {
  m_responder.arm({false, true, false});
  m_recordBar.start(QStringLiteral("/tmp/own.tcpscope"));
  m_responder.respond(QStringLiteral("Retransmission"), m_id, {false, true, false});
  m_responder.arm({false, true, false});
  m_responder.arm({});
  EXPECT_EQ(m_recorder.rings, 1);
  EXPECT_EQ(m_recorder.discarded, 0);
  EXPECT_EQ(m_recorder.now.phase, RecordPhase::recording);
  EXPECT_EQ(m_recorder.now.path, "/tmp/own.tcpscope");
}

TEST_F(TriggerResponderTest, KeepsARingThatTheUserStopped) {
  m_responder.arm({false, true, false});
  m_recordBar.stop();
  m_responder.arm({});
  EXPECT_EQ(m_recorder.discarded, 0);
}

TEST_F(TriggerResponderTest, BeginsANewRingWhenArmedSoonAfterATrigger) {
  m_responder.arm({false, true, false});
  m_responder.respond(QStringLiteral("Retransmission"), m_id, {false, true, false});
  m_responder.arm({false, true, false});
  EXPECT_EQ(m_recorder.rings, 2);
  EXPECT_EQ(m_recorder.discarded, 0) << "the first one met its trigger";
  m_responder.arm({});
  EXPECT_EQ(m_recorder.discarded, 1);
}

TEST_F(TriggerResponderTest, SavesReportsOfTheConnectionUpToABound) {
  m_responder.arm({false, false, true});
  for (int trigger = 0; trigger < 2 * TriggerResponder::kMostReports; ++trigger)
    m_responder.respond(QStringLiteral("Retransmission"), m_id, {false, false, true});
  ASSERT_EQ(m_reports.written.size(), static_cast<std::size_t>(TriggerResponder::kMostReports));
  ASSERT_EQ(m_reports.written.front().details.size(), 1U);
  EXPECT_EQ(m_reports.written.front().details.front()->row.id, m_id);
  EXPECT_TRUE(m_reports.written.front().path.ends_with(".html"));
  std::set<std::string> paths;
  for (const ReportRequest& request : m_reports.written) paths.insert(request.path);
  EXPECT_EQ(paths.size(), m_reports.written.size()) << "all in the same second, and none is replaced";
}

TEST_F(TriggerResponderTest, ReportsOnceTheConnectionIsKnownInFull) {
  const auto known = m_port.snapshot;
  auto before = std::make_shared<SessionSnapshot>(*known);
  before->number = known->number + 1;
  before->details.clear();
  m_port.snapshot = before;
  m_feed.poll();
  m_responder.respond(QStringLiteral("A connection begins to match"), m_id, {false, false, true});
  EXPECT_TRUE(m_reports.written.empty());
  auto after = std::make_shared<SessionSnapshot>(*known);
  after->number = before->number + 1;
  m_port.snapshot = after;
  m_feed.poll();
  ASSERT_EQ(m_reports.written.size(), 1U);
  EXPECT_EQ(m_reports.written.front().details.front()->row.id, m_id);
}

TEST_F(TriggerResponderTest, CapturesThePacketsOfTheConnection) {
  const TriggerActions captures{false, false, false, true};
  m_responder.respond(QStringLiteral("Retransmission"), m_id, captures);
  ASSERT_TRUE(m_port.wanted.capture);
  EXPECT_EQ(m_port.wanted.capture->connection, m_id);
  EXPECT_FALSE(m_port.wanted.capture->isOver);
  const std::uint32_t number = m_port.wanted.capture->number;
  m_responder.respond(QStringLiteral("Retransmission"), m_id, captures);
  EXPECT_EQ(m_port.wanted.capture->number, number) << "the one that runs goes on";
}

TEST_F(TriggerResponderTest, LeavesACaptureOfTheUserAlone) {
  m_captureBar.capture(*m_feed.latest()->find(m_id));
  const auto own = m_port.wanted.capture;
  m_responder.respond(QStringLiteral("Retransmission"), m_id, {false, false, false, true});
  EXPECT_EQ(m_port.wanted.capture, own);
}

TEST_F(TriggerResponderTest, NotifiesInTheWindow) {
  m_responder.respond(QStringLiteral("Retransmission on curl"), m_id, {true, false, false});
  EXPECT_EQ(m_window.statusBar()->currentMessage(), QStringLiteral("Trigger: Retransmission on curl"));
}

}  // namespace
}  // namespace tcpscope
