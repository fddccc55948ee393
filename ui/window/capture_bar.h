// The line that a capture has in the window: its name, how far its reading is and how to stop that, what was wrong with
// the file, and the way back.
//
// Looks at the port a few times a second, as the feed does at its own.
#pragma once

#include <QProgressBar>
#include <QTimer>

#include "ui/feed/capture_port.h"
#include "ui/window/notice_bar.h"

namespace tcpscope {

class CaptureBar : public NoticeBar {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit CaptureBar(CapturePort& port, QWidget* parent = nullptr);

  void open(const QString& path);
  void close();
  /// Looks at the port now.
  void poll();

signals:
  /// Another file is shown since now.
  void opened();
  /// The capture that was shown is no more.
  void closed();

private:
  void showState(const CaptureState& state);
  [[nodiscard]] static QString headlineOf(const CaptureState& state);

  CapturePort& m_port;
  QTimer m_timer;
  bool m_isShown = false;
  QProgressBar m_progress;
  QToolButton m_stopButton;
  QToolButton m_closeButton;
};

}  // namespace tcpscope
