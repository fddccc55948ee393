#include "ui/views/loss_bursts/loss_bursts_view.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/present/text/flow_text.h"
#include "core/present/text/loss_text.h"
#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/views/packet_graphs/packet_text.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

namespace {

constexpr int kShareRows = 2;
constexpr int kShareColumns = 4;
/// More is not read of what changes ten times a second; a recording has all of them.
constexpr std::size_t kMostLines = 200;

QString shareText(const std::optional<double>& ratio) {
  return ratio ? toQString(formatRatio(*ratio)) : QStringLiteral("–");
}

/// Three significant digits, without an exponent.
QString rttsText(double rtts) {
  if (!(rtts > 0.0)) return QStringLiteral("0");
  const int digits = 2 - static_cast<int>(std::floor(std::log10(rtts)));
  QString text = QString::number(rtts, 'f', std::max(digits, 0));
  if (!text.contains(u'.')) return text;
  while (text.endsWith(u'0')) text.chop(1);
  if (text.endsWith(u'.')) text.chop(1);
  return text;
}

}  // namespace

QString lossSentences(const LossSummary& loss, std::uint64_t packets) {
  QStringList lines;
  lines << (loss.rtt ? QStringLiteral("%1 packets lost in %2 loss events; RTT %3.")
                           .arg(countText(loss.lostPackets), countText(loss.events.size()),
                                toQString(formatTime(toSeconds(*loss.rtt))))
                     : QStringLiteral("%1 packets lost; RTT unknown.").arg(countText(loss.lostPackets)));
  if (loss.lostPackets > 0) lines << toQString(sentence(loss.verdict));
  if (loss.randomDrop) lines << toQString(sentence(*loss.randomDrop));
  if (loss.model) lines << toQString(sentence(*loss.model));
  if (loss.eventRatio) lines << toQString(sentence(*loss.eventRatio, packets)) + QLatin1Char('.');
  if (loss.lostPackets > 0) lines << toQString(kCaptureHoldsSendersBursts);
  return lines.join(QLatin1Char('\n'));
}

LossBurstsView::LossBurstsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_directions(new QComboBox),
      m_decades(new QAction(this)),
      m_plot(new IntervalPlot),
      m_table(new QTableWidget(kShareRows, kShareColumns)),
      m_sentences(new QLabel),
      m_selection(new QLabel),
      m_lines(new QPlainTextEdit) {
  buildTable();
  m_directions->setAccessibleName(QStringLiteral("Data direction"));
  m_directions->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(m_directions, &QComboBox::activated, this, [this](int index) {
    m_direction = static_cast<std::size_t>(index);
    m_plot->select(std::nullopt);
    refresh();
  });
  addViewAction(*this, QStringLiteral("Other direction"), {Qt::Key_D}, [this] {
    m_direction = 1 - m_direction;
    m_directions->setCurrentIndex(static_cast<int>(m_direction));
    m_plot->select(std::nullopt);
    refresh();
  });
  m_decades->setText(QStringLiteral("&All intervals"));
  m_decades->setToolTip(
      QStringLiteral("Every interval, over decades of RTTs; off: the density of those up to 2 RTT, as papers draw it"));
  m_decades->setCheckable(true);
  m_decades->setChecked(true);
  addAction(m_decades);
  connect(m_decades, &QAction::toggled, this, [this] {
    // Other bins.
    m_plot->select(std::nullopt);
    refresh();
  });
  m_sentences->setTextFormat(Qt::PlainText);
  m_sentences->setWordWrap(true);
  m_sentences->setMargin(6);
  m_sentences->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_sentences->setAccessibleName(QStringLiteral("Loss summary"));
  m_selection->setTextFormat(Qt::PlainText);
  m_selection->setAccessibleName(QStringLiteral("Selected intervals"));
  m_selection->setContentsMargins(8, 0, 0, 0);
  buildPacketActions();
  auto* beside = new QWidget;
  auto* column = new QVBoxLayout(beside);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_table);
  column->addWidget(m_sentences, 1);
  m_lines->setReadOnly(true);
  m_lines->setTabChangesFocus(true);
  m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_lines->setAccessibleName(QStringLiteral("Dropped packets and retransmissions"));
  column->addWidget(m_lines, 1);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(m_plot);
  splitter->addWidget(beside);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({700, 480});
  splitter->setChildrenCollapsible(false);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(4, 4, 4, 4);
  bar->addWidget(m_directions);
  auto* decades = new QToolButton;
  decades->setDefaultAction(m_decades);
  bar->addWidget(decades);
  bar->addWidget(m_selection);
  bar->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(splitter, 1);
  setFocusPolicy(Qt::StrongFocus);
  refresh();
}

void LossBurstsView::buildPacketActions() {
  addViewAction(*this, QStringLiteral("Next interval"), {Qt::Key_Right}, [this] {
    if (const auto bin = m_plot->neighbour(true)) selectBin(bin);
  });
  addViewAction(*this, QStringLiteral("Previous interval"), {Qt::Key_Left}, [this] {
    if (const auto bin = m_plot->neighbour(false)) selectBin(bin);
  });
  addViewAction(*this, QStringLiteral("Show the &packets of the interval"), {Qt::Key_P, Qt::Key_Return},
                [this] { showPackets(); });
  connect(m_plot, &IntervalPlot::binClicked, this, [this](std::size_t bin) {
    selectBin(bin);
    showPackets();
  });
}

void LossBurstsView::selectBin(std::optional<std::size_t> bin) {
  m_plot->select(bin);
  m_selection->setText(selectionText());
}

std::vector<std::size_t> LossBurstsView::selectedIntervals() const {
  std::vector<std::size_t> intervals;
  if (!m_plot->selected() || loss() == nullptr) return intervals;
  const auto [from, to] = m_plot->edgesOf(*m_plot->selected());
  const std::vector<double>& all = loss()->intervalsRtt;
  // The first bin holds all shorter ones, too, and the last its own end.
  const bool isFirst = *m_plot->selected() == 0 && m_decades->isChecked();
  const bool isLast = !m_plot->neighbour(true).has_value();
  for (std::size_t index = 0; index < all.size(); ++index) {
    if ((all[index] >= from || isFirst) && (all[index] < to || (isLast && all[index] <= to)))
      intervals.push_back(index);
  }
  return intervals;
}

QString LossBurstsView::selectionText() const {
  const auto intervals = selectedIntervals();
  if (intervals.empty()) return {};
  const auto [from, to] = m_plot->edgesOf(*m_plot->selected());
  return QStringLiteral("%1 of %2 intervals: %3 to %4 RTT")
      .arg(countText(intervals.size()), countText(loss()->intervalsRtt.size()), rttsText(from), rttsText(to));
}

void LossBurstsView::showPackets() {
  const auto intervals = selectedIntervals();
  if (intervals.empty() || !m_packets) return;
  PacketTarget target;
  target.what = QStringLiteral("Losses: %1").arg(selectionText());
  target.direction = m_direction;
  const ClockPair& clock = m_packets->series.clock();
  for (const std::size_t index : intervals) {
    for (const std::size_t end : {index, index + 1}) {
      // Losses are in wall time.
      const WallTime sent = WallTime::fromNanoseconds(loss()->lossTimes.at(end).nanoseconds());
      target.sentAt.push_back(clock.monotonic + (sent - clock.wall));
    }
  }
  std::sort(target.sentAt.begin(), target.sentAt.end());
  target.sentAt.erase(std::unique(target.sentAt.begin(), target.sentAt.end()), target.sentAt.end());
  emit packetsRequested(target);
}

void LossBurstsView::buildTable() {
  m_table->setHorizontalHeaderLabels({QStringLiteral("Intervals within"), QStringLiteral("Measured"),
                                      QStringLiteral("Poisson"), QStringLiteral("Random losses")});
  m_table->horizontalHeaderItem(2)->setToolTip(
      toolTipText(QStringLiteral("Expected for a Poisson process of the same rate, independent of the packets.")));
  m_table->horizontalHeaderItem(3)->setToolTip(toolTipText(
      QStringLiteral("Expected for the same number of losses, drawn at random from the packets actually sent.")));
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setAccessibleName(QStringLiteral("Distribution of the intervals between losses"));
  m_table->setMaximumHeight((kShareRows + 1) * (fontMetrics().height() + 10) + 4);
}

const LossSummary* LossBurstsView::loss() const {
  return m_packets ? &m_packets->analysis.directions.at(m_direction).loss : m_reported.get();
}

void LossBurstsView::setSelection(const Selection& selection) {
  if (!m_snapshot || selectedDetail(m_snapshot, selection) == nullptr) {
    m_packets.reset();
    m_reported.reset();
    m_detail.reset();
  }
  refresh();
}

void LossBurstsView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  const ConnectionDetail* detail = selectedDetail(snapshot, context().selection);
  auto packets = detail == nullptr ? nullptr : detail->packets;
  if (packets == m_packets && packets != nullptr) return;
  const bool isMore = packets && m_packets && m_packets->live != 0 && packets->live == m_packets->live;
  if (!isMore && packets != m_packets) m_plot->select(std::nullopt);
  m_packets = std::move(packets);
  m_reported = detail == nullptr ? nullptr : detail->losses;
  m_detail = sharedDetail(snapshot, context().selection);
  // New packets of a live capture keep the direction, because its list may be open.
  if (isMore) {
    for (int item = 0; item < m_directions->count(); ++item)
      m_directions->setItemText(item, directionText(*m_packets, static_cast<std::size_t>(item)));
  } else if (m_packets) {
    m_direction = m_packets->analysis.bulk;
    m_directions->clear();
    for (const std::size_t direction : {std::size_t{0}, std::size_t{1}})
      m_directions->addItem(directionText(*m_packets, direction));
    m_directions->setCurrentIndex(static_cast<int>(m_direction));
  }
  refresh();
}

QString LossBurstsView::whyNothing() const {
  if (loss() == nullptr) {
    const QString why = whyNoPackets(m_snapshot, context().selection);
    const auto id = context().selection.connection();
    const bool isLive = m_snapshot && id && isLivePlace(*m_snapshot, id->place);
    return isLive ? why + QLatin1Char(' ') + QStringLiteral("The kernel reports single retransmissions only to root.")
                  : why;
  }
  const LossSummary& shown = *loss();
  if (!m_packets && shown.lostPackets < 2)
    return QStringLiteral("Fewer than two segments were retransmitted since the connection is monitored.");
  if (shown.lostPackets == 0) return QStringLiteral("No packet of this direction was lost.");
  if (shown.lostPackets == 1) return QStringLiteral("One packet was lost: there is no interval to show.");
  if (!shown.rtt) return QStringLiteral("The RTT is unknown, so the intervals have no scale.");
  return {};
}

void LossBurstsView::fillTable(const LossSummary& loss) {
  const std::array<std::array<QString, kShareColumns>, kShareRows> cells = {{
      {QStringLiteral("0.01 RTT"), shareText(loss.withinHundredthRtt), shareText(loss.poissonWithinHundredthRtt),
       shareText(loss.randomDrop ? std::optional(loss.randomDrop->withinHundredthRtt.expectedRatio) : std::nullopt)},
      {QStringLiteral("1 RTT"), shareText(loss.withinRtt), shareText(loss.poissonWithinRtt),
       shareText(loss.randomDrop ? std::optional(loss.randomDrop->withinRtt.expectedRatio) : std::nullopt)},
  }};
  for (int row = 0; row < kShareRows; ++row) {
    for (int column = 0; column < kShareColumns; ++column) {
      auto* item = new QTableWidgetItem(cells.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column)));
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      m_table->setItem(row, column, item);
    }
  }
}

QString LossBurstsView::eventLines() const {
  if (m_detail == nullptr || m_snapshot == nullptr) return {};
  const std::vector<ReportedLoss>& losses = m_detail->lossReports;
  QStringList lines;
  for (auto loss = losses.rbegin(); loss != losses.rend() && lines.size() < static_cast<int>(kMostLines); ++loss) {
    lines << wallText(m_snapshot->clock, loss->time, WallPrecision::milliseconds) + QStringLiteral("  ") +
                 toQString(eventText(*loss));
  }
  const std::size_t earlier = losses.size() - static_cast<std::size_t>(lines.size());
  if (earlier > 0) lines << QStringLiteral("%1 earlier").arg(countText(earlier));
  return lines.join(QLatin1Char('\n'));
}

void LossBurstsView::refreshLines() {
  const QString lines = eventLines();
  m_lines->setVisible(!lines.isEmpty());
  // Setting the same text would take the selection away.
  if (lines != m_lines->toPlainText()) m_lines->setPlainText(lines);
}

void LossBurstsView::refresh() {
  refreshLines();
  m_directions->setEnabled(m_packets != nullptr);
  m_plot->setToolTip(m_packets ? QStringLiteral("Click a bar to show its lost packets") : QString());
  m_plot->setMessage(whyNothing());
  m_table->setVisible(loss() != nullptr);
  if (loss() == nullptr) {
    m_plot->select(std::nullopt);
    m_plot->showShares({});
    m_selection->clear();
    return m_sentences->clear();
  }
  if (m_decades->isChecked()) {
    m_plot->showShares(intervalShares(loss()->intervalsRtt));
  } else {
    m_plot->showDensity(loss()->density);
  }
  m_selection->setText(selectionText());
  fillTable(*loss());
  m_sentences->setText(description());
  m_plot->setAccessibleDescription(description());
}

void LossBurstsView::saveSettings(QSettings& settings) const {
  settings.setValue("losses/allIntervals", m_decades->isChecked());
}

void LossBurstsView::restoreSettings(QSettings& settings) {
  m_decades->setChecked(settings.value("losses/allIntervals", true).toBool());
}

QString LossBurstsView::description() const {
  if (m_packets == nullptr) {
    if (m_reported == nullptr || m_reported->lostPackets == 0) return {};
    const QString drops = m_detail == nullptr ? QString() : toQString(summary(m_detail->lossReports));
    return QStringLiteral(
               "%1 segments were retransmitted since the connection is monitored. The packets sent between them are "
               "unknown, so there is no comparison with random losses, and the cause of drops elsewhere stays open.")
               .arg(countText(m_reported->lostPackets)) +
           QLatin1Char('\n') + (drops.isEmpty() ? drops : drops + QLatin1Char('\n')) +
           toQString(kCaptureHoldsSendersBursts);
  }
  QString text = lossSentences(*loss(), m_packets->analysis.flow.directions.at(m_direction).sent.dataPackets.value());
  const IntervalDensity& density = loss()->density;
  if (m_decades->isChecked() || density.beyond == 0) return text;
  return text + QLatin1Char('\n') +
         QStringLiteral("%1 of %2 intervals are longer than the plot.")
             .arg(countText(density.beyond), countText(density.intervals));
}

}  // namespace tcpscope
