// The packet graphs of the selected connection: one screen, a choice of graphs that share its time, cursors and zoom.
//
// Shows what a capture holds of the connection, and beside a live one's packets what the kernel says at the same
// moments; says what to do where there is none. The span between the cursors is that of the scope.
#pragma once

#include <QTimer>
#include "core/session/capture/captured_packets.h"
#include "ui/plots/packet_plot.h"

#include "ui/views/packet_graphs/packet_details.h"
#include "ui/views/packet_graphs/packet_list_model.h"
#include "ui/views/packet_graphs/packet_table_model.h"
#include "ui/views/view.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolBar;

namespace tcpscope {

class SteadyList;

class PacketGraphsView : public View {
  Q_OBJECT
public:
  explicit PacketGraphsView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  void showGraph(PacketGraph graph);
  [[nodiscard]] PacketGraph graph() const { return m_graph; }
  [[nodiscard]] const ZoomWindow& window() const { return m_window; }
  [[nodiscard]] const CursorPair& cursors() const { return m_cursors; }
  /// The sentences that say what the plot shows.
  [[nodiscard]] QString description() const;
  void openPackets(const PacketTarget& target) override;
  /// Number as people count, from 1. False where the capture has none such of this connection; then a capture that is
  /// open is searched for the connection that has it, which becomes the selected one.
  bool goToPacket(std::uint64_t number);
  /// Position in the capture, from 0, of the packet that the readout shows.
  [[nodiscard]] std::optional<std::uint32_t> selectedPacket() const { return m_packet; }
  /// What the readout says, a title and a text a row.
  [[nodiscard]] const std::vector<PacketFact>& readout() const { return m_facts; }
  /// Asks for the outcome of a search that goToPacket() began.
  void pollSearch();

protected:
  void changeEvent(QEvent* event) override;

private:
  void buildActions(QToolBar& bar);
  void buildPacketActions(QToolBar& bar);
  void buildPacketList();
  void buildReadout();
  [[nodiscard]] QWidget* layOutPlot();
  /// Shows the packet with this number, from 0, in the readout, the list and the plot. False where the connection has
  /// none such.
  bool selectPacket(std::uint32_t number);
  void clearPacket();
  void step(int rows);
  void stepTo(std::optional<std::uint32_t> number, const QString& what);
  void stepMarked(bool forward);
  void click(Moment time, double value);
  [[nodiscard]] PointedPacket packetUnder(Moment time, double value) const;
  void searchPacket(std::uint64_t number);
  /// Of a packet of this connection, from 1, that no series has: selects the one in its place, and says so.
  void showNextTo(std::uint64_t number);
  [[nodiscard]] bool showsFile() const;
  /// Fills in the readout where the selected packet or the detail changed.
  void refreshFacts();
  void showReadout();
  void followInList();
  void refreshMarked();
  [[nodiscard]] std::size_t directionOf(const PacketTarget& target) const;
  void showInWireshark();
  /// Of many marked packets evenly chosen ones.
  [[nodiscard]] std::vector<PacketMark> marksOnScreen() const;
  [[nodiscard]] std::optional<PacketMark> markOf(std::uint32_t number) const;
  void buildTable();
  void connectPlot();
  void showDirection(std::size_t direction);
  void placeCursor(Cursor cursor);
  void moveCursor(int pixels);
  void cursorsChanged();
  void zoomTime(int steps, std::optional<Moment> anchor);
  void zoomValues(int steps, std::optional<double> anchor);
  void showTip(Moment time, double value);
  void exportPicture();
  void showOther(std::shared_ptr<const ConnectionDetail> detail);
  /// More of the live capture that is shown already.
  void showMore(std::shared_ptr<const ConnectionDetail> detail);
  /// A live picture stands still, as a measurement needs it; what comes meanwhile is shown afterwards.
  void hold(bool held);
  void fillDirections();
  void refresh();
  void refreshReadings();
  [[nodiscard]] PacketFrame makeFrame() const;
  [[nodiscard]] const DirectionSeries* series() const;
  [[nodiscard]] KernelSide kernel() const;
  /// Direction whose data this host sends, of a file the initiator.
  [[nodiscard]] std::size_t sentByHost() const;
  void setDetail(std::shared_ptr<const ConnectionDetail> detail);
  [[nodiscard]] bool isLive() const { return m_packets && m_packets->live != 0; }
  /// What the time axis calls 0.
  [[nodiscard]] Moment start() const;
  /// Of all that there is to see.
  [[nodiscard]] TimeSpan whole() const;

  SnapshotPointer m_snapshot;
  std::shared_ptr<const ConnectionDetail> m_detail;
  /// Of the detail.
  std::shared_ptr<const CapturedPackets> m_packets;
  std::optional<ConnectionId> m_connection;
  PacketGraph m_graph = PacketGraph::sequence;
  std::size_t m_direction = 0;
  /// Until then the direction with more data is shown.
  bool m_hasChosenDirection = false;
  /// Until then a live capture is shown where kernel and packets stand together.
  bool m_hasChosenGraph = false;
  bool m_isHeld = false;
  /// Longest span of a live picture, unless the user zooms.
  Nanoseconds m_longest{0};
  Moment m_shownAt;
  ZoomWindow m_window;
  CursorPair m_cursors;
  Cursor m_activeCursor = Cursor::a;
  /// Selected: its position in the capture, from 0.
  std::optional<std::uint32_t> m_packet;
  /// Packets that another view asked for, ascending, and what they are.
  std::vector<std::uint32_t> m_marked;
  std::optional<PacketTarget> m_target;
  /// It was asked for before the packets came.
  bool m_isTargetPending = false;
  /// The readout, and the packet that it belongs to.
  std::vector<PacketFact> m_facts;
  std::optional<std::uint32_t> m_factsOf;
  /// Packet and direction to which the list was scrolled.
  std::pair<std::optional<std::uint32_t>, std::size_t> m_listed;
  /// What goToPacket() searches for in other connections, from 1, and has to be shown once its connection is.
  std::optional<std::uint64_t> m_searched;
  std::optional<ConnectionId> m_searchedIn;
  QTimer m_searchTimer;
  bool m_followsList = true;
  std::vector<ItemReading> m_readings;

  QAction* m_hold = nullptr;
  PacketPlot* m_plot;
  PacketTableModel* m_model;
  QTableView* m_table;
  PacketListModel* m_listModel;
  QTableView* m_list;
  QLabel* m_readoutTitle;
  SteadyList* m_readout;
  QWidget* m_readoutPane;
  QComboBox* m_graphs;
  QComboBox* m_directions;
  QLineEdit* m_packetNumber;
  QLabel* m_sentence;
  QLabel* m_cursorText;
};

}  // namespace tcpscope
