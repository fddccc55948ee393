#include "ui/window/trigger_responder.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QStandardPaths>
#include <QStatusBar>
#include <QStyle>

namespace tcpscope {

namespace {

constexpr int kStatusMs = 60'000;

}  // namespace

TriggerResponder::TriggerResponder(const Parts& parts, const QString& folder, QObject* parent)
    : QObject(parent),
      m_parts(parts),
      m_folder(folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) : folder) {
  connect(qApp, &QCoreApplication::aboutToQuit, this, &TriggerResponder::discardWaiting);
  m_endsRing.setSingleShot(true);
  m_endsRing.setInterval(kAfter);
  connect(&m_endsRing, &QTimer::timeout, this, &TriggerResponder::endRing);
  m_endsCapture.setSingleShot(true);
  m_endsCapture.setInterval(kAfter);
  connect(&m_endsCapture, &QTimer::timeout, this, &TriggerResponder::endCapture);
  connect(&m_parts.feed, &SnapshotFeed::snapshotChanged, this, &TriggerResponder::writeReports);
}

TriggerResponder::~TriggerResponder() = default;

QString TriggerResponder::newFile(const QString& extension) {
  const QString stem =
      QStringLiteral("tcpscope-trigger-%1").arg(QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss"));
  QDir().mkpath(m_folder);
  const QDir folder(m_folder);
  QString path = folder.filePath(stem + extension);
  // No file is replaced.
  for (int number = 2; QFileInfo::exists(path) || m_named.contains(path); ++number)
    path = folder.filePath(QStringLiteral("%1-%2%3").arg(stem).arg(number).arg(extension));
  m_named.insert(path);
  return path;
}

void TriggerResponder::arm(const TriggerActions& actions) {
  m_reports = 0;
  m_captures = 0;
  discardWaiting();
  if (!actions.records || m_parts.recording == nullptr) return;
  // A recording that the user began goes on and has the trigger in it.
  if (!endRing() && m_parts.recording->isRunning()) return;
  m_ringPath = newFile(QStringLiteral(".tcpscope"));
  m_parts.recording->startRing(m_ringPath, kRing);
  m_ring = Ring::waiting;
}

bool TriggerResponder::isRing() const {
  return m_ring != Ring::none && m_parts.recording->isOf(m_ringPath);
}

void TriggerResponder::discardWaiting() {
  if (m_ring != Ring::waiting) return;
  if (isRing()) m_parts.recording->discard();
  m_ring = Ring::none;
}

bool TriggerResponder::endRing() {
  const bool isOurs = isRing();
  m_endsRing.stop();
  m_ring = Ring::none;
  if (isOurs) m_parts.recording->stop();
  return isOurs;
}

void TriggerResponder::respond(const QString& what, ConnectionId connection, const TriggerActions& actions) {
  if (m_ring == Ring::waiting && isRing()) {
    m_ring = Ring::ending;
    m_endsRing.start();
  }
  // First: what else is said is about it.
  if (actions.notifies) notify(what);
  if (actions.reports && m_parts.reports != nullptr && m_reports < kMostReports) {
    ++m_reports;
    const SnapshotPointer& latest = m_parts.feed.latest();
    m_waiting.push_back({newFile(QStringLiteral(".html")), connection, latest == nullptr ? Moment() : latest->time});
    writeReports();
  }
  if (actions.captures) capture(connection);
}

void TriggerResponder::writeReports() {
  const SnapshotPointer& latest = m_parts.feed.latest();
  std::erase_if(m_waiting, [&](const WaitingReport& one) {
    if (m_parts.reports->write(one.path, one.connection)) return true;
    const bool isOver = latest != nullptr && latest->time - one.since > kLongestWait;
    if (isOver) say(QStringLiteral("Trigger: no report, the connection has gone"));
    return isOver;
  });
}

void TriggerResponder::capture(ConnectionId connection) {
  const SnapshotPointer snapshot = m_parts.feed.latest();
  if (snapshot == nullptr || m_parts.capture == nullptr || m_captures == kMostReports) return;
  // Packets of the user's own capture are not replaced.
  const bool isOwn = m_parts.capture->number() == m_captureNumber;
  if (m_parts.capture->isRunning() || (m_parts.capture->hasPackets() && !isOwn))
    return say(QStringLiteral("Trigger: packets not captured, there is another capture"));
  const ConnectionFacts* facts = snapshot->find(connection);
  if (facts == nullptr) return;
  ++m_captures;
  m_parts.capture->capture(*facts);
  m_captureNumber = m_parts.capture->number();
  m_endsCapture.start();
}

void TriggerResponder::endCapture() {
  if (m_parts.capture->number() != m_captureNumber) return;
  m_parts.capture->stop();
  if (m_parts.capture->hasPackets()) m_parts.capture->save(newFile(QStringLiteral(".pcapng")));
}

void TriggerResponder::say(const QString& what) {
  m_parts.window.statusBar()->showMessage(what, kStatusMs);
}

void TriggerResponder::notify(const QString& what) {
  say(QStringLiteral("Trigger: %1").arg(what));
  QApplication::alert(&m_parts.window);
  if (!QSystemTrayIcon::isSystemTrayAvailable()) return;
  QIcon icon = m_parts.window.windowIcon();
  if (icon.isNull()) icon = QApplication::style()->standardIcon(QStyle::SP_MessageBoxInformation);
  m_tray.setIcon(icon);
  m_tray.show();
  // Some desktops read markup in it, and names come from other users' processes.
  m_tray.showMessage(QStringLiteral("tcpscope: trigger"), QString(what).replace(u'<', u'‹'), icon);
}

}  // namespace tcpscope
