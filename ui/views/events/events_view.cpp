#include "ui/views/events/events_view.h"

#include <QAbstractTableModel>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/present/text/loss_text.h"
#include "core/session/history_events.h"
#include "ui/plots/event_marks.h"
#include "ui/plots/packet_order.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/widgets/plot_pane.h"
#include "ui/widgets/row_table.h"

namespace tcpscope {

namespace {

enum EventColumn { kEventTime, kEventKind, kEventCount, kEventDetail, kEventColumns };

bool isSameEvent(const HistoryEvent& one, const HistoryEvent& other) {
  return one.time == other.time && one.kind == other.kind && one.count == other.count;
}

QString titleWithCapital(HistoryEventKind kind) {
  QString title = eventTitle(kind);
  title[0] = title[0].toUpper();
  return title;
}

QString eventDetail(const ConnectionDetail& connection, const HistoryEvent& event) {
  if (event.kind == HistoryEventKind::congestionWindowDrop)
    return QStringLiteral("cwnd reduced by %1 segments").arg(event.count);
  if (event.kind == HistoryEventKind::localDrop || event.kind == HistoryEventKind::retransmission) {
    const auto loss =
        std::find_if(connection.lossReports.begin(), connection.lossReports.end(),
                     [&event](const ReportedLoss& one) { return one.time == event.time && one.kind == event.kind; });
    return loss == connection.lossReports.end() ? QString() : toQString(sentence(loss->report));
  }
  if (event.kind != HistoryEventKind::hostSettingChanged) return {};
  QStringList changes;
  for (const ChangeMark& change : connection.changeMarks) {
    if (change.time != event.time) continue;
    changes
        << QStringLiteral("%1: %2 → %3").arg(plainText(change.key), plainText(change.before), plainText(change.after));
  }
  return changes.join(QStringLiteral("; "));
}

/// What of the packets shows an event of this kind, and whose data it is where the kind says so.
PacketTarget packetsOfEvent(HistoryEventKind kind) {
  PacketTarget target;
  switch (kind) {
    case HistoryEventKind::timeout:
      target.items = {GraphItem::timeout};
      break;
    case HistoryEventKind::retransmission:
    case HistoryEventKind::congestionWindowDrop:
    case HistoryEventKind::recoveryStarted:
      target.items = {retransmissionItems().begin(), retransmissionItems().end()};
      break;
    case HistoryEventKind::peerWindowClosed:
      target.items = {GraphItem::zeroWindow};
      target.side = Side::sending;
      break;
    case HistoryEventKind::ownWindowClosed:
      target.items = {GraphItem::zeroWindow};
      target.side = Side::receiving;
      break;
    case HistoryEventKind::stateChanged:
    case HistoryEventKind::congestionControlChanged:
    case HistoryEventKind::settingChanged:
    case HistoryEventKind::opened:
    case HistoryEventKind::closed:
    case HistoryEventKind::gap:
    case HistoryEventKind::hostSettingChanged:
    case HistoryEventKind::localDrop:
      break;
  }
  return target;
}

QIcon iconOf(HistoryEventKind kind, Appearance appearance) {
  constexpr int kSide = 4 * kMarkRadius;
  const qreal ratio = qApp->devicePixelRatio();
  QPixmap picture(QSize(kSide, kSide) * ratio);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  paintMark(painter, kind, QPointF(kSide / 2.0, kSide / 2.0), appearance);
  return picture;
}

/// How many of the old events, counted from the first, are gone in the new ones: the record keeps a bounded number.
/// Absent where the new ones do not continue the old ones.
std::optional<std::size_t> droppedEvents(std::span<const HistoryEvent> old, std::span<const HistoryEvent> now) {
  if (old.empty() || now.empty()) return std::nullopt;
  const auto first = std::find_if(old.begin(), old.end(),
                                  [&now](const HistoryEvent& event) { return isSameEvent(event, now.front()); });
  const auto kept = static_cast<std::size_t>(old.end() - first);
  if (kept == 0 || kept > now.size() || !isSameEvent(now[kept - 1], old.back())) return std::nullopt;
  return old.size() - kept;
}

}  // namespace

/// Rows are the events backwards. New ones are inserted at the top, so that a selection stays with its events.
class EventTableModel : public QAbstractTableModel {
public:
  using QAbstractTableModel::QAbstractTableModel;

  void setDetail(std::shared_ptr<const ConnectionDetail> detail, const ClockPair& clock) {
    const bool isSame = m_detail != nullptr && detail != nullptr && m_detail->row.id == detail->row.id;
    const auto dropped = isSame ? droppedEvents(events(), detail->events) : std::nullopt;
    m_clock = clock;
    if (!dropped) {
      beginResetModel();
      m_rows = detail == nullptr ? 0 : static_cast<int>(detail->events.size());
      m_detail = std::move(detail);
      return endResetModel();
    }
    const int gone = static_cast<int>(*dropped);
    const int added = static_cast<int>(detail->events.size()) - (m_rows - gone);
    if (gone > 0) {
      beginRemoveRows({}, m_rows - gone, m_rows - 1);
      m_rows -= gone;
      endRemoveRows();
    }
    if (added > 0) beginInsertRows({}, 0, added - 1);
    m_rows += added;
    m_detail = std::move(detail);
    if (added > 0) endInsertRows();
  }
  void setAppearance(Appearance appearance) {
    for (std::size_t kind = 0; kind < kHistoryEventKinds; ++kind)
      m_icons[kind] = iconOf(static_cast<HistoryEventKind>(kind), appearance);
    if (m_rows > 0) emit dataChanged(index(0, 0), index(m_rows - 1, kEventColumns - 1), {Qt::DecorationRole});
  }
  [[nodiscard]] std::span<const HistoryEvent> events() const {
    return m_detail == nullptr ? std::span<const HistoryEvent>() : m_detail->events;
  }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : kEventColumns;
  }
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    static const std::array<QString, kEventColumns> kTitles = {QStringLiteral("Time"), QStringLiteral("Event"),
                                                               QStringLiteral("Count"), QStringLiteral("Details")};
    if (orientation == Qt::Vertical) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    return role == Qt::DisplayRole ? kTitles.at(static_cast<std::size_t>(section)) : QVariant();
  }
  [[nodiscard]] QVariant data(const QModelIndex& cell, int role) const override {
    const auto row = static_cast<std::size_t>(cell.row());
    if (!cell.isValid() || row >= events().size()) return {};
    const HistoryEvent& event = events()[events().size() - 1 - row];
    if (role == Qt::DisplayRole) return text(event, cell.column());
    if (role == Qt::TextAlignmentRole) return alignment(cell.column());
    if (role == Qt::DecorationRole && cell.column() == kEventKind)
      return m_icons.at(static_cast<std::size_t>(event.kind));
    return {};
  }

private:
  static int alignment(int column) {
    return static_cast<int>((column == kEventCount ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  [[nodiscard]] QString text(const HistoryEvent& event, int column) const {
    switch (column) {
      case kEventTime:
        return wallText(m_clock, event.time, WallPrecision::milliseconds);
      case kEventKind:
        return titleWithCapital(event.kind);
      case kEventCount:
        return countText(timesOf(event));
      default:
        return eventDetail(*m_detail, event);
    }
  }

  std::shared_ptr<const ConnectionDetail> m_detail;
  ClockPair m_clock;
  /// Behind the events of m_detail only while rows are inserted or removed.
  int m_rows = 0;
  std::array<QIcon, kHistoryEventKinds> m_icons;
};

EventsView::EventsView(const ViewContext& context, QWidget* parent)
    : View(context, parent), m_model(new EventTableModel(this)) {
  m_model->setAppearance(appearanceOf(palette()));
  m_table.setModel(m_model);
  setUpRowTable(m_table, QStringLiteral("Events of the connection"));
  m_table.setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table.setWordWrap(false);
  m_table.verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  const int letter = fontMetrics().averageCharWidth();
  m_table.setColumnWidth(kEventTime, letter * 30);
  m_table.setColumnWidth(kEventKind, letter * 40);
  m_table.setColumnWidth(kEventCount, letter * 12);
  m_summary.setTextFormat(Qt::PlainText);
  m_summary.setWordWrap(true);
  m_summary.setAccessibleName(QStringLiteral("Event summary"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->setSpacing(4);
  layout->addWidget(&m_summary);
  layout->addWidget(&m_table, 1);
  addViewAction(*this, QStringLiteral("Show the event's &packets"), {Qt::Key_P},
                [this] { showPackets(m_table.currentIndex().row()); });
  m_table.setToolTip(QStringLiteral("Double-click or Enter: its packets, where they are captured"));
  connect(&m_table, &QTableView::activated, this, [this](const QModelIndex& cell) { showPackets(cell.row()); });
  refresh();
}

void EventsView::showPackets(int row) {
  const auto events = m_model->events();
  if (row < 0 || row >= static_cast<int>(events.size())) return;
  const HistoryEvent& event = events[events.size() - 1 - static_cast<std::size_t>(row)];
  PacketTarget target = packetsOfEvent(event.kind);
  target.what = QStringLiteral("Event: %1").arg(titleWithCapital(event.kind));
  target.time = event.time;
  emit packetsRequested(target);
}

void EventsView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  refresh();
}

void EventsView::setSelection(const Selection& /*selection*/) {
  refresh();
}

void EventsView::changeEvent(QEvent* event) {
  View::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_model->setAppearance(appearanceOf(palette()));
}

void EventsView::refresh() {
  m_model->setDetail(sharedDetail(m_snapshot, context().selection), m_snapshot ? m_snapshot->clock : ClockPair());
  QString why = whyNoDetail(m_snapshot, context().selection);
  QStringList counts;
  for (const auto& [kind, times] : timesByKind(m_model->events()))
    counts << QStringLiteral("%1 × %2").arg(countText(times), eventTitle(kind));
  if (why.isEmpty() && counts.isEmpty()) why = QStringLiteral("No events of this connection so far.");
  m_summary.setText(why.isEmpty() ? counts.join(QStringLiteral(" · ")) : why);
}

}  // namespace tcpscope
