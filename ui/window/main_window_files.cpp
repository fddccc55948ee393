// What the window does with files: the menu, dropping, and the way there and back.
#include <QAction>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QUrl>
#include <QVBoxLayout>
#include <set>
#include <utility>

#include "ui/window/main_window.h"

namespace tcpscope {

namespace {

/// The one file that is dragged; empty for anything else.
QString fileOf(const QMimeData& dragged) {
  const QList<QUrl> urls = dragged.urls();
  return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

void MainWindow::offerFiles(CapturePort& port) {
  m_captureBar = new CaptureBar(port);
  static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(0, m_captureBar);
  setAcceptDrops(true);
  auto* open = new QAction(tr("&Open capture or recording…"), this);
  open->setShortcut(QKeySequence::Open);
  auto* back = new QAction(tr("&Back to this machine"), this);
  m_fileMenu->insertActions(m_fileMenu->actions().value(0), {open, back});
  connect(open, &QAction::triggered, this, &MainWindow::chooseFile);
  connect(back, &QAction::triggered, m_captureBar, &CaptureBar::close);
  connect(m_captureBar, &CaptureBar::opened, this, &MainWindow::showFile);
  connect(m_captureBar, &CaptureBar::closed, this, &MainWindow::leaveFile);
}

void MainWindow::offerReplay(ReplayPort& port) {
  m_replayBar = new ReplayBar(port);
  static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(0, m_replayBar);
  auto* menu = new QMenu(tr("&Replay"), this);
  menuBar()->insertMenu(m_helpMenu->menuAction(), menu);
  menu->addActions(m_replayBar->menuActions());
}

void MainWindow::offerRecording(RecordPort& port) {
  m_recordBar = new RecordBar(port);
  static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(0, m_recordBar);
  auto* record = new QAction(tr("&Record…"), this);
  record->setShortcut(Qt::CTRL | Qt::ALT | Qt::Key_R);
  // Above the last of the menu, which quits.
  QAction* quit = m_fileMenu->actions().last();
  m_fileMenu->insertActions(quit, {record, m_recordBar->stopAction()});
  m_fileMenu->insertSeparator(quit);
  connect(record, &QAction::triggered, this, &MainWindow::chooseRecording);
  connect(m_recordBar, &RecordBar::openWanted, this, &MainWindow::openFile);
}

void MainWindow::chooseRecording() {
  QFileDialog dialog(this, tr("Record what is shown"), QString(), tr("Recordings (*.tcpscope)"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("tcpscope"));
  if (dialog.exec() == QDialog::Accepted) m_recordBar->start(dialog.selectedFiles().constFirst());
}

void MainWindow::offerReports(ReportPort& port) {
  m_reportBar = new ReportBar(port);
  static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(0, m_reportBar);
  auto* plain = new QAction(tr("Save re&port…"), this);
  plain->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_E);
  auto* anonymous = new QAction(tr("Save report &without names…"), this);
  QAction* quit = m_fileMenu->actions().last();
  m_fileMenu->insertActions(quit, {plain, anonymous});
  m_fileMenu->insertSeparator(quit);
  connect(plain, &QAction::triggered, this, [this] { chooseReport(false); });
  connect(anonymous, &QAction::triggered, this, [this] { chooseReport(true); });
  connect(m_reportBar, &ReportBar::openWanted, this,
          [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); });
  const auto follow = [this, plain, anonymous] {
    for (QAction* action : {plain, anonymous}) action->setEnabled(m_selection.connection().has_value());
  };
  connect(&m_selection, &Selection::connectionChanged, this, follow);
  follow();
}

ReportWish MainWindow::reportWish() const {
  ReportWish wish;
  wish.snapshot = m_feed.latest();
  if (wish.snapshot == nullptr) return wish;
  std::set<ConnectionId> wanted = m_control.value().pinned;
  if (m_selection.connection()) wanted.insert(*m_selection.connection());
  for (const auto& [id, detail] : wish.snapshot->details) {
    if (wanted.count(id) > 0) wish.details.push_back(detail);
  }
  return wish;
}

void MainWindow::chooseReport(bool isAnonymous) {
  ReportWish wish = reportWish();
  QFileDialog dialog(this, tr("Save a report of the selected connection"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setNameFilters({tr("For a browser (*.html)"), tr("For paper (*.pdf)"), tr("For programs (*.json)")});
  dialog.setDefaultSuffix(QStringLiteral("html"));
  connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& filter) {
    dialog.setDefaultSuffix(filter.section(QStringLiteral("*."), 1).remove(QLatin1Char(')')));
  });
  if (dialog.exec() != QDialog::Accepted) return;
  // Newer by the time of the choice, unless it is gone by then.
  if (ReportWish now = reportWish(); !now.details.empty()) wish = std::move(now);
  if (wish.snapshot == nullptr) return;
  wish.path = dialog.selectedFiles().constFirst().toStdString();
  wish.isAnonymous = isAnonymous;
  m_reportBar->write(std::move(wish));
}

void MainWindow::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open capture or recording"), QString(),
      tr("Captures and recordings (*.pcap *.pcapng *.cap *.gz *.zst *.tcpscope);;All files (*)"));
  if (!path.isEmpty()) openFile(path);
}

void MainWindow::openFile(const QString& path) {
  if (m_captureBar == nullptr) return;
  if (m_demoBar != nullptr) m_demoBar->stop();
  m_captureBar->open(path);
}

/// Other connections: nothing of the old ones stays selected.
void MainWindow::showFile() {
  m_liveCapture->close();
  m_selection.setConnection(std::nullopt);
  m_list->selectFirstNoMore();
  m_selectsFirst = true;
  m_status->showNotice(false);
  if (m_replayBar != nullptr) m_replayBar->poll();
}

void MainWindow::leaveFile() {
  m_selectsFirst = false;
  m_selection.setConnection(std::nullopt);
  m_status->showNotice(true);
  if (m_replayBar != nullptr) m_replayBar->poll();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (m_captureBar != nullptr && !fileOf(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString path = fileOf(*event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  openFile(path);
}

}  // namespace tcpscope
