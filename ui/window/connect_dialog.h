// Asks for another host and connects to it: closes once the host is connected, and shows the reason as long as it is
// not. Where no agent is installed there, it offers the means that need none.
#pragma once

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include "ui/feed/host_port.h"

namespace tcpscope {

class ConnectDialog : public QDialog {
  Q_OBJECT
public:
  /// `port` outlives the dialog. `recent` are offered, the newest first.
  ConnectDialog(HostPort& port, const QStringList& recent, QWidget* parent = nullptr);

  /// What stands in the field, without spaces around it.
  [[nodiscard]] QString host() const { return m_host.currentText().trimmed(); }
  /// What is in the way, or what is awaited.
  [[nodiscard]] QString notice() const { return m_notice.text(); }
  /// Looks at the port now.
  void poll();
  /// Gives up what connects, too.
  void reject() override;

private:
  void start(HostMeans means);
  void offerOtherMeans(bool offered);
  void showConnecting(bool connects);

  HostPort& m_port;
  QTimer m_timer;
  QComboBox m_host;
  QLabel m_notice;
  QPushButton m_throughSs;
  QPushButton m_copy;
  QPushButton m_connect;
  QPushButton m_cancel;
};

}  // namespace tcpscope
