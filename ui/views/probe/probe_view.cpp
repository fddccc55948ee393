#include "ui/views/probe/probe_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSettings>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/present/text/probe_text.h"
#include "core/present/text/quantity_text.h"
#include "ui/plots/interval_plot.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr std::chrono::milliseconds kAskProbeEvery{500};
constexpr double kBitsPerStep = 1000.0;
constexpr int kSteps = 1000;

QString ratioText(const std::optional<double>& ratio) {
  return ratio ? toQString(formatRatio(*ratio)) : QStringLiteral("–");
}

/// A label of text that may be foreign.
void becomePlain(QLabel& label, const QString& name) {
  label.setTextFormat(Qt::PlainText);
  label.setWordWrap(true);
  label.setTextInteractionFlags(Qt::TextSelectableByMouse);
  label.setAccessibleName(name);
}

QString probeFigures(const ProbeAnalysis& analysis) {
  QStringList lines;
  if (analysis.rtt && analysis.minRtt) {
    lines << QStringLiteral("RTT: median %1, minimum %2.")
                 .arg(toQString(formatTime(toSeconds(*analysis.rtt))),
                      toQString(formatTime(toSeconds(*analysis.minRtt))));
  }
  for (const ProbeRunFigures& run : analysis.runs) {
    lines << toQString(sentence(run));
    if (run.reordered > 0 || run.duplicates > 0) {
      lines.last() +=
          QStringLiteral(" %1 reordered, %2 duplicates.").arg(countText(run.reordered), countText(run.duplicates));
    }
  }
  if (analysis.withinRtt && !analysis.withinHundredthRtt)
    lines << QStringLiteral("Packets are farther apart than 0.01 RTT: use a higher rate to measure that share.");
  return lines.join(QLatin1Char('\n'));
}

/// Why the plot is empty; empty where it has bars.
QString whyNoIntervals(const ProbeAnalysis* analysis) {
  if (analysis == nullptr) return QStringLiteral("There is no result yet.");
  if (!analysis->intervalsRtt.empty()) return {};
  const auto lost = analysis->runs[0].lostPackets + analysis->runs[1].lostPackets;
  if (lost == 0) return QStringLiteral("No packet was lost.");
  return analysis->rtt ? QStringLiteral("Too few packets were lost for an interval.")
                       : QStringLiteral("The RTT is unknown, so the intervals have no scale.");
}

}  // namespace

ProbeView::ProbeView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_timer(this),
      m_start(QStringLiteral("&Start")),
      m_cancel(QStringLiteral("Ca&ncel")),
      m_plot(new IntervalPlot),
      m_table(new QTableWidget(2, 3)),
      m_decadesButton(new QToolButton),
      m_decades(new QAction(this)) {
  buildForm();
  buildTable();
  buildLayout();
  connect(&m_timer, &QTimer::timeout, this, &ProbeView::poll);
  m_decades->setText(QStringLiteral("&All intervals"));
  m_decades->setToolTip(
      QStringLiteral("Every interval, over decades of RTTs; off: the density of those up to 2 RTT, as papers draw it"));
  m_decades->setCheckable(true);
  addAction(m_decades);
  m_decadesButton->setDefaultAction(m_decades);
  connect(m_decades, &QAction::toggled, this, &ProbeView::showAnalysis);
  m_headline.hide();
  showPlanned();
  showProgress({});
  showAnalysis();
}

void ProbeView::buildForm() {
  m_target.setPlaceholderText(QStringLiteral("HOST:PORT or ssh://HOST"));
  m_target.setToolTip(toolTipText(
      QStringLiteral("HOST:PORT where 'tcpscope-cli probe --listen' runs, which prints its port; or ssh://HOST, where "
                     "it is started for the time of the measurement. TCP and UDP of the port must pass.")));
  m_target.setAccessibleName(QStringLiteral("Host to probe"));
  m_target.setClearButtonEnabled(true);
  m_rate.setRange(static_cast<int>(kLeastProbeRate.value() / kBitsPerStep),
                  static_cast<int>(kMostProbeRate.value() / kBitsPerStep));
  m_rate.setValue(static_cast<int>(kDefaultProbeRate.value() / kBitsPerStep));
  m_rate.setSingleStep(100);
  m_rate.setSuffix(QStringLiteral(" kbit/s"));
  m_rate.setAccessibleName(QStringLiteral("Rate of the larger packets"));
  m_rate.setToolTip(toolTipText(QStringLiteral("Of the packets of 400 bytes; those of 48 bytes are as many.")));
  m_time.setRange(static_cast<int>(toSeconds(kLeastProbeTime)), static_cast<int>(toSeconds(kMostProbeTime)));
  m_time.setValue(static_cast<int>(toSeconds(kDefaultProbeTime)));
  m_time.setSingleStep(30);
  m_time.setSuffix(QStringLiteral(" s"));
  m_time.setAccessibleName(QStringLiteral("Duration of both runs"));
  becomePlain(m_planned, QStringLiteral("What will be sent"));
  connect(&m_target, &QLineEdit::textChanged, this, &ProbeView::showPlanned);
  connect(&m_rate, &QSpinBox::valueChanged, this, &ProbeView::showPlanned);
  connect(&m_time, &QSpinBox::valueChanged, this, &ProbeView::showPlanned);
  connect(&m_start, &QPushButton::clicked, this, &ProbeView::start);
  connect(&m_cancel, &QPushButton::clicked, this, [this] {
    if (port() != nullptr) port()->cancel();
    poll();
  });
}

void ProbeView::buildTable() {
  m_table->setHorizontalHeaderLabels(
      {QStringLiteral("Intervals within"), QStringLiteral("Measured"), QStringLiteral("Poisson")});
  m_table->horizontalHeaderItem(2)->setToolTip(
      toolTipText(QStringLiteral("Expected for a Poisson process of the same rate.")));
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setAccessibleName(QStringLiteral("Distribution of the intervals between losses"));
  m_table->setMaximumHeight(3 * (fontMetrics().height() + 10) + 4);
}

void ProbeView::buildLayout() {
  QFont large = m_headline.font();
  large.setPointSizeF(large.pointSizeF() * 1.3);
  large.setBold(true);
  m_headline.setFont(large);
  becomePlain(m_headline, QStringLiteral("Probe result"));
  becomePlain(m_sentences, QStringLiteral("Probe figures"));
  m_sentences.setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_progress.setAccessibleName(QStringLiteral("Progress of the probe"));
  m_progress.setRange(0, kSteps);
  const auto labelled = [](const QString& text, QWidget& field) {
    auto* label = new QLabel(text);
    label->setBuddy(&field);
    return label;
  };
  auto* form = new QHBoxLayout;
  form->addWidget(labelled(QStringLiteral("&To:"), m_target));
  form->addWidget(&m_target, 1);
  form->addWidget(labelled(QStringLiteral("Rate:"), m_rate));
  form->addWidget(&m_rate);
  form->addWidget(labelled(QStringLiteral("Duration:"), m_time));
  form->addWidget(&m_time);
  form->addWidget(&m_start);
  form->addWidget(&m_cancel);
  auto* beside = new QWidget;
  auto* column = new QVBoxLayout(beside);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_table);
  column->addWidget(m_decadesButton, 0, Qt::AlignLeft);
  column->addWidget(&m_sentences, 1);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(m_plot);
  splitter->addWidget(beside);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(&m_planned);
  layout->addWidget(&m_progress);
  layout->addWidget(&m_headline);
  layout->addWidget(splitter, 1);
}

ProbeRequest ProbeView::request() const {
  return {m_target.text().trimmed().toStdString(), BitsPerSecond(m_rate.value() * kBitsPerStep),
          std::chrono::seconds(m_time.value())};
}

void ProbeView::start() {
  if (port() == nullptr || m_isRunning || request().target.empty()) return;
  port()->start(request());
  poll();
}

void ProbeView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  if (port() == nullptr) return;
  m_timer.start(kAskProbeEvery);
  poll();
}

void ProbeView::hideEvent(QHideEvent* event) {
  View::hideEvent(event);
  m_timer.stop();
}

void ProbeView::poll() {
  if (port() == nullptr) return;
  const ProbeState state = port()->state();
  showProgress(state);
  showHeadline(state);
  if (state.analysis == m_analysis) return;
  m_analysis = state.analysis;
  showAnalysis();
}

void ProbeView::showPlanned() {
  const ProbeRequest wanted = request();
  const auto plan = probePlan(wanted.rate, wanted.time);
  const QString host = wanted.target.empty() ? QStringLiteral("the host") : plainText(UntrustedText(wanted.target));
  m_planned.setText(port() == nullptr || !plan
                        ? QStringLiteral("Paths cannot be probed from here.")
                        : QStringLiteral("Start sends to %1, from this host, %2. The listener there sends back at most "
                                         "ten packets a second. Before that nothing is sent.")
                              .arg(host, toQString(amountText(*plan))));
  m_start.setEnabled(port() != nullptr && !m_isRunning && !wanted.target.empty());
}

void ProbeView::showProgress(const ProbeState& state) {
  m_isRunning = state.isRunning();
  for (QWidget* field :
       {static_cast<QWidget*>(&m_target), static_cast<QWidget*>(&m_rate), static_cast<QWidget*>(&m_time)}) {
    field->setEnabled(!m_isRunning);
  }
  m_cancel.setEnabled(m_isRunning);
  m_planned.setVisible(!m_isRunning);
  m_progress.setVisible(m_isRunning);
  m_start.setEnabled(port() != nullptr && !m_isRunning && !request().target.empty());
  if (!m_isRunning) return;
  const double share = state.total > Nanoseconds(0) ? toSeconds(state.elapsed) / toSeconds(state.total) : 0.0;
  m_progress.setValue(static_cast<int>(std::clamp(share, 0.0, 1.0) * kSteps));
  const Nanoseconds left = std::max(state.total - state.elapsed, Nanoseconds(0));
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(left).count();
  m_progress.setFormat(
      state.phase == ProbePhase::connecting
          ? QStringLiteral("Connecting…")
          : QStringLiteral("%p % sent, %1 left").arg(toQString(formatTime(static_cast<double>(seconds)))));
}

void ProbeView::showHeadline(const ProbeState& state) {
  QString text;
  switch (state.phase) {
    case ProbePhase::none:
      break;
    case ProbePhase::connecting:
      text = QStringLiteral("Connecting to %1…").arg(toQString(state.target));
      break;
    case ProbePhase::sending:
      text = QStringLiteral("Probing %1…").arg(toQString(state.target));
      break;
    case ProbePhase::done:
      text = QStringLiteral("%1: %2").arg(toQString(state.target),
                                          state.analysis ? toQString(sentence(*state.analysis)) : QString());
      break;
    case ProbePhase::failed:
      text = asSentence(state.notice);
      break;
    case ProbePhase::cancelled:
      text = QStringLiteral("Cancelled. Nothing more is sent, and there is no result.");
      break;
  }
  m_headline.setText(text);
  m_headline.setVisible(!text.isEmpty());
}

void ProbeView::showAnalysis() {
  const ProbeAnalysis* analysis = m_analysis.get();
  m_plot->setMessage(whyNoIntervals(analysis));
  const std::vector<double> none;
  const std::vector<double>& intervals = analysis == nullptr ? none : analysis->intervalsRtt;
  std::uint64_t beyond = 0;
  if (m_decades->isChecked() && !intervals.empty()) {
    m_plot->showShares(intervalShares(intervals));
  } else {
    const IntervalDensity density = intervalDensity(intervals);
    m_plot->showDensity(density);
    beyond = density.beyond;
  }
  m_table->setVisible(analysis != nullptr);
  m_decadesButton->setVisible(analysis != nullptr);
  m_sentences.setText(
      analysis == nullptr
          ? QStringLiteral("The other end is HOST:PORT, where 'tcpscope-cli probe --listen' runs, or ssh://HOST, "
                           "where it is started for the measurement.\nTwo runs of equally many packets, of 48 "
                           "and of 400 bytes, show how the path loses packets. The measurement counts only "
                           "if both runs show the same.")
          : probeFigures(*analysis));
  if (beyond > 0) {
    m_sentences.setText(m_sentences.text() + QStringLiteral("\n%1 of %2 intervals are longer than the plot.")
                                                 .arg(countText(beyond), countText(intervals.size())));
  }
  m_plot->setAccessibleDescription(m_sentences.text());
  if (analysis == nullptr) return;
  const std::array<std::array<QString, 3>, 2> cells = {
      {{QStringLiteral("0.01 RTT"), ratioText(analysis->withinHundredthRtt),
        ratioText(analysis->poissonWithinHundredthRtt)},
       {QStringLiteral("1 RTT"), ratioText(analysis->withinRtt), ratioText(analysis->poissonWithinRtt)}}};
  for (std::size_t row = 0; row < cells.size(); ++row) {
    for (std::size_t column = 0; column < cells[row].size(); ++column) {
      auto* item = new QTableWidgetItem(cells[row][column]);
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      m_table->setItem(static_cast<int>(row), static_cast<int>(column), item);
    }
  }
}

void ProbeView::saveSettings(QSettings& settings) const {
  settings.setValue("probe/host", m_target.text());
  settings.setValue("probe/kbits", m_rate.value());
  settings.setValue("probe/seconds", m_time.value());
  settings.setValue("probe/allIntervals", m_decades->isChecked());
}

void ProbeView::restoreSettings(QSettings& settings) {
  m_target.setText(settings.value("probe/host").toString());
  m_rate.setValue(settings.value("probe/kbits", m_rate.value()).toInt());
  m_time.setValue(settings.value("probe/seconds", m_time.value()).toInt());
  m_decades->setChecked(settings.value("probe/allIntervals", false).toBool());
}

}  // namespace tcpscope
