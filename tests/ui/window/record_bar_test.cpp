// A recording as its user meets it in the window: begun, stopped, opened, ended by a full disk.
#include "ui/window/record_bar.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

namespace tcpscope {
namespace {

class PretendedRecorder final : public RecordPort {
public:
  void start(const std::string& path, RecordedData data) override {
    now = {RecordPhase::recording, "slow.tcpscope", 0, 0, {}, path};
    wanted = data;
  }
  void startRing(const std::string& path, std::chrono::seconds /*keeps*/) override { start(path, {}); }
  void stop() override { now.phase = RecordPhase::ended; }
  void discard() override { now = {}; }
  void forget() override { now = {}; }
  RecordState state() override { return now; }

  RecordState now;
  RecordedData wanted = RecordedData::samples;
};

class RecordBarTest : public testing::Test {
protected:
  QToolButton* button(const QString& text) {
    for (QToolButton* one : m_bar.findChildren<QToolButton*>()) {
      if (one->text() == text) return one;
    }
    return nullptr;
  }

  PretendedRecorder m_port;
  RecordBar m_bar{m_port};
};

TEST_F(RecordBarTest, AsksForPacketsWhereTheyAreWanted) {
  m_bar.start(QStringLiteral("/tmp/slow.tcpscope"));
  EXPECT_EQ(m_port.wanted, RecordedData::samples);
  m_bar.start(QStringLiteral("/tmp/slow.tcpscope"), RecordedData::samplesAndPackets);
  EXPECT_EQ(m_port.wanted, RecordedData::samplesAndPackets);
}

TEST_F(RecordBarTest, ShowsDurationAndSize) {
  EXPECT_TRUE(m_bar.isHidden());
  EXPECT_FALSE(m_bar.stopAction()->isEnabled());
  m_bar.start(QStringLiteral("/tmp/slow.tcpscope"));
  m_port.now.elapsedS = 3725;
  m_port.now.bytes = 1536;
  m_bar.poll();
  EXPECT_FALSE(m_bar.isHidden());
  EXPECT_TRUE(m_bar.headline().contains(QStringLiteral("slow.tcpscope: 1:02:05, 1.50 KiB")))
      << qPrintable(m_bar.headline());
  EXPECT_TRUE(m_bar.stopAction()->isEnabled());
}

TEST_F(RecordBarTest, OpensWhatWasRecorded) {
  m_bar.start(QStringLiteral("/tmp/slow.tcpscope"));
  m_port.now.bytes = 1536;
  m_bar.stop();
  const QSignalSpy wanted(&m_bar, &RecordBar::openRequested);
  button(QStringLiteral("Open"))->click();
  ASSERT_EQ(wanted.size(), 1);
  EXPECT_EQ(wanted[0][0].toString(), QStringLiteral("/tmp/slow.tcpscope"));
  EXPECT_TRUE(m_bar.isHidden());
}

TEST_F(RecordBarTest, ReportsTheRecordingThatAFullDiskEnded) {
  m_bar.start(QStringLiteral("/tmp/slow.tcpscope"));
  m_port.now.phase = RecordPhase::failed;
  m_port.now.bytes = 1536;
  m_port.now.notice = "cannot write";
  m_bar.poll();
  EXPECT_TRUE(m_bar.headline().contains(QStringLiteral("stopped early"))) << qPrintable(m_bar.headline());
  EXPECT_EQ(m_bar.notice(), QStringLiteral("cannot write"));
  EXPECT_FALSE(button(QStringLiteral("Open"))->isHidden());
  EXPECT_FALSE(button(QStringLiteral("Close"))->isHidden());
}

}  // namespace
}  // namespace tcpscope
