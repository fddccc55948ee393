#include "ui/window/capture_bar.h"

#include "core/base/units.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kLookAtProgressEvery{100};
constexpr int kProgressSteps = 1000;

/// A longer note would push everything down.
QString recordingHeadline(const QString& name, const QString& note) {
  constexpr qsizetype kLongestNote = 160;
  if (note.isEmpty()) return QStringLiteral("Recording: %1").arg(name);
  return QStringLiteral("Recording: %1 — %2")
      .arg(name, note.size() > kLongestNote ? note.left(kLongestNote) + u'…' : note);
}

}  // namespace

CaptureBar::CaptureBar(CapturePort& port, QWidget* parent)
    : NoticeBar(QStringLiteral("Capture"), QStringLiteral("Problems with the file"), parent), m_port(port) {
  m_progress.setRange(0, kProgressSteps);
  m_progress.setAccessibleName(QStringLiteral("Reading progress"));
  m_progress.setMaximumWidth(fontMetrics().averageCharWidth() * 40);
  m_stopButton.setText(QStringLiteral("Stop reading"));
  m_stopButton.setToolTip(QStringLiteral("Keeps what has been read"));
  m_closeButton.setText(QStringLiteral("Close file"));
  connect(&m_stopButton, &QToolButton::clicked, this, [this] {
    m_port.stopReading();
    poll();
  });
  connect(&m_closeButton, &QToolButton::clicked, this, &CaptureBar::close);
  add(m_progress);
  add(m_stopButton);
  add(m_closeButton);
  connect(&m_timer, &QTimer::timeout, this, &CaptureBar::poll);
}

bool CaptureBar::openInNewWindow(const QString& path) {
  return m_port.openInNewWindow(path.toStdString());
}

bool CaptureBar::showInWireshark(const QString& displayFilter) {
  return m_port.showInWireshark(displayFilter.toStdString(), std::nullopt);
}

void CaptureBar::savePackets(ConnectionId connection, const QString& path) {
  m_port.savePackets(connection, path.toStdString());
  poll();
}

bool CaptureBar::open(const QString& path) {
  const bool isOpened = m_port.open(path.toStdString());
  m_timer.start(kLookAtProgressEvery);
  m_isShown = m_isShown || isOpened;
  poll();
  if (isOpened) emit opened();
  return isOpened;
}

void CaptureBar::close() {
  m_port.close();
  m_timer.stop();
  poll();
  if (!m_isShown) return;
  m_isShown = false;
  emit closed();
}

void CaptureBar::poll() {
  showState(m_port.state());
}

QString CaptureBar::headlineOf(const CaptureState& state) {
  const QString name = toQString(state.name);
  const QString packets = countText(state.packets);
  switch (state.phase) {
    case CapturePhase::reading:
      return QStringLiteral("Capture: %1 — reading, %2 packets so far").arg(name, packets);
    case CapturePhase::open:
      if (state.packets == 0) return recordingHeadline(name, toQString(state.note));
      return state.readsPackets
                 ? QStringLiteral("Capture: %1, %2 packets — reading the connection's packets").arg(name, packets)
                 : QStringLiteral("Capture: %1, %2 packets").arg(name, packets);
    case CapturePhase::failed:
    case CapturePhase::none:
      break;
  }
  return {};
}

void CaptureBar::showState(const CaptureState& state) {
  setVisible(state.phase != CapturePhase::none);
  setTexts(headlineOf(state), toQString(state.notice));
  const bool isReading = state.phase == CapturePhase::reading;
  m_progress.setVisible(isReading);
  m_stopButton.setVisible(isReading);
  m_closeButton.setText(state.phase == CapturePhase::failed ? QStringLiteral("Close") : QStringLiteral("Close file"));
  if (!isReading) return;
  // Without a size the bar only shows that something goes on.
  m_progress.setMaximum(state.readRatio ? kProgressSteps : 0);
  if (state.readRatio) m_progress.setValue(static_cast<int>(*state.readRatio * kProgressSteps));
}

}  // namespace tcpscope
