// The bar of disconnected hosts, a line each: why, when the next attempt comes, and what to do. Hidden while all are
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

  /// Polls the port now.
  void poll();
  /// Every line of text.
  [[nodiscard]] QStringList texts() const;

private:
  HostPort& m_port;
  QTimer m_timer;
  QVBoxLayout* m_layout;
  std::vector<HostLine*> m_lines;
};

/// "db1: disconnected, reconnecting in 4 s"; "db1: connected".
QString hostText(const ConnectedHost& host);

}  // namespace tcpscope
