#include "ui/window/hosts_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kPollHostsEvery{250};

}  // namespace

/// One disconnected host.
class HostLine : public QWidget {
public:
  HostLine(HostPort& port, std::uint32_t number) : m_number(number) {
    QFont bold = font();
    bold.setBold(true);
    m_headline.setFont(bold);
    for (QLabel* label : {&m_headline, &m_notice}) {
      label->setTextFormat(Qt::PlainText);
      label->setWordWrap(true);
      label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_throughSs.setText(QStringLiteral("Sample with ss"));
    m_copy.setText(QStringLiteral("Deploy temporary agent"));
    m_again.setText(QStringLiteral("Reconnect"));
    m_disconnect.setText(QStringLiteral("Disconnect"));
    connect(&m_throughSs, &QToolButton::clicked, this,
            [this, &port] { port.connectAgain(m_number, HostMeans::throughSs); });
    connect(&m_copy, &QToolButton::clicked, this, [this, &port] { port.connectAgain(m_number, HostMeans::copied); });
    connect(&m_again, &QToolButton::clicked, this, [this, &port] { port.connectAgain(m_number, m_means); });
    connect(&m_disconnect, &QToolButton::clicked, this, [this, &port] { port.disconnect(m_number); });
    auto* line = new QHBoxLayout;
    line->addWidget(&m_headline, 1);
    for (QToolButton* button : {&m_throughSs, &m_copy, &m_again, &m_disconnect})
      line->addWidget(button, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(line);
    layout->addWidget(&m_notice);
  }

  [[nodiscard]] std::uint32_t number() const { return m_number; }
  void show(const ConnectedHost& host) {
    m_headline.setText(hostText(host));
    m_notice.setText(asSentence(host.notice));
    m_means = host.means;
    for (QToolButton* button : {&m_throughSs, &m_copy}) button->setVisible(host.lacksAgent);
    m_throughSs.setAccessibleName(QStringLiteral("Sample %1 with ss").arg(toQString(host.name)));
    m_copy.setAccessibleName(QStringLiteral("Deploy a temporary agent on %1").arg(toQString(host.name)));
    m_again.setAccessibleName(QStringLiteral("Reconnect to %1").arg(toQString(host.name)));
    m_disconnect.setAccessibleName(QStringLiteral("Disconnect %1").arg(toQString(host.name)));
  }
  [[nodiscard]] QStringList texts() const { return {m_headline.text(), m_notice.text()}; }

private:
  const std::uint32_t m_number;
  QLabel m_headline;
  QLabel m_notice;
  HostMeans m_means = HostMeans::installed;
  QToolButton m_throughSs;
  QToolButton m_copy;
  QToolButton m_again;
  QToolButton m_disconnect;
};

namespace {

QString connectedText(const QString& name, HostMeans means) {
  switch (means) {
    case HostMeans::installed:
      break;
    case HostMeans::throughSs:
      return QStringLiteral("%1: connected through ss, one sample per second, no process names").arg(name);
    case HostMeans::copied:
      return QStringLiteral("%1: connected through a temporary agent").arg(name);
  }
  return QStringLiteral("%1: connected").arg(name);
}

}  // namespace

QString hostText(const ConnectedHost& host) {
  const QString name = toQString(host.name);
  switch (host.phase) {
    case HostPhase::connected:
      return connectedText(name, host.means);
    case HostPhase::connecting:
      return QStringLiteral("%1: disconnected, reconnecting…").arg(name);
    case HostPhase::waiting: {
      const auto seconds = std::chrono::ceil<std::chrono::seconds>(host.retryIn.value_or(Milliseconds(0)));
      return QStringLiteral("%1: disconnected, reconnecting in %2 s").arg(name).arg(seconds.count());
    }
    case HostPhase::stopped:
      break;
  }
  return QStringLiteral("%1: disconnected").arg(name);
}

HostsBar::HostsBar(HostPort& port, QWidget* parent) : QFrame(parent), m_port(port), m_layout(new QVBoxLayout(this)) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setAccessibleName(QStringLiteral("Disconnected hosts"));
  m_layout->setContentsMargins(8, 4, 8, 4);
  m_layout->setSpacing(6);
  hide();
  connect(&m_timer, &QTimer::timeout, this, &HostsBar::poll);
  m_timer.start(kPollHostsEvery);
}

void HostsBar::poll() {
  std::vector<ConnectedHost> lost = m_port.hosts();
  std::erase_if(lost, [](const ConnectedHost& host) { return host.phase == HostPhase::connected; });
  // A line is of one host for as long as it stands: a button that is held down stays that host's.
  std::erase_if(m_lines, [&lost](HostLine* line) {
    const bool isLost = std::any_of(lost.begin(), lost.end(),
                                    [line](const ConnectedHost& host) { return host.number == line->number(); });
    if (isLost) return false;
    // A click on it may be what brought us here.
    line->hide();
    line->deleteLater();
    return true;
  });
  for (const ConnectedHost& host : lost) {
    auto line = std::find_if(m_lines.begin(), m_lines.end(),
                             [&host](const HostLine* one) { return one->number() == host.number; });
    if (line == m_lines.end()) {
      line = m_lines.insert(line, new HostLine(m_port, host.number));
      m_layout->addWidget(*line);
    }
    (*line)->show(host);
  }
  setVisible(!lost.empty());
}

QStringList HostsBar::texts() const {
  QStringList texts;
  for (const HostLine* line : m_lines) texts << line->texts();
  return texts;
}

}  // namespace tcpscope
