// The bar of a recording: elapsed time, size, stop; afterwards what went wrong, and a button that opens what was
// recorded.
#pragma once

#include <QAction>
#include <QTimer>

#include "ui/feed/record_port.h"
#include "ui/window/notice_bar.h"

namespace tcpscope {

class RecordBar : public NoticeBar {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit RecordBar(RecordPort& port, QWidget* parent = nullptr);

  void start(const QString& path, RecordedData wanted = RecordedData::samples);
  /// Keeps the newest part, so long, until it is stopped.
  void startRing(const QString& path, std::chrono::seconds keeps);
  void stop();
  /// Removes what was recorded.
  void discard();
  /// Was begun last, and neither stopped nor closed here since.
  [[nodiscard]] bool isOf(const QString& path) const { return !path.isEmpty() && path == m_path; }
  [[nodiscard]] bool isRunning() const { return m_port.state().phase == RecordPhase::recording; }
  /// Polls the port now.
  void poll();

  /// For a menu.
  [[nodiscard]] QAction* stopAction() { return &m_stop; }

signals:
  /// Asks to open what was recorded.
  void openRequested(const QString& path);

private:
  void forget();
  void showState(const RecordState& state);
  [[nodiscard]] static QString headlineOf(const RecordState& state);

  RecordPort& m_port;
  /// Of the recording that was begun last; empty after it was stopped or closed.
  QString m_path;
  QTimer m_timer;
  QAction m_stop;
  QToolButton m_stopButton;
  QToolButton m_openButton;
  QToolButton m_closeButton;
};

}  // namespace tcpscope
