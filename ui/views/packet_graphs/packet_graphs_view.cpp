#include "ui/views/packet_graphs/packet_graphs_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <cmath>
#include <utility>

#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/views/packet_graphs/packet_text.h"
#include "ui/views/scope/scope_text.h"

namespace tcpscope {

namespace {

constexpr double kZoomStep = 0.7;
/// A live picture shows so much; the rest is a step away.
constexpr Nanoseconds kLiveSpan = std::chrono::seconds(10);
/// A live picture is read, not watched: five times a second is what eyes follow.
constexpr Milliseconds kShowEvery{200};

/// From the first packet to a little behind the last payload, where the connection only waits for most of its life;
/// else all of it.
TimeSpan spanOfTransfer(const CapturedPackets& packets) {
  const Moment first = packets.series.firstTime();
  const TimeSpan whole{first, packets.series.lastTime()};
  Moment last = first;
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
    const auto& segments = packets.sent(direction).segments();
    std::size_t index = segments.size();
    while (index > 0 && bytesOf(segments[index - 1]).payload == 0) --index;
    if (index > 0) last = std::max(last, segments[index - 1].time);
  }
  const Nanoseconds carries = last - first;
  if (carries <= Nanoseconds(0) || 2 * carries >= whole.to - whole.from) return whole;
  return {first, last + carries / 8};
}

}  // namespace

const DirectionSeries* PacketGraphsView::series() const {
  return m_packets ? &m_packets->sent(m_direction) : nullptr;
}

KernelSide PacketGraphsView::kernel() const {
  if (!isLive()) return {};
  return {&m_detail->history, m_direction == sentByHost() ? Side::sending : Side::receiving};
}

std::size_t PacketGraphsView::sentByHost() const {
  const Endpoint& initiator = m_packets->analysis.flow.initiator;
  const Endpoint& local = m_detail->row.local;
  return initiator.port == local.port && initiator.address == local.address.unmapped() ? 0 : 1;
}

void PacketGraphsView::setDetail(std::shared_ptr<const ConnectionDetail> detail) {
  m_detail = std::move(detail);
  m_packets = m_detail ? m_detail->packets : nullptr;
  m_factsOf.reset();
}

Moment PacketGraphsView::start() const {
  // The first packet may have been discarded.
  const ClockPair& clock = m_packets->series.clock();
  return isLive() ? clock.monotonic + (m_packets->analysis.flow.firstTime - clock.wall) : m_packets->series.firstTime();
}

TimeSpan PacketGraphsView::whole() const {
  TimeSpan whole{m_packets->series.firstTime(), m_packets->series.lastTime()};
  // Of a connection that is silent time goes on.
  const auto& capture = m_snapshot->capture;
  if (isLive() && capture && capture->phase == LiveCapturePhase::running)
    whole.to = std::max(whole.to, m_snapshot->time);
  return whole;
}

void PacketGraphsView::setSelection(const Selection& selection) {
  if (selection.connection() != m_connection) {
    m_connection = selection.connection();
    setDetail(nullptr);
    m_cursors.clear();
    clearPacket();
    // A search goes on only in the connection that it found.
    if (m_connection != m_searchedIn) m_searched.reset();
    m_window = ZoomWindow();
    hold(false);
    return refresh();
  }
  if (selection.span() == m_cursors.span()) return;
  m_cursors.clear();
  if (selection.span()) {
    m_cursors.place(Cursor::a, selection.span()->from);
    m_cursors.place(Cursor::b, selection.span()->to);
    hold(true);
  }
  refresh();
}

void PacketGraphsView::setSnapshot(const SnapshotPointer& snapshot) {
  const bool isFirst = m_snapshot == nullptr;
  m_snapshot = snapshot;
  pollSearch();
  auto detail = sharedDetail(snapshot, context().selection);
  const auto packets = detail == nullptr ? nullptr : detail->packets;
  if (packets && isLive() && packets->live == m_packets->live) return showMore(std::move(detail));
  if (packets == m_packets && !isFirst && m_packets != nullptr) return;
  if (packets != m_packets) showOther(packets ? std::move(detail) : nullptr);
  refresh();
  if (m_packets && m_isTargetPending) openPackets(PacketTarget(*m_target));
  if (m_packets && m_searched && m_connection == m_searchedIn) {
    const std::uint64_t number = *std::exchange(m_searched, std::nullopt);
    if (!goToPacket(number)) showNextTo(number);
  }
}

void PacketGraphsView::showOther(std::shared_ptr<const ConnectionDetail> detail) {
  setDetail(std::move(detail));
  // Numbers are positions in the capture that was shown; what was asked for meanwhile is still to come.
  m_packet.reset();
  m_marked.clear();
  if (!m_isTargetPending) m_target.reset();
  m_hasChosenDirection = false;
  hold(false);
  if (!m_packets) return;
  m_longest = kLiveSpan;
  if (isLive() && !m_hasChosenGraph) {
    m_graph = PacketGraph::inFlight;
    m_graphs->setCurrentIndex(static_cast<int>(m_graph));
  }
  m_direction = m_packets->analysis.bulk;
  m_directions->clear();
  fillDirections();
  m_window.setWhole(whole());
  m_window.show(isLive() ? TimeSpan{m_window.whole().to - kLiveSpan, m_window.whole().to} : spanOfTransfer(*m_packets));
}

void PacketGraphsView::showMore(std::shared_ptr<const ConnectionDetail> detail) {
  const bool isDue = m_snapshot->time - m_shownAt >= kShowEvery || m_snapshot->time < m_shownAt;
  // Of a capture that has ended nothing changes any more.
  const bool isTheSame = detail->packets == m_packets && whole() == m_window.whole();
  if (m_isHeld || !isDue || isTheSame) return;
  m_shownAt = m_snapshot->time;
  const bool isOther = detail->packets != m_packets;
  setDetail(std::move(detail));
  const std::size_t before = m_direction;
  if (!m_hasChosenDirection) m_direction = m_packets->analysis.bulk;
  fillDirections();
  if (isOther || m_direction != before) refreshMarked();
  m_window.grow(whole(), m_longest);
  refresh();
}

void PacketGraphsView::hold(bool held) {
  m_isHeld = held && isLive();
  m_hold->setChecked(m_isHeld);
}

void PacketGraphsView::fillDirections() {
  for (const int direction : {0, 1}) {
    const QString text = directionText(*m_packets, static_cast<std::size_t>(direction));
    if (m_directions->count() <= direction) m_directions->addItem(text);
    if (m_directions->itemText(direction) != text) m_directions->setItemText(direction, text);
  }
  m_directions->setCurrentIndex(static_cast<int>(m_direction));
}

void PacketGraphsView::showGraph(PacketGraph graph) {
  m_hasChosenGraph = true;
  m_graph = graph;
  m_graphs->setCurrentIndex(static_cast<int>(graph));
  m_window.fitValues();
  refresh();
}

void PacketGraphsView::showDirection(std::size_t direction) {
  m_direction = direction;
  m_hasChosenDirection = true;
  m_directions->setCurrentIndex(static_cast<int>(direction));
  m_window.fitValues();
  refreshMarked();
  refresh();
}

void PacketGraphsView::zoomTime(int steps, std::optional<Moment> anchor) {
  const TimeSpan shown = m_window.shown();
  // Keys zoom in on the packet that is selected.
  if (!anchor && m_packets && m_packet) {
    const auto selected = markOf(*m_packet);
    if (selected && selected->time >= shown.from && selected->time <= shown.to) anchor = selected->time;
  }
  m_window.zoom(std::pow(kZoomStep, steps), anchor.value_or(shown.from + (shown.to - shown.from) / 2));
  refresh();
}

void PacketGraphsView::zoomValues(int steps, std::optional<double> anchor) {
  const ValueRange shown = m_plot->shownValues();
  m_window.zoomValues(std::pow(kZoomStep, steps), anchor.value_or((shown.from + shown.to) / 2.0), shown);
  refresh();
}

void PacketGraphsView::placeCursor(Cursor cursor) {
  if (!m_packets) return;
  m_activeCursor = cursor;
  hold(true);
  if (!m_cursors.at(cursor)) {
    // At a third and two thirds, so that the two do not hide each other.
    const TimeSpan shown = m_window.shown();
    m_cursors.place(cursor, shown.from + (shown.to - shown.from) / 3 * (cursor == Cursor::a ? 1 : 2));
  }
  cursorsChanged();
}

void PacketGraphsView::moveCursor(int pixels) {
  if (!m_packets) return;
  const Nanoseconds by = m_plot->timeOf(pixels);
  if (m_cursors.at(m_activeCursor)) {
    m_cursors.move(m_activeCursor, by, m_window.whole());
    return cursorsChanged();
  }
  m_window.pan(by * 10);
  refresh();
}

void PacketGraphsView::cursorsChanged() {
  context().selection.setSpan(m_cursors.span());
  m_plot->setCursors(m_cursors);
  refreshReadings();
}

PacketFrame PacketGraphsView::makeFrame() const {
  PacketFrame frame;
  frame.graph = m_graph;
  frame.cursors = m_cursors;
  if (!m_packets) {
    frame.message = whyNoPackets(m_snapshot, context().selection);
    return frame;
  }
  if (m_packets->series.isEmpty()) {
    frame.message = QStringLiteral("The capture holds no packets of this connection.");
    return frame;
  }
  frame.series = series();
  frame.owner = m_detail;
  frame.kernel = kernel();
  frame.screen = m_window.shown();
  frame.values = m_window.values();
  frame.reference = start();
  frame.referenceText = QStringLiteral("seconds since %1")
                            .arg(wallText(m_packets->series.clock(), frame.reference, WallPrecision::milliseconds));
  if (m_packet) frame.selected = markOf(*m_packet);
  frame.marked = marksOnScreen();
  if (frame.series->isEmpty()) frame.message = QStringLiteral("No packets of this direction were captured.");
  return frame;
}

void PacketGraphsView::refresh() {
  m_hold->setVisible(isLive());
  m_plot->setFrame(makeFrame());
  m_directions->setEnabled(m_packets != nullptr);
  // Cleared it would be narrower, and the buttons beside it would move.
  if (m_packets == nullptr) m_directions->setCurrentIndex(-1);
  m_listModel->setAppearance(appearanceOf(palette()));
  m_listModel->setPackets(m_packets && !m_packets->series.isEmpty() ? m_packets : nullptr, m_direction,
                          m_packets ? start() : Moment());
  followInList();
  showReadout();
  refreshReadings();
}

void PacketGraphsView::refreshReadings() {
  m_cursorText->setText(describeCursors(m_cursors));
  m_readings.clear();
  std::vector<PacketTableModel::Row> rows;
  if (m_packets && !m_packets->series.isEmpty()) {
    const auto read = [this](TimeSpan span) { return readingsOf(*series(), m_graph, span, kernel()); };
    m_readings = read(m_window.shown());
    const auto all = read(m_window.whole());
    std::vector<ItemReading> between;
    if (const auto span = m_cursors.span()) between = read(*span);
    for (std::size_t index = 0; index < all.size(); ++index) {
      // What never happened in this connection is no help in the legend.
      const bool isSymbol = graphItemRow(all[index].item).marker != MarkerShape::none;
      if (isSymbol && all[index].count == 0) continue;
      if (isKernelItem(all[index].item) && !all[index].range) continue;
      rows.push_back(
          {m_readings[index], all[index], between.empty() ? std::nullopt : std::optional<ItemReading>(between[index])});
    }
  }
  m_model->setRows(std::move(rows), appearanceOf(palette()));
  m_table->setColumnHidden(PacketTableModel::betweenCursors, !m_cursors.span());
  m_sentence->setText(description());
  m_plot->setAccessibleDescription(description());
}

QString PacketGraphsView::description() const {
  if (!m_packets || m_packets->series.isEmpty()) return {};
  const QString graph = describeGraph(m_graph, *series(), m_readings, m_window.shown().to - m_window.shown().from,
                                      m_plot->averagedOver());
  const bool isKernelsScale = isLive() && !m_packets->analysis.flow.handshakeSeen && series()->windowScale();
  return isKernelsScale ? graph + QStringLiteral(" The handshake was not captured: the window scale is the kernel's.")
                        : graph;
}

void PacketGraphsView::saveSettings(QSettings& settings) const {
  settings.setValue(QStringLiteral("packet_graphs/graph"), QLatin1String(packetGraphRow(m_graph).key));
}

void PacketGraphsView::restoreSettings(QSettings& settings) {
  const QString key = settings.value(QStringLiteral("packet_graphs/graph")).toString();
  for (std::size_t number = 0; number < kPacketGraphCount; ++number) {
    if (key == QLatin1String(packetGraphRow(static_cast<PacketGraph>(number)).key))
      showGraph(static_cast<PacketGraph>(number));
  }
}

}  // namespace tcpscope
