#include "ui/views/connection_list/connection_list_view.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QSettings>
#include <QToolButton>

#include "core/filter/filters_of.h"
#include "core/present/text/display_filter.h"
#include "ui/feed/capture_port.h"
#include "ui/models/problem_model.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/row_table.h"

namespace tcpscope {

ConnectionListView::ConnectionListView(const ViewContext& context, QWidget* parent) : View(context, parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 0);
  layout->setSpacing(4);
  buildActions();
  buildToolbar(*layout);
  layout->addWidget(&m_table);
  // Below, so that no row moves where it comes and goes.
  buildAlert(*layout);
  setFocusProxy(&m_table);

  connect(&m_filter, &FilterEdit::filterChanged, this,
          [this](const ConnectionFilter& filter) { this->context().control.setFilter(filter); });
  connect(
      &m_table, &ConnectionTableView::connectionChosen, this,
      [this](const std::optional<ConnectionId>& connection) { this->context().selection.setConnection(connection); });
  connect(m_table.horizontalHeader(), &QHeaderView::sectionClicked, this, &ConnectionListView::sortBy);
  connect(&m_table, &ConnectionTableView::used, this, [this](bool isUsed) {
    m_kept.setVisible(isUsed);
    this->context().control.setKeepsOrder(isUsed);
  });
  m_table.horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_table.horizontalHeader(), &QHeaderView::customContextMenuRequested, this, [this](const QPoint& position) {
    QMenu menu(this);
    addColumnActions(menu);
    menu.exec(m_table.horizontalHeader()->mapToGlobal(position));
  });
  connect(&m_table, &ConnectionTableView::menuRequested, this,
          [this](const ConnectionId& connection, const QPoint& global) {
            QMenu menu(this);
            fillRowMenu(menu, connection);
            menu.exec(global);
          });
  m_table.addActions(actions());
  addCopyActions(m_table);
  showSort();
  m_table.setEmptyMessage(whyEmpty());
}

void ConnectionListView::buildActions() {
  m_pin.setText(QStringLiteral("&Pin this connection"));
  m_pin.setShortcut(Qt::CTRL | Qt::Key_P);
  m_pin.setCheckable(true);
  m_pin.setEnabled(false);
  m_pin.setToolTip(QStringLiteral("Keep the connection at the top, with its full history"));
  connect(&m_pin, &QAction::triggered, this, [this](bool pinned) {
    if (const auto connection = target()) context().control.setPinned(*connection, pinned);
  });
  m_capture.setText(QStringLiteral("&Capture packets"));
  m_capture.setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
  m_capture.setEnabled(false);
  m_capture.setToolTip(QStringLiteral("Show its packets beside the kernel's figures (Ctrl+Shift+C)"));
  connect(&m_capture, &QAction::triggered, this, [this] {
    context().selection.setConnection(target());
    emit captureRequested();
  });
  m_keepClosed.setText(QStringLiteral("&Keep closed connections"));
  m_keepClosed.setShortcut(Qt::CTRL | Qt::Key_K);
  m_keepClosed.setCheckable(true);
  m_keepClosed.setChecked(context().control.value().keepClosed);
  connect(&m_keepClosed, &QAction::toggled, this, [this](bool keep) { context().control.setKeepClosed(keep); });

  auto* filter = new QAction(QStringLiteral("&Filter…"), this);
  filter->setShortcut(QKeySequence::Find);
  connect(filter, &QAction::triggered, this, [this] { m_filter.focusField(); });
  auto* clear = new QAction(QStringLiteral("C&lear the filter"), this);
  clear->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_F);
  connect(clear, &QAction::triggered, this, [this] {
    selectFirstNoMore();
    m_filter.setText({});
  });
  auto* group = new QAction(QStringLiteral("Next &grouping"), this);
  group->setShortcut(Qt::CTRL | Qt::Key_G);
  connect(group, &QAction::triggered, this,
          [this] { m_grouping.setCurrentIndex((m_grouping.currentIndex() + 1) % m_grouping.count()); });
  buildScopeAction();
  buildWiresharkActions();
  buildFilterActions();
  addActions({&m_pin, &m_inScope, &m_capture, &m_wireshark, &m_savePackets, &m_copyFilter, &m_copySsFilter,
              m_offeredFilters.menuAction(), group, &m_keepClosed, filter, clear});
}

void ConnectionListView::buildFilterActions() {
  m_copySsFilter.setText(QStringLiteral("Copy as ss filter"));
  connect(&m_copySsFilter, &QAction::triggered, this, [this] {
    if (const auto row = targetRow())
      QGuiApplication::clipboard()->setText(toQString(ssFilter(row->local, row->remote)));
  });
  m_offeredFilters.setTitle(QStringLiteral("&Apply as filter"));
  connect(&m_offeredFilters, &QMenu::aboutToShow, this, [this] {
    m_offeredFilters.clear();
    const auto row = targetRow();
    if (!row) return;
    for (const OfferedFilter& one : filtersOf(row->local, row->remote, m_snapshot->owner(*row), row->limit)) {
      const QString text = toQString(one.filter);
      QAction* action = m_offeredFilters.addAction(
          QStringLiteral("%1:  %2").arg(toQString(one.title), QString(text).replace(u'&', QLatin1String("&&"))));
      connect(action, &QAction::triggered, this, [this, text] { m_filter.setText(text); });
    }
  });
  // A menu that is disabled itself would disable its action again.
  for (QAction* action : {&m_copySsFilter, m_offeredFilters.menuAction()}) action->setEnabled(false);
}

std::optional<ConnectionRow> ConnectionListView::targetRow() const {
  const auto connection = target();
  if (m_snapshot == nullptr || !connection) return std::nullopt;
  const auto row = m_table.connections().rowOf(*connection, 0);
  return row ? m_table.connections().rows().connection(*row) : std::nullopt;
}

void ConnectionListView::buildScopeAction() {
  m_inScope.setText(QStringLiteral("Show in the &scope, too"));
  m_inScope.setShortcut(Qt::CTRL | Qt::Key_D);
  m_inScope.setCheckable(true);
  m_inScope.setEnabled(false);
  m_inScope.setToolTip(
      QStringLiteral("Show its traces in the scope beside those of the selected connection, also when another one is "
                     "selected (Ctrl+D)"));
  connect(&m_inScope, &QAction::triggered, this, [this](bool isShown) {
    if (const auto connection = target()) context().selection.setFurther(*connection, isShown);
  });
}

void ConnectionListView::fillRowMenu(QMenu& menu, ConnectionId connection) {
  const ConnectionFacts* facts = m_snapshot == nullptr ? nullptr : m_snapshot->find(connection);
  m_menuConnection = connection;
  updateActions();
  connect(&menu, &QObject::destroyed, this, [this] {
    m_menuConnection.reset();
    updateActions();
  });
  // The row is not selected: which one it is stands above.
  if (facts != nullptr) {
    menu.addSection(
        QStringLiteral("%1 → %2").arg(toQString(facts->local.toString()), toQString(facts->remote.toString())));
  }
  menu.addActions(actions());
  menu.addSeparator();
  const auto row = [this, connection] {
    const auto found = m_table.connections().rowOf(connection, 0);
    return found ? QList<int>{*found} : QList<int>{};
  };
  menu.addActions(makeCopyActions(m_table, row, menu));
}

std::optional<ConnectionId> ConnectionListView::target() const {
  return m_menuConnection ? m_menuConnection : context().selection.connection();
}

void ConnectionListView::buildWiresharkActions() {
  m_wireshark.setText(QStringLiteral("Show in &Wireshark"));
  m_wireshark.setToolTip(QStringLiteral("Open the capture in Wireshark, with the packets of this connection"));
  connect(&m_wireshark, &QAction::triggered, this, [this] { emit wiresharkRequested(targetDisplayFilter()); });
  m_copyFilter.setText(QStringLiteral("Copy the &display filter"));
  m_copyFilter.setToolTip(QStringLiteral("Copy what shows its packets in Wireshark"));
  connect(&m_copyFilter, &QAction::triggered, this,
          [this] { QGuiApplication::clipboard()->setText(targetDisplayFilter()); });
  m_savePackets.setText(QStringLiteral("Save &its packets…"));
  m_savePackets.setToolTip(
      QStringLiteral("Write the packets of this connection to a pcapng file, with comments for Wireshark"));
  connect(&m_savePackets, &QAction::triggered, this, [this] {
    if (const auto id = target()) emit packetsRequested(*id);
  });
  for (QAction* action : {&m_wireshark, &m_savePackets, &m_copyFilter}) action->setEnabled(false);
}

void ConnectionListView::buildToolbar(QLayout& layout) {
  auto* bar = new QHBoxLayout;
  m_grouping.addItem(QStringLiteral("No groups"), static_cast<int>(Grouping::none));
  m_grouping.addItem(QStringLiteral("By process"), static_cast<int>(Grouping::process));
  m_grouping.addItem(QStringLiteral("By remote"), static_cast<int>(Grouping::remote));
  m_grouping.addItem(QStringLiteral("By host"), static_cast<int>(Grouping::place));
  m_grouping.setAccessibleName(QStringLiteral("Group the connections"));
  m_grouping.setToolTip(QStringLiteral("Group the connections (Ctrl+G)"));
  connect(&m_grouping, &QComboBox::currentIndexChanged, this,
          [this] { context().control.setGrouping(static_cast<Grouping>(m_grouping.currentData().toInt())); });
  auto* pin = new QToolButton;
  pin->setDefaultAction(&m_pin);
  m_pin.setIconText(QStringLiteral("Pin"));
  auto* capture = new QToolButton;
  capture->setDefaultAction(&m_capture);
  m_capture.setIconText(QStringLiteral("Capture"));
  auto* closed = new QToolButton;
  closed->setDefaultAction(&m_keepClosed);
  m_keepClosed.setIconText(QStringLiteral("Closed"));
  m_kept.setText(QStringLiteral("Order held"));
  m_kept.setAccessibleName(QStringLiteral("Rows keep their places"));
  m_kept.setToolTip(
      QStringLiteral("Rows keep their places while the pointer is over the list or keys move in it; new connections "
                     "come last"));
  QSizePolicy room = m_kept.sizePolicy();
  room.setRetainSizeWhenHidden(true);
  m_kept.setSizePolicy(room);
  m_kept.setMinimumHeight(m_grouping.sizeHint().height());
  m_kept.hide();
  bar->addWidget(&m_filter, 1);
  bar->addWidget(&m_kept, 0, Qt::AlignTop);
  bar->addWidget(&m_grouping, 0, Qt::AlignTop);
  bar->addWidget(pin, 0, Qt::AlignTop);
  bar->addWidget(capture, 0, Qt::AlignTop);
  bar->addWidget(closed, 0, Qt::AlignTop);
  static_cast<QVBoxLayout&>(layout).addLayout(bar);
}

void ConnectionListView::buildAlert(QLayout& layout) {
  auto* bar = new QHBoxLayout(&m_alert);
  bar->setContentsMargins(0, 0, 0, 0);
  m_alertText.setTextFormat(Qt::PlainText);
  m_alertText.setAccessibleName(QStringLiteral("Problems"));
  // A long line is cut, it must not widen the window.
  m_alertText.setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* show = new QToolButton;
  show->setText(QStringLiteral("Show the problems"));
  connect(show, &QToolButton::clicked, this, &ConnectionListView::problemsRequested);
  bar->addWidget(&m_alertText, 1);
  bar->addWidget(show);
  m_alert.hide();
  colorAlert();
  layout.addWidget(&m_alert);
}

void ConnectionListView::showAlert(const SessionSnapshot& snapshot) {
  const QString alert = snapshot.problems ? problemAlert(*snapshot.problems) : QString();
  m_alert.setVisible(!alert.isEmpty());
  if (alert.isEmpty() || m_alertText.text() == QStringLiteral("⚠ ") + alert) return;
  m_alertText.setText(QStringLiteral("⚠ ") + alert);
  m_alertText.setToolTip(toolTipText(alert));
}

void ConnectionListView::changeEvent(QEvent* event) {
  View::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colorAlert();
}

void ConnectionListView::colorAlert() {
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, severityColor(FindingSeverity::problem, appearanceOf(colors)));
  m_alertText.setPalette(colors);
}

void ConnectionListView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  setMode(listMode(*snapshot));
  m_table.setSnapshot(snapshot);
  m_filter.setMatches(snapshot->order == nullptr ? 0 : snapshot->order->size(), snapshot->totalRows);
  m_table.setEmptyMessage(whyEmpty());
  showAlert(*snapshot);
  updateActions();
  selectFirstIfDue();
}

void ConnectionListView::setMode(ListMode mode) {
  if (mode == m_table.mode()) return;
  ControlState& control = context().control;
  m_sorts.at(static_cast<std::size_t>(m_table.mode())) = {control.value().sortKey, control.value().sortDescending};
  m_table.setMode(mode);
  const ModeSort& sort = m_sorts.at(static_cast<std::size_t>(mode));
  control.setSort(sort.key, sort.isDescending);
  showSort();
}

void ConnectionListView::selectFirst(const ConnectionFilter& filter) {
  context().control.setFilter(filter);
  // The queued snapshot and the one in progress may still belong to the previous filter.
  m_snapshotsUntilSelect = 2;
}

void ConnectionListView::selectFirstNoMore() {
  if (!m_snapshotsUntilSelect) return;
  m_snapshotsUntilSelect.reset();
  context().control.setFilter(m_filter.filter());
}

void ConnectionListView::selectFirstIfDue() {
  if (!m_snapshotsUntilSelect || --*m_snapshotsUntilSelect > 0) return;
  for (int row = 0; row < m_table.connections().rowCount(); ++row) {
    const auto connection = m_table.connections().connectionAt(row);
    if (!connection) continue;
    m_snapshotsUntilSelect.reset();
    context().control.setFilter(m_filter.filter());
    context().selection.setConnection(connection);
    return;
  }
}

void ConnectionListView::setSelection(const Selection& selection) {
  m_table.showCurrent(selection.connection());
  updateActions();
}

void ConnectionListView::updateActions() {
  const auto connection = target();
  const Selection& selection = context().selection;
  m_inScope.setChecked(connection && selection.isFurther(*connection));
  m_inScope.setEnabled(connection && (m_inScope.isChecked() || selection.further().size() < kMostFurther));
  m_pin.setEnabled(connection.has_value());
  m_pin.setChecked(connection && context().control.value().pinned.contains(*connection));
  // What a file holds is over.
  const bool isLive = m_snapshot != nullptr && connection && isLivePlace(*m_snapshot, connection->place);
  m_capture.setEnabled(isLive);
  for (QAction* action : {&m_copySsFilter, m_offeredFilters.menuAction()}) action->setEnabled(connection.has_value());
  const bool isNamed = !targetDisplayFilter().isEmpty();
  m_copyFilter.setEnabled(isNamed);
  const Place* const file = m_snapshot == nullptr ? nullptr : shownFile(*m_snapshot);
  m_wireshark.setEnabled(isNamed && file != nullptr && file->isCapture);
  m_savePackets.setEnabled(m_wireshark.isEnabled());
}

QString ConnectionListView::targetDisplayFilter() const {
  const auto connection = target();
  if (m_snapshot == nullptr || !connection) return {};
  const auto found = m_snapshot->details.find(*connection);
  if (found != m_snapshot->details.end())
    return toQString(displayFilter(found->second->socket.local, found->second->socket.remote));
  // The list is searched for the menu of a row alone, not with every snapshot.
  const ConnectionFacts* facts = m_menuConnection ? m_snapshot->find(*connection) : nullptr;
  return facts == nullptr ? QString() : toQString(displayFilter(facts->local, facts->remote));
}

QString ConnectionListView::whyEmpty() const {
  if (m_snapshot == nullptr) return QStringLiteral("Waiting for the first sample…");
  if (m_snapshot->totalRows > 0 && m_snapshotsUntilSelect) {
    return QStringLiteral("Waiting for a connection to select — Ctrl+Shift+F shows all.");
  }
  if (m_snapshot->totalRows > 0)
    return QStringLiteral("No connection matches this filter — clear it with Ctrl+Shift+F.");
  if (const Place* file = shownFile(*m_snapshot)) {
    if (!file->isCapture) return QStringLiteral("The recording contains no TCP connections at this time.");
    CapturePort* const captures = context().ports.captures;
    const bool isReading = captures != nullptr && captures->state().phase == CapturePhase::reading;
    return isReading ? QStringLiteral("No TCP connection found in the capture yet.")
                     : QStringLiteral("The capture contains no TCP connections.");
  }
  return QStringLiteral("No TCP connections. The Demo menu starts one.");
}

void ConnectionListView::sortBy(int column) {
  const ConnectionColumnRow& clicked = connectionColumn(column);
  const auto key = sortKeyOf(clicked);
  if (!key) return;
  ControlState& control = context().control;
  const bool again = control.value().sortKey == *key;
  control.setSort(*key, again ? !control.value().sortDescending : clicked.sortsDescendingFirst);
  m_table.horizontalHeader()->setSortIndicator(
      column, control.value().sortDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

std::optional<SortKey> ConnectionListView::sortKeyOf(const ConnectionColumnRow& column) const {
  const bool isOfCapture = m_table.mode() == ListMode::capture;
  return isOfCapture && column.column == ConnectionColumn::verdict ? SortKey::worst : column.sortKey;
}

void ConnectionListView::showSort() {
  const SessionControl& control = context().control.value();
  for (const ConnectionColumnRow& column : connectionColumns()) {
    if (sortKeyOf(column) != control.sortKey) continue;
    m_table.horizontalHeader()->setSortIndicator(static_cast<int>(column.column),
                                                 control.sortDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    return;
  }
}

void ConnectionListView::addColumnActions(QMenu& menu) {
  for (int column = 0; column < kConnectionColumnCount; ++column) {
    QAction* action = menu.addAction(m_table.model()->headerData(column, Qt::Horizontal).toString());
    action->setCheckable(true);
    action->setChecked(!m_table.isColumnHidden(column));
    connect(action, &QAction::toggled, this, [this, column](bool wanted) { m_table.setColumnWanted(column, wanted); });
  }
}

void ConnectionListView::setFilterText(const QString& text) {
  m_filter.setText(text);
}

void ConnectionListView::saveSettings(QSettings& settings) const {
  for (std::size_t number = 0; number < kListModes; ++number) {
    const auto mode = static_cast<ListMode>(number);
    const QString group = QStringLiteral("list/%1/").arg(QLatin1String(listModeKey(mode)));
    const SessionControl& control = context().control.value();
    const ModeSort sort =
        mode == m_table.mode() ? ModeSort{control.sortKey, control.sortDescending} : m_sorts.at(number);
    settings.setValue(group + QStringLiteral("header"), m_table.saveColumns(mode));
    settings.setValue(group + QStringLiteral("sortKey"), static_cast<int>(sort.key));
    settings.setValue(group + QStringLiteral("sortDescending"), sort.isDescending);
  }
  // From before there were modes.
  for (const char* key : {"list/header", "list/sortKey", "list/sortDescending"}) settings.remove(QLatin1String(key));
  // A window starts with all connections; the previous filter is one key away.
  settings.remove("list/filter");
  settings.setValue("list/filters", m_filter.history());
  settings.setValue("list/grouping", m_grouping.currentIndex());
  settings.setValue("list/keepClosed", m_keepClosed.isChecked());
}

void ConnectionListView::restoreMode(QSettings& settings, ListMode mode, const QString& group) {
  m_table.restoreColumns(mode, settings.value(group + QStringLiteral("header")).toByteArray());
  ModeSort& sort = m_sorts.at(static_cast<std::size_t>(mode));
  const int key = settings.value(group + QStringLiteral("sortKey"), static_cast<int>(sort.key)).toInt();
  if (key < 0 || key > static_cast<int>(kLastSortKey)) return;
  sort = {static_cast<SortKey>(key),
          settings.value(group + QStringLiteral("sortDescending"), sort.isDescending).toBool()};
  if (mode == m_table.mode()) context().control.setSort(sort.key, sort.isDescending);
}

void ConnectionListView::restoreSettings(QSettings& settings) {
  for (std::size_t number = 0; number < kListModes; ++number) {
    const auto mode = static_cast<ListMode>(number);
    restoreMode(settings, mode, QStringLiteral("list/%1/").arg(QLatin1String(listModeKey(mode))));
  }
  // Settings from before there were modes are those of what lives.
  if (settings.contains("list/header")) restoreMode(settings, ListMode::live, QStringLiteral("list/"));
  m_filter.setHistory(settings.value("list/filters", settings.value("list/filter")).toStringList());
  m_grouping.setCurrentIndex(std::clamp(settings.value("list/grouping", 0).toInt(), 0, m_grouping.count() - 1));
  m_keepClosed.setChecked(settings.value("list/keepClosed", true).toBool());
  showSort();
}

}  // namespace tcpscope
