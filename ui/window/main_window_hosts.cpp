// What the window does with other hosts: the menu, the way there and back.
#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QVBoxLayout>

#include "ui/text/plain_text.h"
#include "ui/window/connect_dialog.h"
#include "ui/window/main_window.h"

namespace tcpscope {

namespace {

constexpr qsizetype kMostRecentHosts = 8;
constexpr const char* kRecentHosts = "hosts/recent";

}  // namespace

void MainWindow::offerHosts(HostPort& port) {
  m_hosts = &port;
  m_hostsBar = new HostsBar(port);
  static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(0, m_hostsBar);
  auto* connectTo = new QAction(tr("&Connect to host…"), this);
  connectTo->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_O);
  auto* disconnectMenu = new QMenu(tr("&Disconnect"), this);
  // Above the last of the menu, which quits.
  QAction* quit = m_fileMenu->actions().last();
  m_fileMenu->insertActions(quit, {connectTo, disconnectMenu->menuAction()});
  m_fileMenu->insertSeparator(quit);
  connect(connectTo, &QAction::triggered, this, &MainWindow::chooseHost);
  connect(m_fileMenu, &QMenu::aboutToShow, this, [this, disconnectMenu] { fillDisconnectMenu(*disconnectMenu); });
  fillDisconnectMenu(*disconnectMenu);
}

void MainWindow::fillDisconnectMenu(QMenu& menu) {
  menu.clear();
  for (const ConnectedHost& host : m_hosts->hosts()) {
    // Else what follows the sign would be a key to press.
    QAction* action = menu.addAction(hostText(host).replace(u'&', QLatin1String("&&")));
    connect(action, &QAction::triggered, this, [this, number = host.number] { m_hosts->disconnect(number); });
  }
  menu.setEnabled(!menu.isEmpty());
}

void MainWindow::chooseHost() {
  ConnectDialog dialog(*m_hosts, m_recentHosts, this);
  if (dialog.exec() != QDialog::Accepted) return;
  m_recentHosts.removeAll(dialog.host());
  m_recentHosts.prepend(dialog.host());
  m_recentHosts = m_recentHosts.first(std::min(m_recentHosts.size(), kMostRecentHosts));
  // Its connections stand beside those of this machine, behind a demo or a file.
  if (m_demoBar != nullptr) m_demoBar->stop();
  if (m_captureBar != nullptr) m_captureBar->close();
}

void MainWindow::saveHosts(QSettings& settings) const {
  settings.setValue(kRecentHosts, m_recentHosts);
}

void MainWindow::restoreHosts(QSettings& settings) {
  const QStringList kept = settings.value(kRecentHosts).toStringList();
  m_recentHosts = kept.first(std::min(kept.size(), kMostRecentHosts));
}

}  // namespace tcpscope
