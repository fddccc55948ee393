// Other hosts in the window: connect, disconnect, and the hosts that were connected last.
#pragma once

#include <QMenu>
#include <QObject>

#include "ui/feed/host_port.h"
#include "ui/window/notice_bars.h"

class QSettings;

namespace tcpscope {

class HostActions : public QObject {
  Q_OBJECT
public:
  /// All of it outlives this; the window is the parent.
  HostActions(HostPort& port, const NoticeBars& bars, QWidget& window);

  void addTo(QMenu& menu);
  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);

private:
  void chooseHost();
  void fillDisconnectMenu(QMenu& menu);

  HostPort& m_port;
  const NoticeBars& m_bars;
  QWidget& m_window;
  /// As they were typed, the newest first.
  QStringList m_recent;
};

}  // namespace tcpscope
