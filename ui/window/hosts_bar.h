// The lines about hosts that are lost: why, when the next try comes, and the ways out. Nothing is shown while all are
// connected.
#pragma once

#include <QFrame>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/feed/host_port.h"

namespace tcpscope {

class HostLine;

class HostsBar : public QFrame {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit HostsBar(HostPort& port, QWidget* parent = nullptr);

  /// Looks at the port now.
  void poll();
  /// Every line of text, for who reads it.
  [[nodiscard]] QStringList texts() const;

private:
  HostPort& m_port;
  QTimer m_timer;
  QVBoxLayout* m_layout;
  std::vector<HostLine*> m_lines;
};

/// "db1 is lost: trying again in 4 s"; "db1 is connected".
QString hostText(const ConnectedHost& host);

}  // namespace tcpscope
