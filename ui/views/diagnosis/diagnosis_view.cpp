#include "ui/views/diagnosis/diagnosis_view.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <cmath>

#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/report_text.h"
#include "core/session/connection_calculator.h"
#include "ui/plots/limit_pie.h"
#include "ui/plots/limit_strip.h"
#include "ui/plots/rate_plot.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/views/diagnosis/bound_table_model.h"
#include "ui/views/diagnosis/calculator_panel.h"
#include "ui/views/diagnosis/finding_packets.h"
#include "ui/widgets/plot_pane.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

namespace {

QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  QFont bold = label->font();
  bold.setBold(true);
  label->setFont(bold);
  return label;
}

SteadyRow evidenceRow(const Evidence& evidence) {
  QString compared;
  if (evidence.comparedWith && evidence.comparedWithKey.empty()) {
    compared = QStringLiteral("threshold %1").arg(toQString(formatByKey(evidence.key, *evidence.comparedWith)));
  } else if (evidence.comparedWith) {
    compared = toQString(evidenceTitle(evidence.comparedWithKey)) + QStringLiteral(": ") +
               toQString(formatByKey(evidence.comparedWithKey, *evidence.comparedWith));
  }
  return {
      {toQString(evidenceTitle(evidence.key)), toQString(formatByKey(evidence.key, evidence.value)), compared}, {}, {}};
}

SteadyRow findingRow(const Finding& finding, Side side, Appearance appearance) {
  const QString what = toQString(sentence(finding, side));
  QStringList lines{what};
  for (const Evidence& one : finding.evidence) lines << toQString(sentence(one));
  return {{toQString(title(finding.rule)), toQString(formatRatio(finding.confidenceRatio)), what},
          lines.join(QLatin1Char('\n')),
          severityColor(finding.severity, appearance)};
}

const SideDiagnosis* sideOf(const ConnectionDetail& detail, Side side) {
  const auto& found = side == Side::sending ? detail.diagnosis.sending : detail.diagnosis.receiving;
  return found ? &*found : nullptr;
}

QString nothingSent(Side side) {
  return side == Side::sending
             ? QStringLiteral("The local end has sent no data: there is nothing to diagnose in this direction.")
             : QStringLiteral("The local end has received no data: there is nothing to diagnose in this direction.");
}

}  // namespace

DiagnosisView::DiagnosisView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_sides(new QButtonGroup(this)),
      m_span(new QComboBox),
      m_verdict(new QLabel),
      m_confidence(new QLabel),
      m_pie(new LimitPie),
      m_evidence(new SteadyList({QStringLiteral("Evidence"), QStringLiteral("Value"), QStringLiteral("Compared with")},
                                QStringLiteral("Evidence for the verdict"))),
      m_strip(new LimitStrip),
      m_rate(new RatePlot),
      m_boundTable(new QTableView),
      m_bounds(new BoundTableModel(this)),
      m_findings(
          new SteadyList({QStringLiteral("Finding"), QStringLiteral("Confidence"), QStringLiteral("Explanation")},
                         QStringLiteral("Findings"))),
      m_calculator(new CalculatorPanel) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->addWidget(buildHead());
  layout->addWidget(buildMiddle());
  layout->addWidget(m_rate, 2);
  layout->addWidget(m_strip);
  layout->addWidget(buildFoot(), 1);
  layout->addWidget(m_calculator);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(page);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(scroll);
  m_strip->setRightMargin(RatePlot::rightMargin(fontMetrics()));
  addViewAction(*this, QStringLiteral("Show the finding's &packets"), {Qt::Key_P}, [this] {
    const int row = m_findings->indexOfTopLevelItem(m_findings->currentItem());
    showPackets(std::max(row, 0));
  });
  const auto showOpened = [this, scroll](bool open) {
    if (!open) return;
    refresh();
    // Once the page has grown by it.
    QTimer::singleShot(0, scroll, [this, scroll] { scroll->ensureWidgetVisible(m_calculator); });
  };
  connect(m_calculator, &CalculatorPanel::opened, this, showOpened);
  addViewAction(*this, QStringLiteral("&Calculator"), {Qt::Key_C}, [this, showOpened] {
    m_calculator->setOpen(!m_calculator->isOpen());
    showOpened(m_calculator->isOpen());
    if (m_calculator->isOpen()) m_calculator->field(CalculatorField::rtt).setFocus(Qt::ShortcutFocusReason);
  });
  connect(m_rate, &RatePlot::resized, this, &DiagnosisView::refresh, Qt::QueuedConnection);
  refresh();
}

QWidget* DiagnosisView::buildHead() {
  auto* head = new QWidget;
  auto* layout = new QVBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout;
  for (const Side side : {Side::sending, Side::receiving}) {
    auto* button = new QPushButton(side == Side::sending ? QStringLiteral("Transmit") : QStringLiteral("Receive"));
    button->setCheckable(true);
    m_sides->addButton(button, static_cast<int>(side));
    row->addWidget(button);
  }
  m_sides->setExclusive(true);
  connect(m_sides, &QButtonGroup::idClicked, this, [this](int id) {
    m_side = static_cast<Side>(id);
    m_sideChosen = true;
    refresh();
  });
  m_confidence->setTextFormat(Qt::PlainText);
  m_confidence->setWordWrap(true);
  m_confidence->setContentsMargins(8, 0, 8, 0);
  row->addWidget(m_confidence, 1);
  row->addWidget(new QLabel(QStringLiteral("Shares over")));
  m_span->addItems({QStringLiteral("the last 5 s"), QStringLiteral("the last 30 s"),
                    QStringLiteral("the whole observation"), QStringLiteral("the span between the cursors"),
                    QStringLiteral("the transfer")});
  m_span->setAccessibleName(QStringLiteral("Time span of the shares"));
  connect(m_span, &QComboBox::activated, this, [this](int index) {
    chosenSpanIndex() = index;
    refresh();
  });
  row->addWidget(m_span);
  layout->addLayout(row);
  QFont large = m_verdict->font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  large.setBold(true);
  m_verdict->setFont(large);
  m_verdict->setWordWrap(true);
  m_verdict->setTextFormat(Qt::PlainText);
  m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_verdict->setMinimumHeight(QFontMetrics(large).height() + 8);
  m_verdict->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_verdict->setAccessibleName(QStringLiteral("Verdict"));
  layout->addWidget(m_verdict);
  return head;
}

QWidget* DiagnosisView::buildMiddle() {
  m_middle = new QWidget;
  auto* layout = new QHBoxLayout(m_middle);
  layout->setContentsMargins(0, 0, 0, 0);
  m_evidence->alignRight(1);
  m_evidence->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_evidence->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_evidence->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  m_evidence->header()->setStretchLastSection(false);
  layout->addWidget(m_pie);
  layout->addWidget(m_evidence, 1);
  fitPie();
  return m_middle;
}

/// Its legend has a line for each limit.
void DiagnosisView::fitPie() {
  m_pie->setFixedWidth(m_pie->sizeHint().width());
  m_middle->setFixedHeight(m_pie->minimumSizeHint().height() + 12);
}

void DiagnosisView::changeEvent(QEvent* event) {
  View::changeEvent(event);
  // What is in it takes the font over after the view.
  if (event->type() == QEvent::FontChange) m_strip->setRightMargin(RatePlot::rightMargin(fontMetrics()));
  if (event->type() == QEvent::FontChange) QTimer::singleShot(0, this, &DiagnosisView::fitPie);
}

QWidget* DiagnosisView::buildFoot() {
  auto* foot = new QWidget;
  auto* layout = new QHBoxLayout(foot);
  layout->setContentsMargins(0, 0, 0, 0);
  m_boundTable->setModel(m_bounds);
  m_boundTable->setAccessibleName(QStringLiteral("Bounds on the rate"));
  m_boundTable->verticalHeader()->hide();
  m_boundTable->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_boundTable->setColumnWidth(0, 210);
  m_boundTable->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_boundTable->horizontalHeader()->setStretchLastSection(true);
  m_boundTable->setSelectionMode(QAbstractItemView::NoSelection);
  m_boundTable->setMinimumHeight(150);
  m_findings->setMinimumHeight(150);
  m_findings->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_findings->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_findings->setToolTip(QStringLiteral("Double-click or Enter: its packets, where they are captured"));
  connect(m_findings, &QTreeWidget::itemActivated, this,
          [this](QTreeWidgetItem* item) { showPackets(m_findings->indexOfTopLevelItem(item)); });
  const auto addPart = [&](const QString& title, QWidget* part, int stretch) {
    auto* column = new QVBoxLayout;
    column->addWidget(heading(title));
    column->addWidget(part);
    layout->addLayout(column, stretch);
  };
  addPart(QStringLiteral("Possible rate"), m_boundTable, 1);
  addPart(QStringLiteral("Findings"), m_findings, 1);
  return foot;
}

void DiagnosisView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  refresh();
}

void DiagnosisView::setSelection(const Selection& selection) {
  if (selection.connection() != m_connection) {
    m_connection = selection.connection();
    m_sideChosen = false;
  }
  refresh();
}

QString DiagnosisView::verdictText() const {
  return m_verdict->text();
}

void DiagnosisView::refresh() {
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  if (detail == nullptr) {
    showNothing(m_snapshot ? whyNoDetail(m_snapshot, context().selection)
                           : QStringLiteral("Waiting for the first samples"));
    return;
  }
  m_span->setCurrentIndex(chosenSpanIndex());
  if (!m_sideChosen) m_side = detail->diagnosis.bulk;
  for (QAbstractButton* button : m_sides->buttons()) {
    const bool shown = m_sides->id(button) == static_cast<int>(m_side);
    button->setChecked(shown);
    // Some styles hardly show a pressed button.
    QFont weight = font();
    weight.setBold(shown);
    button->setFont(weight);
  }
  const SideDiagnosis* side = sideOf(*detail, m_side);
  showVerdict(side, *detail);
  showShares(side, *detail);
  showRate(side, *detail);
  showFindings(side);
  showCalculator(*detail);
}

int& DiagnosisView::chosenSpanIndex() {
  return m_snapshot && shownFile(*m_snapshot) != nullptr ? m_spanOfFiles : m_spanOfLive;
}

void DiagnosisView::showNothing(const QString& why) {
  m_verdict->setText(why);
  m_confidence->clear();
  m_evidence->setRows({});
  m_findings->setRows({});
  m_bounds->setBounds({});
  m_pie->setShares({});
  m_strip->setTimeline(LimitTimeline(1), m_side, {}, {});
  m_rate->setBounds({});
  m_rate->setRate({}, {}, {});
}

void DiagnosisView::showVerdict(const SideDiagnosis* side, const ConnectionDetail& detail) {
  if (side == nullptr) {
    m_evidence->setRows({});
    m_verdict->setText(nothingSent(m_side));
    m_confidence->clear();
    return;
  }
  m_verdict->setText(toQString(verdictSentence(detail, side->verdict, m_side)));
  const bool isCaptured = detail.packets != nullptr;
  // What a capture holds is judged by its own time, without the silence around a transfer.
  const Nanoseconds judged = isCaptured ? side->limits.observed() : detail.window.span();
  const QString span = (isCaptured ? QStringLiteral("%1 of the capture") : QStringLiteral("the last %1"))
                           .arg(toQString(formatTime(toSeconds(judged))));
  QString confidence =
      side->verdict.limit == Limit::unknown
          ? QStringLiteral("From %1").arg(span)
          : QStringLiteral("Confidence %1, over %2").arg(toQString(formatRatio(side->verdict.confidenceRatio)), span);
  if (m_side == Side::receiving && !isCaptured) {
    confidence += QStringLiteral(
        ". The kernel does not track limits of the receiving side: only the buffers are diagnosed, and the sender's "
        "limits are unknown here.");
  }
  m_confidence->setText(confidence);
  std::vector<SteadyRow> rows;
  for (const Evidence& evidence : side->verdict.evidence) rows.push_back(evidenceRow(evidence));
  m_evidence->setRows(std::move(rows));
}

void DiagnosisView::showShares(const SideDiagnosis* side, const ConnectionDetail& detail) {
  const auto choice = static_cast<SpanChoice>(m_span->currentIndex());
  const auto span = chosenSpan(choice, detail.limits, m_side, context().selection.span());
  if (!span) {
    m_pie->setShares({});
    m_strip->setTimeline(detail.limits, m_side, {}, {});
    return;
  }
  if (choice == SpanChoice::transfer && side != nullptr && detail.packets != nullptr) {
    // To the packet, where the timeline goes by intervals.
    m_pie->setShares(side->limits);
  } else {
    const LimitInterval sum = detail.limits.sum(span->from, span->to);
    m_pie->setShares(m_side == Side::sending ? sum.sending : sum.receiving);
  }
  m_strip->setTimeline(detail.limits, m_side, *span, span->to);
}

void DiagnosisView::showRate(const SideDiagnosis* side, const ConnectionDetail& detail) {
  const auto choice = static_cast<SpanChoice>(m_span->currentIndex());
  const auto span = chosenSpan(choice, detail.limits, m_side, context().selection.span());
  const Metric metric = m_side == Side::sending ? Metric::sendGoodput : Metric::receiveGoodput;
  std::vector<BoundLine> lines;
  for (const Bound& bound : side == nullptr ? std::vector<Bound>() : side->bounds) {
    if (bound.applies && bound.rate && !bound.rate->isUnlimited()) {
      lines.push_back({toQString(name(bound.model)).replace(QLatin1Char('_'), QLatin1Char(' ')), bound.rate->value()});
    }
  }
  m_bounds->setBounds(side == nullptr ? std::vector<Bound>() : side->bounds);
  m_rate->setBounds(std::move(lines));
  if (!span) return;
  const std::vector<Moment> holes = holesOf(detail.events, *span);
  m_record.update(detail.row.id, detail.history, {&metric, 1});
  m_rate->setRate(sampleTrace(m_record, metric, *span, m_rate->columns(), holes), *span, span->to);
}

void DiagnosisView::showFindings(const SideDiagnosis* side) {
  std::vector<SteadyRow> rows;
  m_shownFindings.clear();
  for (const Finding& finding : side == nullptr ? std::vector<Finding>() : side->findings) {
    rows.push_back(findingRow(finding, m_side, appearanceOf(palette())));
    m_shownFindings.push_back(finding.rule);
  }
  if (rows.empty()) rows.push_back({{QStringLiteral("none"), QString(), QStringLiteral("No findings.")}, {}, {}});
  m_findings->setRows(std::move(rows));
}

void DiagnosisView::showCalculator(const ConnectionDetail& detail) {
  if (!m_calculator->isOpen()) return;
  const StatedFigures figures = figuresOf(detail, m_side);
  if (m_calculated != detail.row.id) {
    m_calculator->startWith(figures);
  } else if (m_calculatedSide != m_side) {
    m_calculator->turnTo(figures);
  } else {
    m_calculator->setCurrent(figures);
  }
  m_calculated = detail.row.id;
  m_calculatedSide = m_side;
}

void DiagnosisView::showPackets(int row) {
  if (row < 0 || row >= static_cast<int>(m_shownFindings.size())) return;
  const RuleId rule = m_shownFindings[static_cast<std::size_t>(row)];
  PacketTarget target;
  target.what = QStringLiteral("Finding: %1").arg(toQString(title(rule)));
  target.side = m_side;
  target.items = packetsOfFinding(rule);
  emit packetsRequested(target);
}

void DiagnosisView::saveSettings(QSettings& settings) const {
  settings.setValue(QStringLiteral("diagnosis/span"), m_spanOfLive);
  settings.setValue(QStringLiteral("diagnosis/calculator"), m_calculator->isOpen());
}

void DiagnosisView::restoreSettings(QSettings& settings) {
  const int index = settings.value(QStringLiteral("diagnosis/span"), 1).toInt();
  m_spanOfLive = index >= 0 && index < m_span->count() ? index : 1;
  m_span->setCurrentIndex(chosenSpanIndex());
  m_calculator->setOpen(settings.value(QStringLiteral("diagnosis/calculator"), false).toBool());
  refresh();
}

}  // namespace tcpscope
