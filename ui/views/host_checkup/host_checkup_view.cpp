#include "ui/views/host_checkup/host_checkup_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/present/text/checkup_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kReadEvery{1};

/// Invalid for what needs none.
QColor colorOf(CheckStatus status, Appearance appearance) {
  switch (status) {
    case CheckStatus::fail:
      return severityColor(FindingSeverity::problem, appearance);
    case CheckStatus::warn:
      return severityColor(FindingSeverity::warning, appearance);
    case CheckStatus::unknown:
      return quietTextColor(appearance);
    case CheckStatus::pass:
      break;
  }
  return {};
}

QString nameOf(const CheckRow& row) {
  const QString title = toQString(tcpscope::title(row.id));
  return row.object.empty() ? title : QStringLiteral("%1: %2").arg(plainText(row.object), title);
}

std::size_t countOf(const std::vector<CheckRow>& rows, CheckStatus status) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const CheckRow& row) { return row.status == status; }));
}

}  // namespace

HostCheckupView::HostCheckupView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_timer(this),
      m_rows(new SteadyList(
          {QStringLiteral("Check"), QStringLiteral("Status"), QStringLiteral("Layer"), QStringLiteral("Finding")},
          QStringLiteral("Host checks"))),
      m_probe(QStringLiteral("Probe the &path")),
      m_resetCounters(QStringLiteral("Re&set counters")) {
  m_headline.setText(port() == nullptr ? QStringLiteral("This host cannot be checked from here.")
                                       : QStringLiteral("Checking this host…"));
  m_headline.setAccessibleName(QStringLiteral("Check-up result"));
  m_advice.setAccessibleName(QStringLiteral("What to do"));
  m_probe.setEnabled(false);
  buildLayout();
  connect(&m_probe, &QPushButton::clicked, this, [this] {
    if (port() != nullptr && m_reachable) port()->probe(*m_reachable);
    poll();
  });
  connect(&m_timer, &QTimer::timeout, this, &HostCheckupView::poll);
  connect(&m_resetCounters, &QPushButton::clicked, this, [this] {
    if (port() != nullptr) port()->restart();
    poll();
  });
}

void HostCheckupView::buildLayout() {
  QFont large = m_headline.font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  large.setBold(true);
  m_headline.setFont(large);
  m_headline.setTextFormat(Qt::PlainText);
  m_headline.setWordWrap(true);
  m_whose.setTextFormat(Qt::PlainText);
  m_whose.setWordWrap(true);
  m_whose.hide();
  m_advice.setReadOnly(true);
  for (int column = 0; column < 3; ++column) {
    m_rows->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  m_rows->header()->setStretchLastSection(true);
  auto* top = new QHBoxLayout;
  top->addWidget(&m_headline, 1);
  top->addWidget(&m_probe);
  top->addWidget(&m_resetCounters);
  auto* parts = new QSplitter(Qt::Vertical);
  parts->addWidget(m_rows);
  parts->addWidget(&m_advice);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 1);
  parts->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(top);
  layout->addWidget(&m_whose);
  layout->addWidget(parts, 1);
}

void HostCheckupView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  // Behind a file no host is reached by ssh.
  const bool isOfFile = shownFile(*snapshot) != nullptr;
  m_whose.setText(isOfFile ? QStringLiteral("This checks the local host as it is now, not the host in the file.")
                           : QString());
  m_whose.setVisible(isOfFile);
}

void HostCheckupView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  if (port() == nullptr) return;
  m_timer.start(kReadEvery);
  poll();
}

void HostCheckupView::hideEvent(QHideEvent* event) {
  View::hideEvent(event);
  m_timer.stop();
}

void HostCheckupView::changeEvent(QEvent* event) {
  View::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && port() != nullptr) poll();
}

void HostCheckupView::poll() {
  if (port() == nullptr) return;
  port()->poll(subject());
  if (const auto state = port()->state()) showState(*state);
}

std::optional<CheckupSubject> HostCheckupView::subject() const {
  const ConnectionDetail* detail = selectedDetail(m_snapshot, context().selection);
  if (detail == nullptr || !isLivePlace(*m_snapshot, detail->row.id.place)) return std::nullopt;
  const auto place = std::find_if(m_snapshot->places.begin(), m_snapshot->places.end(),
                                  [&](const Place& one) { return one.id == detail->row.id.place; });
  if (place == m_snapshot->places.end()) return std::nullopt;
  CheckupSubject subject{*place, {}, detail->row.remote.address};
  if (const Owner* owner = m_snapshot->owner(detail->row)) subject.pid = static_cast<std::uint32_t>(owner->pid);
  return subject;
}

void HostCheckupView::showProbing(const HostCheckupState& state) {
  m_reachable = state.reachable;
  m_probe.setEnabled(m_reachable && !state.isProbing && !state.isChecking);
  m_probe.setText(state.isProbing ? QStringLiteral("Probing the path…") : QStringLiteral("Probe the &path"));
  m_probe.setToolTip(
      m_reachable ? QStringLiteral(
                        "Sends up to 200 small and large UDP packets from %1 to %2 to find its hops and the path MTU")
                        .arg(state.host.empty() ? QStringLiteral("this host") : toQString(state.host),
                             QString::fromStdString(m_reachable->toString()))
                  : QStringLiteral("Select a connection of this host to probe the path to its peer"));
  const bool isElsewhere = !state.host.empty();
  m_resetCounters.setText(isElsewhere ? QStringLiteral("Check &again") : QStringLiteral("Re&set counters"));
  m_resetCounters.setEnabled(!state.isChecking);
}

QString HostCheckupView::headlineOf(const HostCheckupState& state) const {
  const QString host = state.host.empty() ? QStringLiteral("this host") : toQString(state.host);
  if (state.isChecking) return QStringLiteral("Checking %1…").arg(host);
  if (!state.notice.empty()) return asSentence(state.notice);
  const std::size_t failed = countOf(state.rows, CheckStatus::fail);
  const std::size_t warned = countOf(state.rows, CheckStatus::warn);
  const auto seconds = static_cast<qlonglong>(std::llround(toSeconds(state.observedFor)));
  const QString observed = QStringLiteral("(observed for %1 s).").arg(seconds);
  if (state.leftOut > 0) {
    return QStringLiteral("%1: Failed: %2, warnings: %3. Not shown: %4 of a later version %5")
        .arg(host)
        .arg(failed)
        .arg(warned)
        .arg(state.leftOut)
        .arg(observed);
  }
  if (failed + warned == 0) return QStringLiteral("No problems found on %1 %2").arg(host, observed);
  const QString counts =
      QStringLiteral("Failed: %1, warnings: %2. Start with the lower layers").arg(failed).arg(warned);
  return state.host.empty() ? QStringLiteral("%1 %2").arg(counts, observed)
                            : QStringLiteral("%1: %2 %3").arg(host, counts, observed);
}

void HostCheckupView::showState(const HostCheckupState& state) {
  const Appearance appearance = appearanceOf(palette());
  std::vector<SteadyRow> rows;
  QStringList advice;
  for (const CheckRow& row : state.rows) {
    const QString status = row.status == CheckStatus::unknown ? QStringLiteral("unknown") : toQString(name(row.status));
    rows.push_back({{nameOf(row), status, toQString(title(row.layer)), toQString(finding(row))},
                    {},
                    colorOf(row.status, appearance)});
    const std::string_view text = tcpscope::advice(row);
    if (!text.empty()) advice << QStringLiteral("%1 (%2): %3").arg(nameOf(row), status, toQString(text));
  }
  for (const CheckRow& row : state.rows) {
    if (!row.hops.empty()) advice << toQString(hopList(row));
  }
  if (!state.probeError.empty()) advice.prepend(toQString(state.probeError));
  showProbing(state);
  m_rows->setRows(std::move(rows));
  m_headline.setText(headlineOf(state));
  const QString text = advice.join(QStringLiteral("\n\n"));
  if (m_advice.toPlainText() != text && !m_advice.textCursor().hasSelection()) m_advice.setPlainText(text);
  m_advice.setVisible(!text.isEmpty());
}

}  // namespace tcpscope
