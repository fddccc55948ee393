// A bar of the intervals between losses leads to the lost packets.
#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QAction>
#include <QCoreApplication>
#include <QTest>

#include "tests/ui/support/captured_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/loss_bursts/loss_bursts_view.h"
#include "ui/views/packet_graphs/packet_graphs_view.h"

namespace tcpscope {
namespace {

class LossIntervalPackets : public testing::Test {
protected:
  LossIntervalPackets() {
    m_snapshot = test::snapshotOfCapture(test::capturedPackets(test::drawnTransfer(2000, 50)));
    m_selection.setConnection(m_snapshot->details.begin()->first);
    QObject::connect(&m_view, &View::packetsRequested,
                     [this](const PacketTarget& target) { m_targets.push_back(target); });
    m_view.resize(1280, 700);
    m_view.setSelection(m_selection);
    m_view.setSnapshot(m_snapshot);
    m_view.show();
    m_view.grab();
    QCoreApplication::processEvents();
    m_view.grab();
  }
  void press(const QString& text) {
    for (QAction* action : m_view.actions()) {
      if (action->text() == text) return action->trigger();
    }
    FAIL() << "no action " << text.toStdString();
  }
  [[nodiscard]] const LossSummary& loss() const {
    return m_snapshot->details.begin()->second->packets->analysis.directions[0].loss;
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
  LossBurstsView m_view{m_context};
  SnapshotPointer m_snapshot;
  std::vector<PacketTarget> m_targets;
};

TEST_F(LossIntervalPackets, AClickOnABarAsksForItsPackets) {
  // All losses are 50 ms apart.
  const double interval = loss().intervalsRtt.front();
  auto* plot = m_view.findChild<QCustomPlot*>();
  QTest::mouseClick(
      plot, Qt::LeftButton, {},
      {static_cast<int>(plot->xAxis->coordToPixel(interval * 1.01)), plot->axisRect()->rect().bottom() - 3});
  ASSERT_EQ(m_targets.size(), 1U);
  EXPECT_EQ(m_targets[0].sentAt.size(), loss().lossTimes.size());
  EXPECT_EQ(m_targets[0].direction, 0U);
  EXPECT_TRUE(m_view.selectionText().startsWith(QStringLiteral("39 of 39 intervals")))
      << qPrintable(m_view.selectionText());
  EXPECT_FALSE(m_view.selectionText().contains(QStringLiteral("e-"))) << qPrintable(m_view.selectionText());

  PacketGraphsView packets(m_context);
  packets.setSelection(m_selection);
  packets.setSnapshot(m_snapshot);
  packets.openPackets(m_targets[0]);
  const auto selected = packets.selectedPacket();
  ASSERT_TRUE(selected);
  const auto& series = m_snapshot->details.begin()->second->packets->sent(0);
  const PointedPacket first = packetNumbered(series, *selected);
  ASSERT_TRUE(first.segment);
  // The first transmission of what was lost, not its repair.
  EXPECT_EQ(first.segment->kind, SegmentKind::newData);
  EXPECT_EQ(packets.findChild<PacketPlot*>()->frame().marked.size(), 40U);
}

TEST_F(LossIntervalPackets, AClickBesideTheBarsAsksForNothing) {
  auto* plot = m_view.findChild<QCustomPlot*>();
  QTest::mouseClick(plot, Qt::LeftButton, {},
                    {static_cast<int>(plot->xAxis->coordToPixel(loss().intervalsRtt.front() * 30.0)), 100});
  EXPECT_TRUE(m_targets.empty());
}

TEST_F(LossIntervalPackets, KeysChooseABarAndShowItsPackets) {
  press(QStringLiteral("Show the &packets of the interval"));
  EXPECT_TRUE(m_targets.empty());
  press(QStringLiteral("Next interval"));
  EXPECT_FALSE(m_view.selectionText().isEmpty());
  press(QStringLiteral("Show the &packets of the interval"));
  EXPECT_EQ(m_targets.size(), 1U);
}

}  // namespace
}  // namespace tcpscope
