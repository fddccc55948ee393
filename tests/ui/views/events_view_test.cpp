// The events in their table: the newest first, a selection that stays with its events, text to copy.
#include "ui/views/events/events_view.h"

#include <gtest/gtest.h>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "ui/widgets/row_table.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;

class EventsViewTest : public testing::Test {
protected:
  /// The events at 1 s, 2 s, … in place of those that the samples show.
  void show(const std::vector<HistoryEvent>& events, const std::vector<ChangeMark>& changes = {},
            const std::vector<ReportedLoss>& losses = {}) {
    const auto drawn = test::snapshotWithDetail({ObservationBuilder().build()});
    auto detail = std::make_shared<ConnectionDetail>(test::detailOf(drawn));
    detail->events = events;
    detail->changeMarks = changes;
    detail->lossReports = losses;
    auto snapshot = std::make_shared<SessionSnapshot>(*drawn);
    snapshot->details[detail->row.id] = detail;
    m_selection.setConnection(detail->row.id);
    m_view.setSelection(m_selection);
    m_view.setSnapshot(snapshot);
  }
  static HistoryEvent event(int second, HistoryEventKind kind, std::uint64_t count = 1) {
    return {Moment() + std::chrono::seconds(second), kind, count};
  }
  [[nodiscard]] QString cell(int row, int column) const {
    return table().model()->index(row, column).data().toString();
  }
  [[nodiscard]] QTableView& table() const { return *m_view.findChild<QTableView*>(); }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  EventsView m_view{ViewContext{m_selection, m_control}};
};

TEST_F(EventsViewTest, ListsTheNewestEventFirst) {
  show({event(1, HistoryEventKind::retransmission, 3), event(2, HistoryEventKind::timeout)});
  ASSERT_EQ(table().model()->rowCount(), 2);
  EXPECT_EQ(cell(0, 1), QStringLiteral("RTO"));
  EXPECT_EQ(cell(1, 1), QStringLiteral("Retransmission"));
  EXPECT_EQ(cell(1, 2), QStringLiteral("3"));
  EXPECT_EQ(m_view.summary(), QStringLiteral("3 × retransmission · 1 × RTO"));
}

TEST_F(EventsViewTest, StatesBothValuesOfASettingAndTheSizeOfAWindowDrop) {
  show({event(1, HistoryEventKind::congestionWindowDrop, 40), event(2, HistoryEventKind::hostSettingChanged)},
       {{Moment() + std::chrono::seconds(2), std::nullopt, UntrustedText("net.ipv4.tcp_sack"), UntrustedText("0"),
         UntrustedText("1")}});
  EXPECT_EQ(cell(0, 3), QStringLiteral("net.ipv4.tcp_sack: 0 → 1"));
  EXPECT_EQ(cell(1, 2), QStringLiteral("1"));
  EXPECT_EQ(cell(1, 3), QStringLiteral("cwnd reduced by 40 segments"));
}

TEST_F(EventsViewTest, StatesWhyAPacketWasDropped) {
  show({event(1, HistoryEventKind::retransmission), event(2, HistoryEventKind::localDrop)}, {},
       {{Moment() + std::chrono::seconds(2), HistoryEventKind::localDrop, false,
         LossReport{17, 1448, {}, false, DropReason{"NETFILTER_DROP", 12}, {}}}});
  EXPECT_EQ(cell(0, 1), QStringLiteral("Packet dropped on this host"));
  EXPECT_EQ(cell(0, 3),
            QStringLiteral("dropped on this host: netfilter drop (NETFILTER_DROP); sequence 17, length 1448"));
  EXPECT_EQ(cell(1, 3), QString());
}

TEST_F(EventsViewTest, KeepsTheSelectionWithItsEventWhileEventsComeAndGo) {
  show({event(1, HistoryEventKind::opened), event(2, HistoryEventKind::timeout)});
  table().selectRow(0);
  show({event(2, HistoryEventKind::timeout), event(3, HistoryEventKind::retransmission)});
  ASSERT_EQ(table().model()->rowCount(), 2);
  ASSERT_EQ(table().selectionModel()->selectedRows().size(), 1);
  EXPECT_EQ(table().selectionModel()->selectedRows().front().row(), 1);
  EXPECT_EQ(cell(1, 1), QStringLiteral("RTO"));
}

TEST_F(EventsViewTest, CopiesTheSelectedRows) {
  show({event(1, HistoryEventKind::retransmission, 3), event(2, HistoryEventKind::timeout)});
  table().selectRow(1);
  EXPECT_EQ(rowsAs(RowFormat::text, table(), rowsToCopy(table())).section(QLatin1Char('\t'), 1),
            QStringLiteral("Retransmission\t3\t\n"));
}

TEST_F(EventsViewTest, ExplainsWhyThereAreNone) {
  show({});
  EXPECT_EQ(m_view.summary(), QStringLiteral("No events of this connection so far."));
  m_selection.setConnection(std::nullopt);
  m_view.setSelection(m_selection);
  EXPECT_EQ(m_view.summary(), QStringLiteral("Select a connection in the list."));
}

}  // namespace
}  // namespace tcpscope
