// The line that a recording has in the window: that it runs, for how long, how large it is, stop; what went wrong, and
// the way to what was recorded.
#pragma once

#include <QAction>
#include <QFrame>
#include <QLabel>
#include <QTimer>
#include <QToolButton>

#include "ui/feed/record_port.h"

namespace tcpscope {

class RecordBar : public QFrame {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit RecordBar(RecordPort& port, QWidget* parent = nullptr);

  void start(const QString& path);
  void stop();
  /// Looks at the port now.
  void poll();

  /// For a menu.
  [[nodiscard]] QAction* stopAction() { return &m_stop; }
  [[nodiscard]] QString headline() const { return m_headline.text(); }
  [[nodiscard]] QString notice() const { return m_notice.text(); }

signals:
  /// Somebody wants to see what was recorded.
  void openWanted(const QString& path);

private:
  void forget();
  void showState(const RecordState& state);
  [[nodiscard]] static QString headlineOf(const RecordState& state);

  RecordPort& m_port;
  QTimer m_timer;
  QLabel m_headline;
  QLabel m_notice;
  QAction m_stop;
  QToolButton m_stopButton;
  QToolButton m_openButton;
  QToolButton m_closeButton;
};

}  // namespace tcpscope
