// Single packets on the packet graphs: which one is selected, its readout and its row in the list, the steps from one
// to the next, and those that another view asked for.
#include <QCursor>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QToolBar>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "core/present/text/display_filter.h"
#include "ui/feed/capture_port.h"
#include "ui/plots/packet_order.h"
#include "ui/text/plain_text.h"
#include "ui/views/packet_graphs/packet_graphs_view.h"
#include "ui/views/packet_graphs/packet_text.h"
#include "ui/widgets/plot_pane.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

namespace {

/// How far from a packet the mouse may be to point at it, in pixels.
constexpr double kPointedPixels = 8.0;
constexpr std::size_t kMarkedAtMost = 100'000;
constexpr int kPollSearchMs = 50;
/// Between the clocks of an event and of the capture lies less.
constexpr Nanoseconds kCoverSlack = std::chrono::seconds(1);
/// Where PacketScene draws symbols above the bottom, in pixels.
constexpr double kSymbolPixels = 8.0;
/// More rings than these hide what they surround.
constexpr std::size_t kRingsAtMost = 500;

/// Of the first packet at or after this moment; beyond all numbers where there is none.
std::uint64_t numberFrom(const DirectionSeries& series, Moment time) {
  const PacketOrder order(series);
  const std::size_t row = firstFrom(series.segments(), time) + firstFrom(series.acknowledgments(), time);
  return row < order.size() ? order.numberAt(row) : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

void PacketGraphsView::buildPacketList() {
  m_list->setModel(m_listModel);
  setUpRowTable(*m_list, QStringLiteral("Packets"));
  m_list->setWordWrap(false);
  m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_list->setIconSize({28, 12});
  const int letter = fontMetrics().averageCharWidth();
  constexpr std::array<int, PacketListModel::kColumns> kCharacters = {9, 12, 36, 14, 8, 11};
  for (int column = 0; column < PacketListModel::kColumns; ++column)
    m_list->setColumnWidth(column, letter * kCharacters.at(static_cast<std::size_t>(column)) + 10);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    const auto number = m_followsList ? m_listModel->numberAt(current.row()) : std::nullopt;
    if (number && number != m_packet) selectPacket(*number);
  });
}

void PacketGraphsView::buildReadout() {
  auto* column = new QVBoxLayout(m_readoutPane);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  m_readoutTitle->setTextFormat(Qt::PlainText);
  m_readoutTitle->setWordWrap(true);
  m_readoutTitle->setMargin(4);
  column->addWidget(m_readoutTitle);
  column->addWidget(m_readout, 1);
  m_readout->setWordWrap(true);
  m_readout->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_readoutPane->hide();
}

QWidget* PacketGraphsView::layOutPlot() {
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(m_plot);
  splitter->addWidget(m_readoutPane);
  splitter->setStretchFactor(0, 1);
  splitter->setSizes({900, fontMetrics().averageCharWidth() * 58});
  splitter->setChildrenCollapsible(false);
  return splitter;
}

void PacketGraphsView::buildPacketActions(QToolBar& bar) {
  auto* previous = addViewAction(*this, QStringLiteral("Previous retransmission"), {Qt::SHIFT | Qt::Key_R}, [this] {
    if (!m_packets) return;
    const std::uint32_t from = m_packet.value_or(std::numeric_limits<std::uint32_t>::max());
    stepTo(previousOf(*series(), retransmissionItems(), from), QStringLiteral("No earlier retransmission."));
  });
  auto* next = addViewAction(*this, QStringLiteral("Next retransmission"), {Qt::Key_R}, [this] {
    if (!m_packets) return;
    const auto found = m_packet ? nextOf(*series(), retransmissionItems(), *m_packet)
                                : nearestOf(*series(), retransmissionItems(), m_window.shown().from);
    stepTo(found, QStringLiteral("No further retransmission."));
  });
  previous->setIconText(QStringLiteral("◀ Retrans"));
  next->setIconText(QStringLiteral("Retrans ▶"));
  addViewAction(*this, QStringLiteral("Next packet"), {Qt::Key_Period}, [this] { step(1); });
  addViewAction(*this, QStringLiteral("Previous packet"), {Qt::Key_Comma}, [this] { step(-1); });
  addViewAction(*this, QStringLiteral("Next marked packet"), {Qt::Key_M}, [this] { stepMarked(true); });
  addViewAction(*this, QStringLiteral("Previous marked packet"), {Qt::SHIFT | Qt::Key_M},
                [this] { stepMarked(false); });
  addViewAction(*this, QStringLiteral("Back to the previous view"), {Qt::Key_Backspace},
                [this] { emit backRequested(); });
  addViewAction(*this, QStringLiteral("Show the packet in Wireshark"), {Qt::Key_W}, [this] { showInWireshark(); });
  m_searchTimer.setInterval(kPollSearchMs);
  connect(&m_searchTimer, &QTimer::timeout, this, &PacketGraphsView::pollSearch);
  bar.addActions({previous, next});
}

std::optional<PacketMark> PacketGraphsView::markOf(std::uint32_t number) const {
  const PointedPacket packet = packetNumbered(*series(), number);
  if (packet.isEmpty()) return std::nullopt;
  return PacketMark{packet.time(), placeOf(*series(), m_graph, packet)};
}

std::vector<PacketMark> PacketGraphsView::marksOnScreen() const {
  std::vector<PacketMark> marks;
  if (m_marked.empty()) return marks;
  const TimeSpan screen = m_window.shown();
  const auto from = std::lower_bound(m_marked.begin(), m_marked.end(), numberFrom(*series(), screen.from));
  const auto to = std::lower_bound(from, m_marked.end(), numberFrom(*series(), screen.to + Nanoseconds(1)));
  const auto count = static_cast<std::size_t>(to - from);
  const std::size_t step = count / kRingsAtMost + 1;
  for (std::size_t index = 0; index < count; index += step) {
    if (const auto mark = markOf(from[static_cast<std::ptrdiff_t>(index)])) marks.push_back(*mark);
  }
  return marks;
}

bool PacketGraphsView::selectPacket(std::uint32_t number) {
  if (!m_packets) return false;
  // The direction on the screen first: an acknowledgment with data is in both.
  for (const std::size_t direction : {m_direction, 1 - m_direction}) {
    const PointedPacket packet = packetNumbered(m_packets->sent(direction), number);
    if (packet.isEmpty()) continue;
    if (direction != m_direction) showDirection(direction);
    m_packet = number;
    hold(true);
    m_window.bringIntoSight(packet.time());
    const auto place = placeOf(*series(), m_graph, packet);
    const auto& values = m_window.values();
    if (values && place && (place->to < values->from || place->from > values->to)) m_window.fitValues();
    refresh();
    return true;
  }
  return false;
}

void PacketGraphsView::clearPacket() {
  m_packet.reset();
  m_target.reset();
  m_isTargetPending = false;
  m_marked.clear();
}

PointedPacket PacketGraphsView::packetUnder(Moment time, double value) const {
  return packetAt(*series(), m_graph, time, value, m_plot->timeOf(kPointedPixels), m_plot->valueOf(kPointedPixels),
                  m_plot->shownValues().from + m_plot->valueOf(kSymbolPixels));
}

void PacketGraphsView::click(Moment time, double value) {
  if (!m_packets) return;
  const PointedPacket packet = packetUnder(time, value);
  setFocus();
  if (!packet.isEmpty()) selectPacket(packet.number());
}

void PacketGraphsView::showTip(Moment time, double value) {
  if (!m_packets) return;
  const PointedPacket packet = packetUnder(time, value);
  QToolTip::showText(QCursor::pos(), toolTipText(describePacket(packet, *series(), start())), m_plot);
}

void PacketGraphsView::step(int rows) {
  if (m_listModel->rowCount() == 0) return;
  int row = 0;
  if (m_packet) {
    // Of a packet of the other direction alone those here that are next to it.
    const auto own = m_listModel->rowOf(*m_packet);
    row = own ? *own + rows : static_cast<int>(PacketOrder(*series()).rowOf(*m_packet)) - (rows > 0 ? 0 : 1);
  } else {
    // Without a selection the first packet on the screen.
    const auto& segments = series()->segments();
    const auto& acknowledgments = series()->acknowledgments();
    row = static_cast<int>(firstFrom(segments, m_window.shown().from) +
                           firstFrom(acknowledgments, m_window.shown().from));
  }
  stepTo(m_listModel->numberAt(row),
         rows > 0 ? QStringLiteral("No further packet.") : QStringLiteral("No earlier packet."));
}

void PacketGraphsView::stepTo(std::optional<std::uint32_t> number, const QString& nothing) {
  if (number && selectPacket(*number)) return;
  m_sentence->setText(nothing);
}

void PacketGraphsView::stepMarked(bool forward) {
  const QString nothing = m_marked.empty() ? QStringLiteral("No packets are marked: open a finding or an event.")
                                           : QStringLiteral("No more marked packets.");
  if (m_marked.empty()) return stepTo(std::nullopt, nothing);
  if (forward) {
    const auto next = m_packet ? std::upper_bound(m_marked.begin(), m_marked.end(), *m_packet) : m_marked.begin();
    return stepTo(next == m_marked.end() ? std::nullopt : std::optional(*next), nothing);
  }
  const auto behind = m_packet ? std::lower_bound(m_marked.begin(), m_marked.end(), *m_packet) : m_marked.end();
  stepTo(behind == m_marked.begin() ? std::nullopt : std::optional(*(behind - 1)), nothing);
}

std::size_t PacketGraphsView::directionOf(const PacketTarget& target) const {
  if (target.direction) return *target.direction;
  if (target.side) return *target.side == Side::sending ? sentByHost() : 1 - sentByHost();
  if (!target.time) return m_direction;
  // An event does not say whose data it is about: the direction that has such a packet nearest to it.
  std::optional<Nanoseconds> least;
  std::size_t best = m_direction;
  for (const std::size_t direction : {m_direction, 1 - m_direction}) {
    const auto number = nearestOf(m_packets->sent(direction), target.items, *target.time);
    if (!number) continue;
    const Moment time = packetNumbered(m_packets->sent(direction), *number).time();
    const Nanoseconds away = time > *target.time ? time - *target.time : *target.time - time;
    if (least && away >= *least) continue;
    least = away;
    best = direction;
  }
  return best;
}

void PacketGraphsView::openPackets(const PacketTarget& target) {
  clearPacket();
  m_target = target;
  m_isTargetPending = !m_packets;
  if (!m_packets) return refresh();
  if (const std::size_t direction = directionOf(target); direction != m_direction) {
    showDirection(direction);
  } else {
    refreshMarked();
  }
  if (const TimeSpan covered = whole();
      target.time && (*target.time < covered.from - kCoverSlack || *target.time > covered.to + kCoverSlack)) {
    refresh();
    return m_sentence->setText(QStringLiteral("%1: the capture does not cover this moment.").arg(target.what));
  }
  std::optional<std::uint32_t> first;
  if (!target.items.empty() && target.time) {
    first = nearestOf(*series(), target.items, *target.time);
  } else if (!m_marked.empty()) {
    first = m_marked.front();
  } else if (target.time) {
    const std::size_t row =
        firstFrom(series()->segments(), *target.time) + firstFrom(series()->acknowledgments(), *target.time);
    first = m_listModel->numberAt(std::min(static_cast<int>(row), m_listModel->rowCount() - 1));
  }
  if (first && selectPacket(*first)) return;
  refresh();
  const bool isAny = target.items.empty() && target.sentAt.empty() && !target.time;
  m_sentence->setText((isAny ? QStringLiteral("%1: no single packet shows it.")
                             : QStringLiteral("%1: the capture shows no such packet in this direction."))
                          .arg(target.what));
}

void PacketGraphsView::refreshMarked() {
  m_marked.clear();
  if (!m_target || !m_packets) return;
  if (m_target->sentAt.empty()) {
    m_marked = packetsOf(*series(), m_target->items, kMarkedAtMost);
    return;
  }
  const auto& segments = series()->segments();
  for (const Moment time : m_target->sentAt) {
    const std::size_t index = firstFrom(segments, time);
    if (index < segments.size() && segments[index].time == time) m_marked.push_back(segments[index].packet);
  }
  m_marked.erase(std::unique(m_marked.begin(), m_marked.end()), m_marked.end());
}

void PacketGraphsView::refreshFacts() {
  if (m_packet && m_factsOf == m_packet) return;
  m_factsOf = m_packet;
  const auto packet = m_packets && m_packet ? packetOf(*m_packets, *m_packet) : std::nullopt;
  m_facts = packet ? packetFacts(*m_packets, *packet, start(), {m_detail->lossReports, sentByHost()})
                   : std::vector<PacketFact>();
}

void PacketGraphsView::showReadout() {
  refreshFacts();
  std::vector<SteadyRow> rows;
  for (const auto& [title, text] : m_facts) rows.push_back({{title, text}, text, {}});
  m_readoutPane->setVisible(!rows.empty() || m_target.has_value());
  QString title = m_target ? m_target->what : QString();
  if (m_target && !m_marked.empty()) {
    const auto at = std::lower_bound(m_marked.begin(), m_marked.end(), m_packet.value_or(0));
    const bool isOne = m_packet && at != m_marked.end() && *at == *m_packet;
    title += isOne ? QStringLiteral(" — %1 of %2").arg(at - m_marked.begin() + 1).arg(m_marked.size())
                   : QStringLiteral(" — %1 packets").arg(m_marked.size());
  }
  m_readoutTitle->setText(title);
  m_readoutTitle->setVisible(!title.isEmpty());
  m_readout->setRows(std::move(rows));
}

void PacketGraphsView::followInList() {
  const auto row = m_packet ? m_listModel->rowOf(*m_packet) : std::nullopt;
  // Where only more packets came the list stays where the user scrolled it.
  const bool isOther = m_listed != std::pair(m_packet, m_direction);
  m_listed = {m_packet, m_direction};
  m_followsList = false;
  if (row) {
    if (m_list->currentIndex().row() != *row) {
      m_list->setAutoScroll(isOther);
      m_list->setCurrentIndex(m_listModel->index(*row, PacketListModel::packet));
      m_list->setAutoScroll(true);
      // A view that has only just been shown has no size yet.
      if (isOther) {
        QMetaObject::invokeMethod(
            m_list, [list = m_list] { list->scrollTo(list->currentIndex()); }, Qt::QueuedConnection);
      }
    }
  } else {
    m_list->selectionModel()->clear();
  }
  m_followsList = true;
}

bool PacketGraphsView::goToPacket(std::uint64_t number) {
  if (!m_packets || number == 0 || number - 1 > std::numeric_limits<std::uint32_t>::max()) return false;
  if (!selectPacket(static_cast<std::uint32_t>(number - 1))) return false;
  m_window.fitValues();
  m_cursors.place(Cursor::a, packetOf(*m_packets, *m_packet)->time);
  refresh();
  cursorsChanged();
  return true;
}

void PacketGraphsView::searchPacket(std::uint64_t number) {
  CapturePort* const captures = context().ports.captures;
  if (captures == nullptr || !showsFile()) {
    m_sentence->setText(QStringLiteral("Packet %1 does not belong to this connection.").arg(countText(number)));
    return;
  }
  m_searched = number;
  m_searchedIn.reset();
  m_sentence->setText(QStringLiteral("Looking up packet %1…").arg(countText(number)));
  captures->findPacket(number);
  m_searchTimer.start();
  pollSearch();
}

bool PacketGraphsView::showsFile() const {
  return m_snapshot != nullptr && shownFile(*m_snapshot) != nullptr;
}

void PacketGraphsView::showNextTo(std::uint64_t number) {
  const int row = std::min(static_cast<int>(PacketOrder(*series()).rowOf(static_cast<std::uint32_t>(
                               std::min(number - 1, std::uint64_t{std::numeric_limits<std::uint32_t>::max()})))),
                           m_listModel->rowCount() - 1);
  if (const auto nearest = m_listModel->numberAt(row)) selectPacket(*nearest);
  m_sentence->setText(
      QStringLiteral("Packet %1 is a repeated acknowledgment, or beyond the packets kept.").arg(countText(number)));
}

void PacketGraphsView::pollSearch() {
  // Of a file that was closed nothing is left to show.
  if (!showsFile()) m_searched.reset();
  if (!m_searched || m_searchedIn) return m_searchTimer.stop();
  const auto found = context().ports.captures->state().found;
  if (!found || found->frame != *m_searched) return;
  m_searchTimer.stop();
  if (found->connection && found->connection == m_connection && m_packets)
    return showNextTo(*std::exchange(m_searched, std::nullopt));
  if (!found->connection || found->connection == m_connection) {
    m_sentence->setText(QStringLiteral("Packet %1 is not in this capture, or holds no TCP segment of a connection.")
                            .arg(countText(*m_searched)));
    m_searched.reset();
    return;
  }
  m_searchedIn = found->connection;
  context().selection.setConnection(found->connection);
}

void PacketGraphsView::showInWireshark() {
  CapturePort* const captures = context().ports.captures;
  if (!m_packets || captures == nullptr) return;
  const ConnectionSummary& flow = m_packets->analysis.flow;
  const auto frame = m_packet ? std::optional(std::uint64_t{*m_packet} + 1) : std::nullopt;
  if (!captures->showInWireshark(displayFilter(flow.initiator, flow.responder), frame))
    m_sentence->setText(QStringLiteral("Wireshark did not start. Install it; it opens only captures in files."));
}

void PacketGraphsView::changeEvent(QEvent* event) {
  View::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_listModel->setAppearance(appearanceOf(palette()));
}

}  // namespace tcpscope
