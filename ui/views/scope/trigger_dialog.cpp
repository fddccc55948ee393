#include "ui/views/scope/trigger_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/filter/connection_filter.h"
#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/plots/event_marks.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

/// What a sysadmin waits for first.
constexpr std::array kEvents = {
    HistoryEventKind::retransmission,   HistoryEventKind::timeout,         HistoryEventKind::recoveryStarted,
    HistoryEventKind::peerWindowClosed, HistoryEventKind::ownWindowClosed, HistoryEventKind::congestionWindowDrop,
    HistoryEventKind::stateChanged,     HistoryEventKind::settingChanged,  HistoryEventKind::localDrop,
};

/// As the beginning of a line.
QString lineOf(HistoryEventKind kind) {
  QString title = eventTitle(kind);
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title;
}

/// Of the metrics in the list of sources: events are numbered from 0.
constexpr int kFirstMetric = 1000;
/// Behind all of them.
constexpr int kFilterSource = kFirstMetric + static_cast<int>(kMetricCount);

/// As a filter has it: "50 ms", "5mbit".
std::optional<double> levelIn(Metric metric, const QString& text) {
  QString value = text;
  value.remove(QLatin1Char(' '));
  const std::string condition = std::string(metricRow(metric).key) + " >= " + value.toStdString();
  const auto filter = ConnectionFilter::parse(condition);
  if (!filter || filter->root() == nullptr) return std::nullopt;
  const auto* compared = std::get_if<FilterMetric>(&filter->root()->node);
  return compared == nullptr ? std::nullopt : std::optional(compared->value);
}

}  // namespace

QString describeTrigger(const TriggerCondition& condition) {
  const auto* level = std::get_if<LevelTrigger>(&condition);
  if (level == nullptr) return lineOf(std::get<HistoryEventKind>(condition));
  const MetricRow& row = metricRow(level->metric);
  return QStringLiteral("%1 %2 %3")
      .arg(toQString(row.title), level->rises ? QStringLiteral("rises to") : QStringLiteral("falls to"),
           valueLabel(row.unit, level->level));
}

QString describeTrigger(const TriggerChoice& choice) {
  if (choice.filterText.empty()) return describeTrigger(choice.condition);
  return QStringLiteral("A connection begins to match “%1”").arg(toQString(choice.filterText));
}

TriggerDialog::TriggerDialog(const TriggerChoice& choice, const std::vector<Metric>& traces, bool isLive,
                             QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(QStringLiteral("Trigger"));
  for (const HistoryEventKind kind : kEvents) m_source.addItem(lineOf(kind), static_cast<int>(kind));
  std::vector<Metric> metrics = traces;
  if (const auto* level = std::get_if<LevelTrigger>(&choice.condition)) {
    // Its trace may be closed by now.
    if (std::find(metrics.begin(), metrics.end(), level->metric) == metrics.end()) metrics.push_back(level->metric);
  }
  for (const Metric metric : metrics) {
    if (metricRow(metric).unit == MetricUnit::name || metricRow(metric).unit == MetricUnit::flag) continue;
    m_source.addItem(toQString(metricRow(metric).title), kFirstMetric + static_cast<int>(metric));
  }
  if (isLive) m_source.addItem(QStringLiteral("Any connection begins to match a filter"), kFilterSource);
  m_connections.addItems({QStringLiteral("The selected connection"), QStringLiteral("Any connection in the scope")});
  m_notifies.setText(QStringLiteral("&Notify on the desktop"));
  m_records.setText(QStringLiteral("&Record, from a minute before the first trigger until 10 s after it"));
  m_reports.setText(QStringLiteral("Save a re&port of the connection"));
  m_captures.setText(QStringLiteral("&Capture the connection's packets for 10 s"));
  const QString toDocuments = QStringLiteral("Saved in your Documents folder; the name contains the time");
  m_records.setToolTip(toDocuments);
  m_reports.setToolTip(toDocuments);
  m_captures.setToolTip(toDocuments);
  m_edge.addItems({QStringLiteral("rises to"), QStringLiteral("falls to")});
  m_mode.addItems({QStringLiteral("Automatic: runs on without one"), QStringLiteral("Normal: waits for the next"),
                   QStringLiteral("Single: stops at the first")});
  m_preTrigger.setRange(0, 100);
  m_preTrigger.setSuffix(QStringLiteral(" %"));
  m_holdOff.setRange(0.0, 3600.0);
  m_holdOff.setSuffix(QStringLiteral(" s"));
  m_notice.setTextFormat(Qt::PlainText);
  m_notice.setWordWrap(true);
  m_notice.setMinimumHeight(2 * m_notice.fontMetrics().lineSpacing());
  m_level.setPlaceholderText(QStringLiteral("such as 50 ms, 5 Mbit/s, 64 KiB"));
  m_filter.setPlaceholderText(QStringLiteral("such as dport = :443 and rtt > 200ms"));
  m_filter.setToolTip(
      QStringLiteral("The same words as in the filter of the list; connections that match already are "
                     "left out until they begin to match again"));
  m_source.setAccessibleName(QStringLiteral("Trigger source"));
  m_notice.setAccessibleName(QStringLiteral("Problem"));

  auto* form = new QFormLayout(this);
  form->addRow(QStringLiteral("&When"), &m_source);
  form->addRow(QStringLiteral("&On"), &m_connections);
  form->addRow(QStringLiteral("&Edge"), &m_edge);
  form->addRow(QStringLiteral("&Level"), &m_level);
  form->addRow(QStringLiteral("&Filter"), &m_filter);
  form->addRow(QStringLiteral("&Mode"), &m_mode);
  form->addRow(QStringLiteral("&Before the trigger"), &m_preTrigger);
  form->addRow(QStringLiteral("&Hold-off"), &m_holdOff);
  form->addRow(QStringLiteral("Then"), &m_notifies);
  form->addRow(QString(), &m_records);
  form->addRow(QString(), &m_reports);
  form->addRow(QString(), &m_captures);
  form->addRow(&m_notice);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_arm = buttons->addButton(QStringLiteral("&Arm"), QDialogButtonBox::AcceptRole);
  form->addRow(buttons);
  buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
  m_arm->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(&m_source, &QComboBox::currentIndexChanged, this, &TriggerDialog::check);
  for (const QLineEdit* edit : {&m_level, &m_filter})
    connect(edit, &QLineEdit::textChanged, this, &TriggerDialog::check);

  showCondition(choice.condition);
  m_filter.setText(toQString(choice.filterText));
  if (!choice.filterText.empty()) m_source.setCurrentIndex(std::max(m_source.findData(kFilterSource), 0));
  m_mode.setCurrentIndex(static_cast<int>(choice.settings.mode));
  m_preTrigger.setValue(static_cast<int>(std::lround(choice.settings.preTriggerRatio * 100.0)));
  m_holdOff.setValue(toSeconds(choice.settings.holdOff));
  m_connections.setCurrentIndex(choice.isOfAllShown ? 1 : 0);
  m_notifies.setChecked(choice.actions.notifies);
  m_records.setChecked(choice.actions.records);
  m_reports.setChecked(choice.actions.reports);
  m_captures.setChecked(choice.actions.captures);
  check();
}

void TriggerDialog::showCondition(const TriggerCondition& condition) {
  const auto* level = std::get_if<LevelTrigger>(&condition);
  const int source = level == nullptr ? static_cast<int>(std::get<HistoryEventKind>(condition))
                                      : kFirstMetric + static_cast<int>(level->metric);
  m_source.setCurrentIndex(std::max(m_source.findData(source), 0));
  if (level == nullptr) return;
  m_edge.setCurrentIndex(level->rises ? 0 : 1);
  m_begunWith = *level;
  m_begunText = valueLabel(metricRow(level->metric).unit, level->level);
  m_level.setText(m_begunText);
}

std::optional<Metric> TriggerDialog::chosenMetric() const {
  const int source = m_source.currentData().toInt();
  const bool isMetric = source >= kFirstMetric && source < kFilterSource;
  return isMetric ? std::optional(static_cast<Metric>(source - kFirstMetric)) : std::nullopt;
}

bool TriggerDialog::isOfFilter() const {
  return m_source.currentData().toInt() == kFilterSource;
}

std::optional<double> TriggerDialog::level() const {
  const auto of = chosenMetric();
  if (!of) return std::nullopt;
  const bool isUnchanged = m_begunWith && m_begunWith->metric == *of && m_level.text() == m_begunText;
  return isUnchanged ? std::optional(m_begunWith->level) : levelIn(*of, m_level.text());
}

std::optional<TriggerChoice> TriggerDialog::choice() const {
  TriggerChoice chosen;
  if (!problem().isEmpty()) return std::nullopt;
  if (isOfFilter()) {
    chosen.filterText = m_filter.text().trimmed().toStdString();
  } else if (const auto of = chosenMetric()) {
    const auto at = level();
    if (!at) return std::nullopt;
    chosen.condition = LevelTrigger{*of, m_edge.currentIndex() == 0, *at};
  } else {
    chosen.condition = static_cast<HistoryEventKind>(m_source.currentData().toInt());
  }
  chosen.settings.mode = static_cast<TriggerMode>(m_mode.currentIndex());
  chosen.settings.preTriggerRatio = m_preTrigger.value() / 100.0;
  chosen.settings.holdOff = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(m_holdOff.value()));
  chosen.isOfAllShown = m_connections.currentIndex() == 1;
  chosen.actions = {m_notifies.isChecked(), m_records.isChecked(), m_reports.isChecked(), m_captures.isChecked()};
  return chosen;
}

QString TriggerDialog::problem() const {
  if (isOfFilter()) {
    const std::string text = m_filter.text().trimmed().toStdString();
    if (text.empty()) return QStringLiteral("Enter a filter, such as dport = :443 and rtt > 200ms.");
    const auto filter = ConnectionFilter::parse(text);
    return filter ? QString() : toQString(sentence(filter.error(), text));
  }
  if (!chosenMetric() || level()) return {};
  return QStringLiteral("Enter a level, with its unit where it has one, such as 50 ms or 5 Mbit/s.");
}

void TriggerDialog::check() {
  const bool isLevel = chosenMetric().has_value();
  m_edge.setEnabled(isLevel);
  m_level.setEnabled(isLevel);
  m_connections.setEnabled(!isOfFilter());
  m_filter.setEnabled(isOfFilter());
  const QString notice = problem();
  m_arm->setEnabled(notice.isEmpty());
  m_notice.setText(notice);
}

}  // namespace tcpscope
