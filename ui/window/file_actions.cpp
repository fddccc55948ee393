#include "ui/window/file_actions.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QUrl>
#include <algorithm>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr qsizetype kMostRecentFiles = 8;
constexpr const char* kRecentFiles = "files/recent";

/// The one local file that is dragged; empty for anything else.
QString draggedFile(const QMimeData& dragged) {
  const QList<QUrl> urls = dragged.urls();
  return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

FileActions::FileActions(const NoticeBars& bars, QWidget& window) : QObject(&window), m_bars(bars), m_window(window) {
  if (m_bars.record() != nullptr) connect(m_bars.record(), &RecordBar::openRequested, this, &FileActions::open);
  if (m_bars.capture() == nullptr) return;
  window.setAcceptDrops(true);
  window.installEventFilter(this);
}

void FileActions::addTo(QMenu& menu) {
  if (m_bars.capture() != nullptr) {
    QAction* open = menu.addAction(QStringLiteral("&Open capture or recording…"), this, &FileActions::chooseFile);
    open->setShortcut(QKeySequence::Open);
    menu.addAction(QStringLiteral("Open in ne&w window…"), this, &FileActions::chooseFileBeside);
    QMenu* recent = menu.addMenu(QStringLiteral("Open rece&nt"));
    connect(&menu, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(*recent); });
    fillRecentMenu(*recent);
    menu.addAction(QStringLiteral("&Close file"), m_bars.capture(), &CaptureBar::close);
  }
  if (m_bars.record() != nullptr) {
    QAction* record = menu.addAction(QStringLiteral("&Record…"), this, &FileActions::chooseRecording);
    record->setShortcut(Qt::CTRL | Qt::ALT | Qt::Key_R);
    m_withPackets = menu.addAction(QStringLiteral("Record pac&kets, too"));
    m_withPackets->setCheckable(true);
    m_withPackets->setToolTip(
        QStringLiteral("A recording has the packet headers of the captured connection beside it, at most 64 MiB: "
                       "name.packets.pcapng, for its replay and for Wireshark"));
    menu.addAction(m_bars.record()->stopAction());
  }
  menu.addSeparator();
}

void FileActions::fillRecentMenu(QMenu& menu) {
  menu.clear();
  for (const QString& path : m_recent) {
    const QString shown = plainText(UntrustedText(path.toStdString()));
    // A single ampersand would make a mnemonic of the character behind it.
    QAction* action = menu.addAction(QString(shown).replace(u'&', QLatin1String("&&")));
    connect(action, &QAction::triggered, this, [this, path] { open(path); });
  }
  menu.setEnabled(!menu.isEmpty());
}

void FileActions::saveSettings(QSettings& settings) const {
  settings.setValue(kRecentFiles, m_recent);
}

void FileActions::restoreSettings(QSettings& settings) {
  const QStringList kept = settings.value(kRecentFiles).toStringList();
  m_recent = kept.first(std::min(kept.size(), kMostRecentFiles));
}

void FileActions::chooseRecording() {
  QFileDialog dialog(&m_window, QStringLiteral("Record what is shown"), QString(),
                     QStringLiteral("Recordings (*.tcpscope)"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("tcpscope"));
  if (dialog.exec() != QDialog::Accepted) return;
  m_bars.record()->start(dialog.selectedFiles().constFirst(), recordedData());
  if (recordedData() == RecordedData::samplesAndPackets) emit packetsRecorded();
}

RecordedData FileActions::recordedData() const {
  return m_withPackets != nullptr && m_withPackets->isChecked() ? RecordedData::samplesAndPackets
                                                                : RecordedData::samples;
}

QString FileActions::chosenFile() const {
  return QFileDialog::getOpenFileName(
      &m_window, QStringLiteral("Open capture or recording"), QString(),
      QStringLiteral("Captures and recordings (*.pcap *.pcapng *.cap *.gz *.zst *.tcpscope);;All files (*)"));
}

void FileActions::chooseFile() {
  const QString path = chosenFile();
  if (!path.isEmpty()) open(path);
}

void FileActions::chooseFileBeside() {
  const QString path = chosenFile();
  if (!path.isEmpty()) openInNewWindow(path);
}

void FileActions::openInNewWindow(const QString& path) {
  if (m_bars.capture() == nullptr) return;
  if (m_bars.capture()->openInNewWindow(path)) return note(path);
  QMessageBox::information(
      &m_window, QStringLiteral("Open in new window"),
      QStringLiteral("tcpscope could not be started again. Start it from a terminal with the file."));
}

void FileActions::open(const QString& path) {
  if (m_bars.capture() == nullptr) return;
  if (m_bars.capture()->open(path)) note(path);
}

void FileActions::note(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  m_recent.removeAll(whole);
  m_recent.prepend(whole);
  m_recent = m_recent.first(std::min(m_recent.size(), kMostRecentFiles));
}

void FileActions::showInWireshark(const QString& displayFilter) {
  if (m_bars.capture() == nullptr || m_bars.capture()->showInWireshark(displayFilter)) return;
  QMessageBox::information(
      &m_window, QStringLiteral("Show in Wireshark"),
      QStringLiteral("Wireshark is not installed, or does not start. Install it, or copy the display "
                     "filter and open the file on another machine."));
}

void FileActions::choosePacketsFile(ConnectionId connection) {
  if (m_bars.capture() == nullptr) return;
  const QString path =
      QFileDialog::getSaveFileName(&m_window, QStringLiteral("Save packets of the connection"),
                                   QStringLiteral("connection.pcapng"), QStringLiteral("Captures (*.pcapng)"));
  if (!path.isEmpty()) m_bars.capture()->savePackets(connection, path);
}

bool FileActions::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::DragEnter) {
    auto* drag = static_cast<QDragEnterEvent*>(event);
    if (!draggedFile(*drag->mimeData()).isEmpty()) drag->acceptProposedAction();
    return true;
  }
  if (event->type() == QEvent::Drop) {
    auto* drop = static_cast<QDropEvent*>(event);
    const QString path = draggedFile(*drop->mimeData());
    if (path.isEmpty()) return true;
    drop->acceptProposedAction();
    open(path);
    return true;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace tcpscope
