#include "ui/window/report_actions.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QUrl>
#include <set>
#include <utility>

namespace tcpscope {

ReportActions::ReportActions(ReportBar& bar, const SnapshotFeed& feed, const Selection& selection,
                             const ControlState& control, QWidget& window)
    : QObject(&window),
      m_bar(bar),
      m_feed(feed),
      m_selection(selection),
      m_control(control),
      m_window(window),
      m_save(QStringLiteral("Save re&port…"), this),
      m_saveAnonymized(QStringLiteral("Save &anonymized report…"), this) {
  m_save.setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_E);
  connect(&m_save, &QAction::triggered, this, [this] { choose(false); });
  connect(&m_saveAnonymized, &QAction::triggered, this, [this] { choose(true); });
  connect(&bar, &ReportBar::openRequested, this,
          [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); });
  connect(&selection, &Selection::connectionChanged, this, &ReportActions::followSelection);
  followSelection();
}

void ReportActions::addTo(QMenu& menu) {
  menu.addActions({&m_save, &m_saveAnonymized});
  menu.addSeparator();
}

void ReportActions::followSelection() {
  for (QAction* action : {&m_save, &m_saveAnonymized}) action->setEnabled(m_selection.connection().has_value());
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

void ReportActions::choose(bool isAnonymous) {
  ReportRequest requested = request();
  QFileDialog dialog(&m_window, QStringLiteral("Save a report of the selected connection"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  const QString brief = QStringLiteral("PDF document, two pages for each connection (*.pdf)");
  dialog.setNameFilters({QStringLiteral("Web page (*.html)"), QStringLiteral("PDF document (*.pdf)"), brief,
                         QStringLiteral("Markdown for tickets (*.md)"), QStringLiteral("JSON data (*.json)")});
  dialog.setDefaultSuffix(QStringLiteral("html"));
  connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& filter) {
    dialog.setDefaultSuffix(filter.section(QStringLiteral("*."), 1).remove(QLatin1Char(')')));
  });
  if (dialog.exec() != QDialog::Accepted) return;
  // The connection may have disappeared while the dialog was open: then the report is of the moment it opened.
  if (ReportRequest now = request(); !now.details.empty()) requested = std::move(now);
  if (requested.snapshot == nullptr) return;
  requested.path = dialog.selectedFiles().constFirst().toStdString();
  requested.isAnonymous = isAnonymous;
  requested.isBrief = dialog.selectedNameFilter() == brief && requested.path.ends_with(".pdf");
  m_bar.write(std::move(requested));
}

}  // namespace tcpscope
