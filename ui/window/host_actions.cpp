#include "ui/window/host_actions.h"

#include <QSettings>
#include <algorithm>

#include "ui/text/plain_text.h"
#include "ui/window/connect_dialog.h"

namespace tcpscope {

namespace {

constexpr qsizetype kMostRecentHosts = 8;
constexpr const char* kRecentHosts = "hosts/recent";

}  // namespace

HostActions::HostActions(HostPort& port, const NoticeBars& bars, QWidget& window)
    : QObject(&window), m_port(port), m_bars(bars), m_window(window) {}

void HostActions::addTo(QMenu& menu) {
  QAction* connectTo = menu.addAction(QStringLiteral("Connect to &host…"), this, &HostActions::chooseHost);
  connectTo->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_O);
  QMenu* disconnectMenu = menu.addMenu(QStringLiteral("&Disconnect"));
  menu.addSeparator();
  connect(&menu, &QMenu::aboutToShow, this, [this, disconnectMenu] { fillDisconnectMenu(*disconnectMenu); });
  fillDisconnectMenu(*disconnectMenu);
}

void HostActions::fillDisconnectMenu(QMenu& menu) {
  menu.clear();
  for (const ConnectedHost& host : m_port.hosts()) {
    // A single ampersand would make a mnemonic of the character behind it.
    QAction* action = menu.addAction(hostText(host).replace(u'&', QLatin1String("&&")));
    connect(action, &QAction::triggered, this, [this, number = host.number] { m_port.disconnect(number); });
  }
  menu.setEnabled(!menu.isEmpty());
}

void HostActions::chooseHost() {
  ConnectDialog dialog(m_port, m_recent, &m_window);
  if (dialog.exec() != QDialog::Accepted) return;
  m_recent.removeAll(dialog.host());
  m_recent.prepend(dialog.host());
  m_recent = m_recent.first(std::min(m_recent.size(), kMostRecentHosts));
  // Its connections stand beside those of this host, which a demo or a file hides.
  if (m_bars.demo() != nullptr) m_bars.demo()->stop();
  if (m_bars.capture() != nullptr) m_bars.capture()->close();
}

void HostActions::saveSettings(QSettings& settings) const {
  settings.setValue(kRecentHosts, m_recent);
}

void HostActions::restoreSettings(QSettings& settings) {
  const QStringList kept = settings.value(kRecentHosts).toStringList();
  m_recent = kept.first(std::min(kept.size(), kMostRecentHosts));
}

}  // namespace tcpscope
