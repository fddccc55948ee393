#include "ui/views/connection_list/connection_table_view.h"

#include <QContextMenuEvent>
#include <QDataStream>
#include <QEvent>
#include <QHeaderView>
#include <QIODevice>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "ui/theme/theme.h"
#include "ui/views/connection_list/connection_delegate.h"

namespace tcpscope {

namespace {

/// What the verdict needs to be read, in characters.
constexpr int kVerdictCharacters = 52;
/// After the last key.
constexpr std::chrono::seconds kKeysAreUseFor{10};
/// None of IPv4 is wider.
constexpr QLatin1String kWidestEnd("200.200.200.200:40000");
/// Columns that give way in a narrow window, the first of them first.
constexpr std::array kGiveWay = {ConnectionColumn::local, ConnectionColumn::state, ConnectionColumn::trend,
                                 ConnectionColumn::retransmitted};

/// The same of captures, which show both ends always.
constexpr std::array kGiveWayOfCaptures = {ConnectionColumn::state, ConnectionColumn::exchanges,
                                           ConnectionColumn::began, ConnectionColumn::lasted};

/// Of captures, and what stands back for them.
constexpr std::array kOfCaptures = {ConnectionColumn::began, ConnectionColumn::lasted, ConnectionColumn::sentBytes,
                                    ConnectionColumn::receivedBytes};
constexpr std::array kNotOfCaptures = {ConnectionColumn::process, ConnectionColumn::trend};

}  // namespace

ConnectionTableView::ConnectionTableView(QWidget* parent) : QTableView(parent) {
  setModel(&m_model);
  setItemDelegate(new ConnectionDelegate(this));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setAccessibleName(QStringLiteral("Connections"));
  // Rows of one fixed height: with tens of thousands nothing is measured.
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 7);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionsMovable(true);
  horizontalHeader()->setSectionsClickable(true);
  horizontalHeader()->setSortIndicatorShown(true);
  m_keyed.setSingleShot(true);
  m_keyed.setInterval(kKeysAreUseFor);
  connect(&m_keyed, &QTimer::timeout, this, &ConnectionTableView::noteUse);
  applyFirstWidths();
  const int place = static_cast<int>(ConnectionColumn::place);
  horizontalHeader()->moveSection(horizontalHeader()->visualIndex(place), 0);
  setColumnHidden(place, true);
  for (const ConnectionColumn column : kOfCaptures) {
    const int index = static_cast<int>(column);
    const int state = horizontalHeader()->visualIndex(static_cast<int>(ConnectionColumn::state));
    horizontalHeader()->moveSection(horizontalHeader()->visualIndex(index),
                                    state + 1 + index - static_cast<int>(kOfCaptures.front()));
  }
  for (int visual = 0; visual < kConnectionColumnCount; ++visual) {
    m_firstOrder.push_back(horizontalHeader()->logicalIndex(visual));
  }
  hideUnusual(ListMode::live);
  // Sentences take what the figures leave: nothing is cut off at the right.
  horizontalHeader()->setStretchLastSection(false);
  horizontalHeader()->setSectionResizeMode(static_cast<int>(ConnectionColumn::verdict), QHeaderView::Stretch);
}

void ConnectionTableView::applyFirstWidths() {
  for (const ConnectionColumnRow& column : connectionColumns()) {
    const int width = fontMetrics().averageCharWidth() * column.usualCharacters + 16;
    horizontalHeader()->resizeSection(static_cast<int>(column.column), width);
  }
}

void ConnectionTableView::showAllThatGaveWay() {
  for (const int column : m_gaveWay) setColumnHidden(column, false);
  m_gaveWay.clear();
}

/// As a mode is shown at first.
void ConnectionTableView::hideUnusual(ListMode mode) {
  const bool isCapture = mode == ListMode::capture;
  for (int visual = 0; visual < kConnectionColumnCount; ++visual) {
    const int column = m_firstOrder.at(static_cast<std::size_t>(visual));
    horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), visual);
  }
  applyFirstWidths();
  for (const ConnectionColumn end : {ConnectionColumn::local, ConnectionColumn::remote}) {
    if (isCapture) setColumnWidth(static_cast<int>(end), fontMetrics().horizontalAdvance(kWidestEnd) + 16);
  }
  for (int column = 0; column < kConnectionColumnCount; ++column) setColumnHidden(column, false);
  setColumnHidden(static_cast<int>(ConnectionColumn::place), true);
  for (const ConnectionColumn column : kOfCaptures) setColumnHidden(static_cast<int>(column), !isCapture);
  for (const ConnectionColumn column : kNotOfCaptures) setColumnHidden(static_cast<int>(column), isCapture);
}

void ConnectionTableView::setMode(ListMode mode) {
  if (mode == m_mode) return;
  m_states.at(static_cast<std::size_t>(m_mode)) = columnState();
  m_mode = mode;
  showAllThatGaveWay();
  m_chosenByUser.clear();
  if (!applyColumnState(m_states.at(static_cast<std::size_t>(mode)))) hideUnusual(mode);
  makeRoom();
}

void ConnectionTableView::makeRoomFor(std::size_t places) {
  m_hasSeveralPlaces = places > 1;
  makeRoom();
}

void ConnectionTableView::makeRoom() {
  showAllThatGaveWay();
  const int place = static_cast<int>(ConnectionColumn::place);
  if (!m_chosenByUser.contains(place)) setColumnHidden(place, !m_hasSeveralPlaces);
  int needed = fontMetrics().averageCharWidth() * kVerdictCharacters;
  for (int column = 0; column < kConnectionColumnCount; ++column) {
    if (column != static_cast<int>(ConnectionColumn::verdict)) needed += columnWidth(column);
  }
  const auto giveWay = m_mode == ListMode::capture ? std::span<const ConnectionColumn>(kGiveWayOfCaptures)
                                                   : std::span<const ConnectionColumn>(kGiveWay);
  for (const ConnectionColumn candidate : giveWay) {
    const int column = static_cast<int>(candidate);
    if (needed <= viewport()->width()) return;
    if (isColumnHidden(column) || m_chosenByUser.contains(column)) continue;
    needed -= columnWidth(column);
    setColumnHidden(column, true);
    m_gaveWay.push_back(column);
  }
}

void ConnectionTableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  makeRoom();
}

bool ConnectionTableView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) {
    m_isPointedAt = event->type() == QEvent::Enter;
    noteUse();
  }
  return QTableView::viewportEvent(event);
}

void ConnectionTableView::keyPressEvent(QKeyEvent* event) {
  m_keyed.start();
  noteUse();
  QTableView::keyPressEvent(event);
}

void ConnectionTableView::mousePressEvent(QMouseEvent* event) {
  // Selecting another connection would drop the history of the one before.
  if (event->button() != Qt::RightButton) QTableView::mousePressEvent(event);
}

void ConnectionTableView::contextMenuEvent(QContextMenuEvent* event) {
  const bool isOfKeyboard = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex row = isOfKeyboard ? currentIndex() : indexAt(event->pos());
  const auto connection = m_model.connectionAt(row.row());
  if (!connection) return;
  const QPoint global = isOfKeyboard ? viewport()->mapToGlobal(visualRect(row).bottomLeft()) : event->globalPos();
  emit menuRequested(*connection, global);
}

void ConnectionTableView::noteUse() {
  const bool isUsed = m_isPointedAt || m_keyed.isActive();
  if (isUsed) m_followsCurrent = false;
  if (std::exchange(m_isUsed, isUsed) != isUsed) emit used(isUsed);
}

void ConnectionTableView::setColumnWanted(int column, bool wanted) {
  const QHeaderView& header = *horizontalHeader();
  if (!wanted && header.count() - header.hiddenSectionCount() <= 1) return;
  m_gaveWay.removeAll(column);
  if (!m_chosenByUser.contains(column)) m_chosenByUser.push_back(column);
  setColumnHidden(column, !wanted);
  makeRoom();
}

QByteArray ConnectionTableView::columnState() const {
  QByteArray state;
  QDataStream stream(&state, QIODevice::WriteOnly);
  stream << horizontalHeader()->saveState() << m_gaveWay << m_chosenByUser;
  return state;
}

bool ConnectionTableView::applyColumnState(const QByteArray& state) {
  QByteArray header;
  QList<int> gaveWay;
  QList<int> chosen;
  QDataStream stream(state);
  stream >> header >> gaveWay;
  if (stream.status() != QDataStream::Ok) return false;
  // A state from before there were modes ends here.
  stream >> chosen;
  const int sorted = horizontalHeader()->sortIndicatorSection();
  const Qt::SortOrder order = horizontalHeader()->sortIndicatorOrder();
  showAllThatGaveWay();
  if (!horizontalHeader()->restoreState(header)) return false;
  horizontalHeader()->setSortIndicator(sorted, order);
  for (const int column : gaveWay) setColumnHidden(std::clamp(column, 0, kConnectionColumnCount - 1), false);
  m_chosenByUser = stream.status() == QDataStream::Ok ? chosen : QList<int>();
  return true;
}

QByteArray ConnectionTableView::saveColumns(ListMode mode) const {
  return mode == m_mode ? columnState() : m_states.at(static_cast<std::size_t>(mode));
}

void ConnectionTableView::restoreColumns(ListMode mode, const QByteArray& state) {
  if (mode != m_mode) {
    m_states.at(static_cast<std::size_t>(mode)) = state;
  } else if (applyColumnState(state)) {
    makeRoom();
  }
}

void ConnectionTableView::setSnapshot(const SnapshotPointer& snapshot) {
  const auto before = m_model.rows().snapshot();
  setMode(listMode(*snapshot));
  // One host needs no name; with the second one every row names its own.
  if (before == nullptr || before->places.size() != snapshot->places.size()) makeRoomFor(snapshot->places.size());
  {
    const QScopedValueRollback<bool> quiet(m_quiet, true);
    m_model.setSnapshot(snapshot);
  }
  if (before == nullptr || before->order != snapshot->order || before->groups != snapshot->groups)
    showCurrent(m_current);
}

void ConnectionTableView::showCurrent(std::optional<ConnectionId> connection) {
  const bool moved = connection != m_current;
  m_current = connection;
  m_followsCurrent = m_followsCurrent || moved;
  const QScopedValueRollback<bool> quiet(m_quiet, true);
  const std::optional<int> row = connection ? m_model.rowOf(*connection, m_lastRow) : std::nullopt;
  if (!row) {
    selectionModel()->clear();
    return;
  }
  m_lastRow = *row;
  if (currentIndex().row() == *row && selectionModel()->isRowSelected(*row)) return;
  // A row that moved is followed without scrolling: the list stays where the user reads.
  const bool follows = hasAutoScroll();
  setAutoScroll(m_followsCurrent);
  const int column = currentIndex().isValid() ? currentIndex().column() : 0;
  selectionModel()->setCurrentIndex(m_model.index(*row, column),
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  setAutoScroll(follows);
}

void ConnectionTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (m_quiet) return;
  const std::optional<ConnectionId> chosen = m_model.connectionAt(current.row());
  if (!chosen) return;
  m_current = chosen;
  m_followsCurrent = false;
  m_lastRow = current.row();
  emit connectionChosen(chosen);
}

QModelIndex ConnectionTableView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
  const QModelIndex target = QTableView::moveCursor(action, modifiers);
  if (!target.isValid() || m_model.connectionAt(target.row())) return target;
  // Arrows pass over headings.
  const int step = target.row() >= currentIndex().row() ? 1 : -1;
  for (const int direction : {step, -step}) {
    for (int row = target.row(); row >= 0 && row < m_model.rowCount(); row += direction) {
      if (m_model.connectionAt(row)) return m_model.index(row, target.column());
    }
  }
  return target;
}

void ConnectionTableView::setEmptyMessage(const QString& message) {
  if (message == m_emptyMessage) return;
  m_emptyMessage = message;
  setAccessibleDescription(message);
  viewport()->update();
}

void ConnectionTableView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (m_model.rowCount() != 0 || m_emptyMessage.isEmpty()) return;
  QPainter painter(viewport());
  painter.setPen(quietTextColor(appearanceOf(palette())));
  painter.drawText(viewport()->rect().adjusted(20, 10, -20, -10), Qt::AlignCenter | Qt::TextWordWrap, m_emptyMessage);
}

}  // namespace tcpscope
