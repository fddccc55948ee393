// The bar of an opened file: its name, reading progress with a stop button, problems of the file, and how to close
// it.
//
// Polls the port a few times a second, as the feed does its own.
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

  /// See CapturePort.
  bool open(const QString& path);
  void close();
  [[nodiscard]] bool openInNewWindow(const QString& path);
  [[nodiscard]] bool showInWireshark(const QString& displayFilter);
  void savePackets(ConnectionId connection, const QString& path);
  /// The list of its connections is not complete yet.
  [[nodiscard]] bool isReading() const { return m_port.state().phase == CapturePhase::reading; }
  /// Polls the port now.
  void poll();

signals:
  /// Another file is shown from now on.
  void opened();
  /// The file that was shown is closed.
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
