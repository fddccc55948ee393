#include "ui/window/connect_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kLookAtConnectingEvery{100};
/// A notice fits without moving what stands below it.
constexpr int kNoticeLines = 3;

}  // namespace

ConnectDialog::ConnectDialog(HostPort& port, const QStringList& recent, QWidget* parent)
    : QDialog(parent), m_port(port) {
  setWindowTitle(QStringLiteral("Connect to a host"));
  auto* label = new QLabel(QStringLiteral("&Host, as for ssh:"));
  label->setBuddy(&m_host);
  m_host.setEditable(true);
  m_host.setInsertPolicy(QComboBox::NoInsert);
  m_host.addItems(recent);
  m_host.lineEdit()->setPlaceholderText(QStringLiteral("db1, root@db1:2222, root@db1/all or a Host of ~/.ssh/config"));
  m_host.setAccessibleName(QStringLiteral("Host"));
  m_host.setMinimumContentsLength(60);
  m_host.lineEdit()->selectAll();
  auto* hint = new QLabel(
      QStringLiteral("Connects with your own ssh and changes nothing on the host. “/all” behind its name adds "
                     "all its network namespaces and containers, “/NAME” shows one; both require root there. "
                     "If tcpscope-cli is not installed there, alternatives follow."));
  for (QLabel* text : {hint, &m_notice}) {
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
  }
  m_notice.setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_notice.setMinimumHeight(kNoticeLines * m_notice.fontMetrics().lineSpacing());
  m_notice.setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_notice.setAccessibleName(QStringLiteral("Problem"));
  m_throughSs.setText(QStringLiteral("Sample with &ss"));
  m_throughSs.setToolTip(QStringLiteral(
      "Nothing is installed. One sample per second; process names and everything between two samples stay unknown."));
  m_copy.setText(QStringLiteral("Deploy &temporary agent"));
  m_copy.setToolTip(
      QStringLiteral("Copies tcpscope-cli into a private folder on the host, removed when the connection ends."));
  auto* offers = new QHBoxLayout;
  for (QPushButton* offer : {&m_throughSs, &m_copy}) {
    // What stands below does not move when they come.
    QSizePolicy policy = offer->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    offer->setSizePolicy(policy);
    offer->setAutoDefault(false);
    offers->addWidget(offer);
  }
  offers->addStretch(1);
  offerOtherMeans(false);
  m_connect.setText(QStringLiteral("&Connect"));
  m_connect.setDefault(true);
  m_cancel.setText(QStringLiteral("Cancel"));
  // While the other button is disabled the focus is here: Enter shall connect all the same.
  m_cancel.setAutoDefault(false);
  auto* buttons = new QDialogButtonBox;
  buttons->addButton(&m_connect, QDialogButtonBox::AcceptRole);
  buttons->addButton(&m_cancel, QDialogButtonBox::RejectRole);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(label);
  layout->addWidget(&m_host);
  layout->addWidget(hint);
  layout->addSpacing(6);
  layout->addWidget(&m_notice, 1);
  layout->addLayout(offers);
  layout->addWidget(buttons);
  const auto allowConnect = [this] {
    m_connect.setEnabled(!host().isEmpty());
    // They were about another host.
    offerOtherMeans(false);
  };
  connect(&m_host, &QComboBox::editTextChanged, this, allowConnect);
  allowConnect();
  connect(&m_connect, &QPushButton::clicked, this, [this] { start(HostMeans::installed); });
  connect(&m_throughSs, &QPushButton::clicked, this, [this] { start(HostMeans::throughSs); });
  connect(&m_copy, &QPushButton::clicked, this, [this] { start(HostMeans::copied); });
  connect(&m_cancel, &QPushButton::clicked, this, &ConnectDialog::reject);
  connect(&m_timer, &QTimer::timeout, this, &ConnectDialog::poll);
}

void ConnectDialog::start(HostMeans means) {
  m_port.connectTo(host().toStdString(), means);
  m_timer.start(kLookAtConnectingEvery);
  showConnecting(true);
  poll();
}

void ConnectDialog::poll() {
  const ConnectState state = m_port.connecting();
  if (state.phase == ConnectPhase::connecting) return;
  m_timer.stop();
  showConnecting(false);
  if (state.phase == ConnectPhase::none) return accept();
  m_notice.setText(asSentence(state.notice));
  offerOtherMeans(state.lacksAgent);
  m_host.setFocus();
}

void ConnectDialog::offerOtherMeans(bool offered) {
  m_throughSs.setVisible(offered);
  m_copy.setVisible(offered);
}

void ConnectDialog::showConnecting(bool connects) {
  m_host.setEnabled(!connects);
  m_connect.setEnabled(!connects);
  if (!connects) return;
  offerOtherMeans(false);
  m_notice.setText(
      QStringLiteral("Connecting… If ssh needs a password, it asks in the terminal that tcpscope was started from, or "
                     "in its own window."));
}

void ConnectDialog::reject() {
  m_timer.stop();
  m_port.cancel();
  QDialog::reject();
}

}  // namespace tcpscope
