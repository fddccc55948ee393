// The bar of a report: that it is being written, where it is and a button to open it; or why it failed.
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

  void write(ReportRequest request);
  /// Polls the port now.
  void poll();

signals:
  /// Asks to open the report.
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
