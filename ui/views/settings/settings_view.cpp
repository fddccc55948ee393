#include "ui/views/settings/settings_view.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QSettings>
#include <algorithm>
#include <utility>

#include "ui/models/place_name.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kPollEvery{50};

SteadyRow listRow(const SettingRow& row) {
  const auto orUnknown = [](const QString& text) { return text.isEmpty() ? QStringLiteral("–") : text; };
  return {{plainText(UntrustedText(row.key)), orUnknown(row.now), row.allowed, orUnknown(row.setBy), row.explanation},
          {},
          {}};
}

bool mayHaveChanged(HostChangePhase phase) {
  return phase != HostChangePhase::none && phase != HostChangePhase::previewing && phase != HostChangePhase::previewed;
}

/// Ids of places alone: what is read of a host is of all its connections.
ConnectionId ofPlace(PlaceId place) {
  return {place, 0};
}

}  // namespace

SettingsView::SettingsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_list({QStringLiteral("Setting"), QStringLiteral("Now"), QStringLiteral("Allowed"), QStringLiteral("Set by"),
              QStringLiteral("What it does")},
             QStringLiteral("Settings")) {
  m_kind.addItem(QStringLiteral("Socket options of the connection"), static_cast<int>(SettingKind::socketOption));
  m_kind.addItem(QStringLiteral("Sysctls of its host"), static_cast<int>(SettingKind::sysctl));
  m_kind.setAccessibleName(QStringLiteral("Which settings"));
  m_filter.setPlaceholderText(QStringLiteral("Name or meaning contains…"));
  m_filter.setAccessibleName(QStringLiteral("Filter the settings"));
  m_filter.setClearButtonEnabled(true);
  m_read.setText(QStringLiteral("Read the rest"));
  m_read.setToolTip(toolTipText(
      QStringLiteral("Reads what samples do not have: options that only the program's descriptor shows, and the files "
                     "that set sysctls at boot. May ask for a password where the program is another user's.")));
  m_headline.setTextFormat(Qt::PlainText);
  m_headline.setWordWrap(true);
  m_list.setObjectName(QStringLiteral("settings"));
  m_list.header()->setStretchLastSection(true);
  for (int column = 0; column < 4; ++column) m_list.header()->setSectionResizeMode(column, QHeaderView::Interactive);
  const int letter = fontMetrics().averageCharWidth();
  const std::initializer_list<int> widths = {36, 24, 34, 20};
  int column = 0;
  for (const int letters : widths) m_list.header()->resizeSection(column++, letter * letters);
  if (ChangePort* port = context.ports.settings) {
    m_change = new ChangePanel(*port, context);
    m_sliderChanges.emplace(*port, [this](const HostChangeRequest& request) { begin(request); });
    connect(m_change, &ChangePanel::polled, this, [this, port] {
      const HostChangeState state = port->state();
      // What was read is older than the change.
      if (mayHaveChanged(state.phase)) m_readRows.clear();
      m_sliderChanges->advance(state);
      showAllowed();
    });
    connect(m_change, &ChangePanel::shown, this, [this](bool isShown) {
      if (!isShown) m_editor.startOver();
      refresh();
    });
  }
  buildLayout();
  connect(&m_kind, &QComboBox::currentIndexChanged, this, [this] {
    if (m_sliderChanges) m_sliderChanges->stop();
    refresh();
  });
  connect(&m_filter, &QLineEdit::textChanged, this, &SettingsView::fillList);
  connect(&m_read, &QPushButton::clicked, this, &SettingsView::readValues);
  connect(&m_list, &QTreeWidget::currentItemChanged, this, &SettingsView::showChosen);
  connect(&m_editor, &SettingEditor::previewRequested, this, &SettingsView::previewTyped);
  connect(&m_editor, &SettingEditor::applyRequested, this, &SettingsView::applyFromSlider);
  connect(&m_poll, &QTimer::timeout, this, &SettingsView::takeReadValues);
}

void SettingsView::buildLayout() {
  auto* bar = new QHBoxLayout;
  bar->addWidget(&m_kind);
  bar->addWidget(&m_filter, 1);
  bar->addWidget(&m_read);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(bar);
  layout->addWidget(&m_headline);
  layout->addWidget(&m_list, 1);
  layout->addWidget(&m_editor);
  // Most of the room is the change's while there is one.
  if (m_change != nullptr) layout->addWidget(m_change, 3);
}

SettingKind SettingsView::kind() const {
  return static_cast<SettingKind>(m_kind.currentData().toInt());
}

void SettingsView::showKind(SettingKind kind) {
  m_kind.setCurrentIndex(m_kind.findData(static_cast<int>(kind)));
}

const Place* SettingsView::place() const {
  if (m_snapshot == nullptr || m_snapshot->places.empty()) return nullptr;
  const auto& connection = context().selection.connection();
  if (!connection) return &m_snapshot->places.front();
  const auto found = std::find_if(m_snapshot->places.begin(), m_snapshot->places.end(),
                                  [&](const Place& one) { return one.id == connection->place; });
  return found == m_snapshot->places.end() ? nullptr : &*found;
}

bool SettingsView::isLive() const {
  const Place* const shown = place();
  return m_change != nullptr && shown != nullptr && isLivePlace(*m_snapshot, shown->id);
}

std::vector<SettingRow> SettingsView::currentRows() const {
  const Place* const shown = place();
  if (shown == nullptr) return {};
  const ConnectionDetail* const detail = selectedDetail(m_snapshot, context().selection);
  if (kind() == SettingKind::sysctl) {
    if (shown->isCapture) return {};
    const bool isRead = m_readOf == ofPlace(shown->id);
    return sysctlRows(m_snapshot->settings(shown->id), isRead ? m_readRows : std::vector<HostChangeRow>());
  }
  if (detail == nullptr || shown->isCapture) return {};
  return optionRows(detail->socket, m_readOf == detail->row.id ? m_readRows : std::vector<HostChangeRow>());
}

void SettingsView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  if (m_change != nullptr) m_change->setSnapshot(snapshot);
  refresh();
}

void SettingsView::setSelection(const Selection& /*selection*/) {
  // A value that waits was chosen for the previous connection.
  if (m_sliderChanges && m_editorOf != shownOf()) m_sliderChanges->stop();
  refresh();
}

ConnectionId SettingsView::shownOf() const {
  const auto& connection = context().selection.connection();
  if (kind() == SettingKind::socketOption && connection) return *connection;
  const Place* const shown = place();
  return shown == nullptr ? ConnectionId() : ofPlace(shown->id);
}

void SettingsView::showAllowed() {
  const bool canBegin = m_change != nullptr && m_change->canBegin() && !m_isReading;
  // The trial of a slider's value ends with the next value of the same connection alone.
  const bool isSliding = m_sliderChanges && m_sliderChanges->isUnderWay() && m_slidingOf == shownOf();
  m_editor.allow({isLive(), canBegin, canBegin || isSliding});
  m_read.setEnabled(isLive() && !m_rows.empty() && !m_isReading && m_change->isHidden());
}

void SettingsView::refresh() {
  m_rows = currentRows();
  const Place* const shown = place();
  QString headline;
  if (shown == nullptr) {
    headline = QStringLiteral("Waiting for the first samples.");
  } else if (shown->isCapture) {
    headline = QStringLiteral("A capture does not show what is set at its ends.");
  } else if (kind() == SettingKind::sysctl) {
    headline = m_rows.empty() ? QStringLiteral("The settings of %1 are not known.")
                              : QStringLiteral("Sysctls of %1, in its network namespace.");
    headline = headline.arg(placeName(shown->id, m_snapshot->places));
  } else if (m_rows.empty()) {
    headline = whyNoDetail(m_snapshot, context().selection);
  } else if (!isLive()) {
    headline = QStringLiteral("As recorded: a recording cannot be changed.");
  }
  if (!m_readRows.empty() && m_readOf == shownOf()) {
    headline += (headline.isEmpty() ? QString() : QStringLiteral(" ")) +
                QStringLiteral("The rest as read at %1.")
                    .arg(wallText(m_snapshot->clock, m_readAt, WallPrecision::seconds).section(u' ', 1));
  }
  if (!m_readFault.isEmpty()) headline += (headline.isEmpty() ? QString() : QStringLiteral("\n")) + m_readFault;
  m_headline.setText(headline);
  m_headline.setVisible(!headline.isEmpty());
  showAllowed();
  fillList();
}

void SettingsView::fillList() {
  const QString words = m_filter.text().trimmed();
  std::vector<SteadyRow> rows;
  for (const SettingRow& row : m_rows) {
    SteadyRow listed = listRow(row);
    if (listed.cells.first().contains(words, Qt::CaseInsensitive) ||
        listed.cells.last().contains(words, Qt::CaseInsensitive))
      rows.push_back(std::move(listed));
  }
  m_list.setRows(std::move(rows));
  if (m_list.currentItem() == nullptr && m_list.topLevelItemCount() > 0) m_list.setCurrentItem(m_list.topLevelItem(0));
  showChosen();
}

const SettingRow* SettingsView::chosen() const {
  const QTreeWidgetItem* const item = m_list.currentItem();
  if (item == nullptr) return nullptr;
  const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const SettingRow& row) {
    return plainText(UntrustedText(row.key)) == item->text(0);
  });
  return found == m_rows.end() ? nullptr : &*found;
}

void SettingsView::showChosen() {
  const SettingRow* const row = chosen();
  m_editorOf = shownOf();
  m_editor.setRow(row == nullptr ? std::nullopt : std::optional(*row), m_editorOf);
}

std::optional<HostChangeRequest> SettingsView::requestFor(std::vector<SettingChange> changes) const {
  const Place* const shown = place();
  if (!isLive() || shown == nullptr) return std::nullopt;
  HostChangeRequest request{*shown, kind(), std::move(changes)};
  if (kind() == SettingKind::sysctl) return request;
  const ConnectionDetail* const detail = selectedDetail(m_snapshot, context().selection);
  if (detail == nullptr) return std::nullopt;
  request.local = detail->row.local;
  request.remote = detail->row.remote;
  return request;
}

void SettingsView::readValues() {
  std::vector<SettingChange> unchanged;
  for (const SettingRow& row : m_rows) {
    if (row.kind != SettingKind::sysctl || !row.canChange) continue;
    if (auto change = typedChange(row, row.typed)) unchanged.push_back(std::move(*change));
  }
  const auto request = requestFor(std::move(unchanged));
  if (!request || m_isReading || !m_change->isHidden()) return;
  m_readFault.clear();
  m_readOf = kind() == SettingKind::sysctl ? ofPlace(request->place.id) : *context().selection.connection();
  m_isReading = true;
  context().ports.settings->preview(*request);
  m_poll.start(kPollEvery);
  refresh();
}

void SettingsView::takeReadValues() {
  if (!m_isReading) return;
  const HostChangeState state = context().ports.settings->state();
  if (state.phase == HostChangePhase::previewing) return;
  m_isReading = false;
  m_poll.stop();
  m_readAt = m_snapshot->time;
  m_readRows = state.rows;
  m_readFault = toQString(state.notice);
  context().ports.settings->forget();
  refresh();
}

void SettingsView::begin(const HostChangeRequest& request) {
  const bool isOption = request.kind == SettingKind::socketOption;
  const ConnectionDetail* const detail = selectedDetail(m_snapshot, context().selection);
  const QString effect = isOption ? QStringLiteral("Takes effect on this connection at once.")
                                  : QStringLiteral("Most sysctls take effect on connections that begin later.");
  m_change->preview(request, {isOption ? Reach::live : Reach::afterReconnect, effect},
                    detail == nullptr ? ofPlace(request.place.id) : detail->row.id);
}

void SettingsView::previewTyped(const SettingChange& change) {
  const auto request = requestFor({change});
  if (!request || m_isReading || !m_change->canBegin()) return;
  m_sliderChanges->stop();
  begin(*request);
}

void SettingsView::applyFromSlider(const SettingChange& change) {
  auto request = requestFor({change});
  if (!request || m_isReading) return;
  m_slidingOf = shownOf();
  m_sliderChanges->request(std::move(*request));
}

void SettingsView::saveSettings(QSettings& settings) const {
  settings.setValue("settings/kind", m_kind.currentIndex());
}

void SettingsView::restoreSettings(QSettings& settings) {
  m_kind.setCurrentIndex(std::clamp(settings.value("settings/kind", 0).toInt(), 0, m_kind.count() - 1));
}

}  // namespace tcpscope
