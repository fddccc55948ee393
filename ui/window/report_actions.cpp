#include "ui/window/report_actions.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QSettings>
#include <QUrl>
#include <set>
#include <utility>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr const char* kAuthor = "report/author";
constexpr const char* kLogo = "report/logo";
constexpr const char* kExtension = "report/extension";

}  // namespace

ReportActions::ReportActions(ReportBar& bar, const SnapshotFeed& feed, const Selection& selection,
                             const ControlState& control, QWidget& window)
    : QObject(&window),
      m_bar(bar),
      m_feed(feed),
      m_selection(selection),
      m_control(control),
      m_window(window),
      m_save(QStringLiteral("Save re&port…"), this) {
  m_save.setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_E);
  connect(&m_save, &QAction::triggered, this, &ReportActions::choose);
  connect(&bar, &ReportBar::openRequested, this,
          [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); });
  connect(&selection, &Selection::connectionChanged, this, &ReportActions::followSelection);
  followSelection();
}

void ReportActions::addTo(QMenu& menu) {
  menu.addAction(&m_save);
  menu.addSeparator();
}

void ReportActions::followSelection() {
  m_save.setEnabled(m_selection.connection().has_value());
}

ReportRequest ReportActions::request() const {
  ReportRequest request;
  request.snapshot = m_feed.latest();
  if (request.snapshot == nullptr) return request;
  std::set<ConnectionId> connections = m_control.value().pinned;
  if (m_selection.connection()) connections.insert(*m_selection.connection());
  for (const auto& [id, detail] : request.snapshot->details) {
    if (connections.contains(id)) request.details.push_back(detail);
  }
  return request;
}

bool ReportActions::write(const QString& path, ConnectionId connection) {
  ReportRequest requested;
  requested.snapshot = m_feed.latest();
  if (requested.snapshot == nullptr) return false;
  const auto detail = requested.snapshot->details.find(connection);
  if (detail == requested.snapshot->details.end()) return false;
  requested.details.push_back(detail->second);
  requested.path = path.toStdString();
  requested.isAnonymous = m_choices.isAnonymous;
  requested.letterhead = m_choices.withoutCase().letterhead();
  m_bar.write(std::move(requested));
  return true;
}

QString ReportActions::subject() const {
  const SnapshotPointer& snapshot = m_feed.latest();
  const ConnectionFacts* selected = snapshot == nullptr ? nullptr : snapshot->find(*m_selection.connection());
  if (selected == nullptr) return QStringLiteral("The selected connection");
  std::set<ConnectionId> others = m_control.value().pinned;
  others.erase(*m_selection.connection());
  const QString ends =
      QStringLiteral("%1 ↔ %2").arg(toQString(selected->local.toString()), toQString(selected->remote.toString()));
  return others.empty() ? ends : QStringLiteral("%1 and %2 pinned").arg(ends).arg(others.size());
}

void ReportActions::choose() {
  ReportRequest requested = request();
  ReportDialog dialog(subject(), m_choices, &m_window);
  if (dialog.exec() != QDialog::Accepted) return;
  m_choices = dialog.choices();
  QFileDialog file(&m_window, QStringLiteral("Save report"));
  file.setAcceptMode(QFileDialog::AcceptSave);
  file.setNameFilter(reportFileFilter(m_choices.extension));
  file.setDefaultSuffix(m_choices.extension);
  if (file.exec() != QDialog::Accepted) return;
  // The connection may have disappeared while the dialogs were open: then the report is of the moment they opened.
  if (ReportRequest now = request(); !now.details.empty()) requested = std::move(now);
  if (requested.snapshot == nullptr) return;
  requested.path = file.selectedFiles().constFirst().toStdString();
  requested.isAnonymous = m_choices.isAnonymous;
  requested.isBrief = m_choices.isBrief;
  requested.letterhead = m_choices.letterhead();
  m_bar.write(std::move(requested));
}

void ReportActions::saveSettings(QSettings& settings) const {
  settings.setValue(kAuthor, m_choices.author);
  settings.setValue(kLogo, m_choices.logo);
  settings.setValue(kExtension, m_choices.extension);
}

void ReportActions::restoreSettings(QSettings& settings) {
  m_choices.author = settings.value(kAuthor).toString();
  m_choices.logo = settings.value(kLogo).toString();
  m_choices.extension = settings.value(kExtension, m_choices.extension).toString();
}

}  // namespace tcpscope
