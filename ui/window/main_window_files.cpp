// What the window does with files: the menu, dropping, and the way there and back.
#include <QAction>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QUrl>
#include <QVBoxLayout>

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
  record->setShortcut(Qt::CTRL | Qt::Key_S);
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
