#include "ui/window/live_capture_bar.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "core/filter/packet_filter.h"
#include "core/present/text/capture_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

QString namesOf(const ConnectionFacts& connection) {
  return QStringLiteral("%1 ↔ %2").arg(toQString(connection.local.toString()), toQString(connection.remote.toString()));
}

}  // namespace

LiveCaptureBar::LiveCaptureBar(ControlState& control, QWidget* parent) : QFrame(parent), m_control(control) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setAccessibleName(QStringLiteral("Live capture"));
  QFont bold = font();
  bold.setBold(true);
  m_headline.setFont(bold);
  for (QLabel* label : {&m_headline, &m_fault, &m_notice}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  m_fault.setAccessibleName(QStringLiteral("Capture filter error"));
  m_notice.setAccessibleName(QStringLiteral("Capture status"));
  m_filter.setAccessibleName(QStringLiteral("Capture filter"));
  m_filter.setToolTip(
      QStringLiteral("pcap-filter syntax, as in tcpdump and Wireshark; Return restarts the capture with it"));
  m_interface.setAccessibleName(QStringLiteral("Interface"));
  m_interface.setPlaceholderText(QStringLiteral("automatic"));
  m_interface.setToolTip(
      QStringLiteral("The interface to capture on, or any; empty for the one with the connection's local address"));
  m_interface.setMaximumWidth(fontMetrics().averageCharWidth() * 16);
  buildActions();
  buildLayout();
  colorFault();
  hide();
}

void LiveCaptureBar::buildActions() {
  m_stop.setText(QStringLiteral("S&top capturing"));
  m_stop.setIconText(QStringLiteral("Stop"));
  m_stop.setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_S);
  m_stop.setToolTip(QStringLiteral("Keeps the captured packets (Ctrl+Shift+S)"));
  connect(&m_stop, &QAction::triggered, this, &LiveCaptureBar::stop);
  m_save.setText(QStringLiteral("Save captu&red packets…"));
  m_save.setIconText(QStringLiteral("Save…"));
  m_save.setShortcut(QKeySequence::Save);
  m_save.setToolTip(QStringLiteral("Save the packets as pcapng for Wireshark and tcpscope (Ctrl+S)"));
  connect(&m_save, &QAction::triggered, this, &LiveCaptureBar::chooseFile);
  m_stop.setEnabled(false);
  m_save.setEnabled(false);
  m_stopButton.setDefaultAction(&m_stop);
  m_saveButton.setDefaultAction(&m_save);
  m_againButton.setText(QStringLiteral("Restart capture"));
  m_againButton.setToolTip(QStringLiteral("Discard the packets and restart with this filter"));
  connect(&m_againButton, &QToolButton::clicked, this, &LiveCaptureBar::begin);
  m_closeButton.setText(QStringLiteral("Close"));
  m_closeButton.setToolTip(QStringLiteral("Stop the capture and discard its packets"));
  connect(&m_closeButton, &QToolButton::clicked, this, &LiveCaptureBar::close);
  connect(&m_filter, &QLineEdit::returnPressed, this, &LiveCaptureBar::begin);
  connect(&m_interface, &QLineEdit::returnPressed, this, &LiveCaptureBar::begin);
}

void LiveCaptureBar::buildLayout() {
  auto* line = new QHBoxLayout;
  line->addWidget(&m_headline, 1);
  for (QToolButton* button : {&m_stopButton, &m_againButton, &m_saveButton, &m_closeButton})
    line->addWidget(button, 0, Qt::AlignTop);
  auto* filterLabel = new QLabel(QStringLiteral("Fi&lter:"));
  filterLabel->setBuddy(&m_filter);
  auto* interfaceLabel = new QLabel(QStringLiteral("&Interface:"));
  interfaceLabel->setBuddy(&m_interface);
  auto* words = new QHBoxLayout;
  words->addWidget(filterLabel);
  words->addWidget(&m_filter, 1);
  words->addWidget(interfaceLabel);
  words->addWidget(&m_interface);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(2);
  layout->addLayout(line);
  layout->addLayout(words);
  layout->addWidget(&m_fault);
  layout->addWidget(&m_notice);
}

void LiveCaptureBar::capture(const ConnectionFacts& connection) {
  m_connection = connection;
  m_filter.setText(toQString(packetFilterOf(connection.local, connection.remote)));
  m_filter.setCursorPosition(0);
  m_interface.clear();
  begin();
}

void LiveCaptureBar::begin() {
  if (!m_connection) return;
  CaptureRequest request;
  request.number = ++m_number;
  request.connection = m_connection->id;
  request.filter = m_filter.text().trimmed().toStdString();
  request.interface = m_interface.text().trimmed().toStdString();
  m_state = {request.number, request.connection};
  m_control.setCapture(std::move(request));
  showState();
}

void LiveCaptureBar::stop() {
  std::optional<CaptureRequest> request = m_control.value().capture;
  if (!request) return;
  request->isOver = true;
  m_control.setCapture(std::move(request));
}

void LiveCaptureBar::save(const QString& path) {
  std::optional<CaptureRequest> request = m_control.value().capture;
  if (!request) return;
  request->saveTo = path.toStdString();
  ++request->saveNumber;
  m_control.setCapture(std::move(request));
}

void LiveCaptureBar::chooseFile() {
  if (!m_connection) return;
  const std::string name = forFileName(m_connection->local.toString() + "-" + m_connection->remote.toString());
  const QString path =
      QFileDialog::getSaveFileName(this, QStringLiteral("Save captured packets"),
                                   toQString(name) + QStringLiteral(".pcapng"), QStringLiteral("Captures (*.pcapng)"));
  if (!path.isEmpty()) save(path);
}

void LiveCaptureBar::close() {
  m_control.setCapture(std::nullopt);
  m_connection.reset();
  m_state = {};
  showState();
}

void LiveCaptureBar::setSnapshot(const SnapshotPointer& snapshot) {
  if (!m_connection || !snapshot->capture || snapshot->capture->number != m_number) return;
  m_state = *snapshot->capture;
  showState();
}

bool LiveCaptureBar::isRunning() const {
  return m_connection && (m_state.phase == LiveCapturePhase::starting || m_state.phase == LiveCapturePhase::running);
}

QString LiveCaptureBar::headlineOf() const {
  if (!m_connection) return {};
  const QString names = namesOf(*m_connection);
  const QString where = toQString(forPlainText(UntrustedText(m_state.interface)));
  switch (m_state.phase) {
    case LiveCapturePhase::starting:
      return QStringLiteral("Starting to capture packets of %1…").arg(names);
    case LiveCapturePhase::running:
      return m_state.isThroughDumpcap
                 ? QStringLiteral("● Capturing packets of %1 on %2, through dumpcap").arg(names, where)
                 : QStringLiteral("● Capturing packets of %1 on %2").arg(names, where);
    case LiveCapturePhase::ended:
      return QStringLiteral("■ Captured packets of %1 on %2").arg(names, where);
    case LiveCapturePhase::failed:
      break;
  }
  return QStringLiteral("Packets of %1 could not be captured").arg(names);
}

void LiveCaptureBar::showState() {
  setVisible(m_connection.has_value());
  m_stop.setEnabled(isRunning());
  m_save.setEnabled(hasPackets());
  m_stopButton.setVisible(isRunning());
  m_saveButton.setVisible(m_save.isEnabled());
  m_againButton.setVisible(!isRunning());
  const QString headline = headlineOf();
  if (headline != m_headline.text()) m_headline.setText(headline);
  const bool isOfFilter = m_state.error && m_state.error->kind == LiveCaptureErrorKind::badFilter;
  const QString failure = m_state.error ? asSentence(sentence(*m_state.error)) : QString();
  m_fault.setText(isOfFilter ? failure : QString());
  m_fault.setVisible(isOfFilter);
  QStringList lines;
  if (!isOfFilter && !failure.isEmpty()) lines << failure;
  if (const std::string state = sentence(m_state); !state.empty()) lines << toQString(state);
  if (m_state.phase == LiveCapturePhase::running && m_state.packets == 0)
    lines << QStringLiteral("No packets match the filter yet.");
  if (m_state.saved) lines << asSentence(sentence(*m_state.saved));
  const QString notice = lines.join(QLatin1Char('\n'));
  if (notice != m_notice.text()) m_notice.setText(notice);
  m_notice.setVisible(!notice.isEmpty());
}

void LiveCaptureBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colorFault();
}

void LiveCaptureBar::colorFault() {
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, severityColor(FindingSeverity::problem, appearanceOf(colors)));
  m_fault.setPalette(colors);
}

}  // namespace tcpscope
