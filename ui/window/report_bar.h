// The line that a report has in the window: that it is written, where it is, how to open it; or why it is not there.
#pragma once

#include <QTimer>

#include "ui/feed/report_port.h"
#include "ui/window/notice_bar.h"

namespace tcpscope {

class ReportBar : public NoticeBar {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit ReportBar(ReportPort& port, QWidget* parent = nullptr);

  void write(ReportRequest wish);
  /// Looks at the port now.
  void poll();

signals:
  /// Somebody wants to read it.
  void openRequested(const QString& path);

private:
  void forget();
  void showState(const ReportState& state);
  [[nodiscard]] static QString headlineOf(const ReportState& state);

  ReportPort& m_port;
  QTimer m_timer;
  QToolButton m_openButton;
  QToolButton m_closeButton;
};

}  // namespace tcpscope
