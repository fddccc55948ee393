// Drops and retransmissions of a live connection as lines of Loss bursts.
#include "ui/views/loss_bursts/loss_bursts_view.h"

#include <gtest/gtest.h>

#include <QPlainTextEdit>

#include "core/wire/loss/loss_summary.h"
#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"

namespace tcpscope {
namespace {

class LossBurstsViewTest : public testing::Test {
protected:
  void show(const std::vector<ReportedLoss>& losses) {
    const auto drawn = test::snapshotWithDetail({test::ObservationBuilder().build()});
    auto detail = std::make_shared<ConnectionDetail>(test::detailOf(drawn));
    detail->lossReports = losses;
    auto summary = std::make_shared<LossSummary>();
    summary->lostPackets = 1;
    detail->losses = summary;
    auto snapshot = std::make_shared<SessionSnapshot>(*drawn);
    snapshot->details[detail->row.id] = detail;
    m_selection.setConnection(detail->row.id);
    m_view.setSelection(m_selection);
    m_view.setSnapshot(snapshot);
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  LossBurstsView m_view{ViewContext{m_selection, m_control}};
};

TEST_F(LossBurstsViewTest, EachDropAndRetransmissionIsALineTheNewestFirst) {
  LossReport report{17, 1448, 1U, false, DropReason{"NETFILTER_DROP", 12}, {}};
  const Moment dropped = Moment() + std::chrono::seconds(1);
  const ReportedLoss drop{dropped, HistoryEventKind::localDrop, false, report};
  report.match = DropMatch{1448, std::chrono::minutes(3), 1U};
  show({drop, {dropped + Milliseconds(200), HistoryEventKind::retransmission, false, report}});
  const QStringList lines = m_view.eventLines().split(QLatin1Char('\n'));
  ASSERT_EQ(lines.size(), 2);
  EXPECT_TRUE(lines[0].contains(QStringLiteral("Retransmission: lost on this host: netfilter drop (NETFILTER_DROP)")))
      << lines[0].toStdString();
  EXPECT_TRUE(lines[1].contains(QStringLiteral("Packet to the peer: dropped on this host"))) << lines[1].toStdString();
  const auto* shown = m_view.findChild<QPlainTextEdit*>();
  ASSERT_NE(shown, nullptr);
  EXPECT_EQ(shown->toPlainText(), m_view.eventLines());
  EXPECT_FALSE(shown->isHidden());
  EXPECT_TRUE(m_view.description().contains(QStringLiteral("had dropped: 1 of the last 1")))
      << m_view.description().toStdString();
}

TEST_F(LossBurstsViewTest, WithoutReportsThereAreNoLines) {
  show({});
  EXPECT_TRUE(m_view.eventLines().isEmpty());
  EXPECT_TRUE(m_view.findChild<QPlainTextEdit*>()->isHidden());
}

}  // namespace
}  // namespace tcpscope
