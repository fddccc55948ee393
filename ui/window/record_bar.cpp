#include "ui/window/record_bar.h"

#include "core/base/units.h"
#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

/// A medium that failed is reported well within two seconds.
constexpr Milliseconds kPollRecordingEvery{250};

/// "1:02:03", "0:07"
QString elapsedText(double seconds) {
  const auto whole = static_cast<qlonglong>(seconds);
  const QLatin1Char zero('0');
  const QString tail = QStringLiteral(":%1").arg(whole % 60, 2, 10, zero);
  if (whole < 3600) return QString::number(whole / 60) + tail;
  return QStringLiteral("%1:%2").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, zero) + tail;
}

}  // namespace

RecordBar::RecordBar(RecordPort& port, QWidget* parent)
    : NoticeBar(QStringLiteral("Recording"), QStringLiteral("Recording status"), parent), m_port(port) {
  m_stop.setText(QStringLiteral("S&top recording"));
  m_stop.setEnabled(false);
  m_stopButton.setText(QStringLiteral("Stop recording"));
  m_openButton.setText(QStringLiteral("Open"));
  m_closeButton.setText(QStringLiteral("Close"));
  connect(&m_stop, &QAction::triggered, this, &RecordBar::stop);
  connect(&m_stopButton, &QToolButton::clicked, this, &RecordBar::stop);
  connect(&m_openButton, &QToolButton::clicked, this, [this] {
    const QString path = toQString(m_port.state().path);
    forget();
    emit openRequested(path);
  });
  connect(&m_closeButton, &QToolButton::clicked, this, &RecordBar::forget);
  for (QToolButton* button : {&m_stopButton, &m_openButton, &m_closeButton}) add(*button);
  connect(&m_timer, &QTimer::timeout, this, &RecordBar::poll);
}

void RecordBar::start(const QString& path, RecordedData wanted) {
  m_port.start(path.toStdString(), wanted);
  m_path = path;
  m_timer.start(kPollRecordingEvery);
  poll();
}

void RecordBar::startRing(const QString& path, std::chrono::seconds keeps) {
  m_port.startRing(path.toStdString(), keeps);
  m_path = path;
  m_timer.start(kPollRecordingEvery);
  poll();
}

void RecordBar::discard() {
  m_port.discard();
  m_path.clear();
  m_timer.stop();
  poll();
}

void RecordBar::stop() {
  m_port.stop();
  m_path.clear();
  poll();
}

void RecordBar::forget() {
  m_port.forget();
  m_path.clear();
  m_timer.stop();
  poll();
}

void RecordBar::poll() {
  showState(m_port.state());
}

QString RecordBar::headlineOf(const RecordState& state) {
  const QString name = toQString(state.name);
  const QString size = toQString(formatBytes(static_cast<double>(state.bytes)));
  const QString elapsed = elapsedText(state.elapsedS);
  switch (state.phase) {
    case RecordPhase::recording:
      return QStringLiteral("\u25cf Recording to %1: %2, %3").arg(name, elapsed, size);
    case RecordPhase::ended:
      return QStringLiteral("Recorded %1: %2, %3").arg(name, elapsed, size);
    case RecordPhase::failed:
      if (state.bytes == 0) return QStringLiteral("Nothing was recorded");
      return QStringLiteral("The recording %1 stopped early: %2, %3 are kept").arg(name, elapsed, size);
    case RecordPhase::none:
      break;
  }
  return {};
}

void RecordBar::showState(const RecordState& state) {
  setVisible(state.phase != RecordPhase::none);
  setTexts(headlineOf(state), toQString(state.notice));
  const bool isRunning = state.phase == RecordPhase::recording;
  m_stop.setEnabled(isRunning);
  m_stopButton.setVisible(isRunning);
  m_openButton.setVisible(!isRunning && state.bytes > 0);
  m_closeButton.setVisible(!isRunning);
}

}  // namespace tcpscope
