// A report as its user meets it in the window: written, opened, refused.
#include "ui/window/report_bar.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <utility>

namespace tcpscope {
namespace {

class PretendedReports final : public ReportPort {
public:
  void write(ReportRequest request) override { now = {ReportPhase::writing, "slow.html", 0, {}, request.path}; }
  void forget() override { now = std::exchange(afterwards, {}); }
  ReportState state() override { return now; }

  ReportState now;
  /// The state after forget().
  ReportState afterwards;
};

class ReportBarTest : public testing::Test {
protected:
  QToolButton* button(const QString& text) {
    for (QToolButton* one : m_bar.findChildren<QToolButton*>()) {
      if (one->text() == text) return one;
    }
    return nullptr;
  }

  PretendedReports m_port;
  ReportBar m_bar{m_port};
};

TEST_F(ReportBarTest, ShowsFromTheRequestOnAndReportsTheSize) {
  EXPECT_TRUE(m_bar.isHidden());
  m_bar.write({"/tmp/slow.html", nullptr, {}, false});
  EXPECT_FALSE(m_bar.isHidden());
  EXPECT_EQ(m_bar.headline(), QStringLiteral("Writing the report slow.html…"));
  EXPECT_TRUE(button(QStringLiteral("Open"))->isHidden());
  m_port.now.phase = ReportPhase::written;
  m_port.now.bytes = 1536;
  EXPECT_TRUE(QTest::qWaitFor([this] { return m_bar.headline() == QStringLiteral("Report slow.html: 1.50 KiB"); }))
      << "it polls on its own timer";
}

TEST_F(ReportBarTest, OpensWhatWasWritten) {
  m_bar.write({"/tmp/slow.html", nullptr, {}, false});
  m_port.now.phase = ReportPhase::written;
  m_bar.poll();
  const QSignalSpy wanted(&m_bar, &ReportBar::openRequested);
  button(QStringLiteral("Open"))->click();
  ASSERT_EQ(wanted.size(), 1);
  EXPECT_EQ(wanted[0][0].toString(), QStringLiteral("/tmp/slow.html"));
  EXPECT_TRUE(m_bar.isHidden());
}

TEST_F(ReportBarTest, ShowsWhyThereIsNoReport) {
  m_bar.write({"/none/slow.html", nullptr, {}, false});
  m_port.now.phase = ReportPhase::failed;
  m_port.now.notice = "cannot write the report";
  m_bar.poll();
  EXPECT_EQ(m_bar.headline(), QStringLiteral("The report was not written"));
  EXPECT_EQ(m_bar.notice(), QStringLiteral("cannot write the report"));
  EXPECT_TRUE(button(QStringLiteral("Open"))->isHidden());
  button(QStringLiteral("Close"))->click();
  EXPECT_TRUE(m_bar.isHidden());
}

TEST_F(ReportBarTest, ContinuesWithTheNextReportAfterAFailure) {
  m_bar.write({"/none/slow.html", nullptr, {}, false});
  m_port.now.phase = ReportPhase::failed;
  m_port.afterwards = {ReportPhase::writing, "next.html", 0, {}, "/tmp/next.html"};
  m_bar.poll();
  button(QStringLiteral("Close"))->click();
  EXPECT_EQ(m_bar.headline(), QStringLiteral("Writing the report next.html…"));
  m_port.now.phase = ReportPhase::written;
  EXPECT_TRUE(QTest::qWaitFor([this] { return m_bar.headline() == QStringLiteral("Report next.html: 0 B"); }))
      << "it polls on its own timer";
}

}  // namespace
}  // namespace tcpscope
