#include "ui/views/scope/scope_view.h"
#include "ui/plots/packet_lines.h"
#include "ui/plots/xy_plot.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/present/text/path_history_text.h"
#include "core/session/capture/captured_packets.h"
#include "ui/feed/path_history_port.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/views/scope/metric_chooser.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/usual_traces.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

ScopeView::ScopeView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_plot(new TracePlot),
      m_xyPlot(new XyPlot),
      m_screens(new QStackedWidget),
      m_model(new TraceTableModel(this)),
      m_table(new QTableView),
      m_timeBase(new QComboBox),
      m_scale(new QToolButton),
      m_state(new QLabel),
      m_notes(new QLabel),
      m_chooser(new MetricChooser(this)) {
  auto* bar = new QToolBar;
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  buildActions(*bar);
  buildTable();
  m_screens->addWidget(m_plot);
  m_screens->addWidget(m_xyPlot);
  layOutPlotPane(*this, *bar, *m_screens, *m_table, 4, *m_notes);
  m_notes->setTextFormat(Qt::PlainText);
  m_notes->setMargin(4);
  m_notes->setAccessibleName(QStringLiteral("Notes on the plot"));
  m_notes->setWordWrap(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(m_plot, &TracePlot::cursorDragged, this, [this](Cursor cursor, Moment to) {
    m_activeCursor = cursor;
    m_cursors.place(cursor, to);
    cursorsChanged();
  });
  connect(m_plot, &TracePlot::panned, this, [this](Nanoseconds by) {
    m_acquisition.pan(by);
    refresh();
  });
  connect(m_plot, &TracePlot::zoomed, this, [this](int steps, Moment anchor) {
    if (steps > 0) {
      m_acquisition.zoomInAt(anchor);
    } else {
      m_acquisition.zoomOutAt(anchor);
    }
    refresh();
  });
  connect(m_plot, &TracePlot::resized, this, &ScopeView::refresh, Qt::QueuedConnection);
  connect(m_plot, &TracePlot::traceClicked, this, [this](std::size_t index) {
    if (index < m_frameRows.size()) m_table->selectRow(static_cast<int>(m_frameRows[index]));
  });
  connect(m_plot, &TracePlot::scaleTurned, this, &ScopeView::turnScale);
  connect(m_plot, &TracePlot::pointedAt, this, [this](Moment at, const QPoint& global, const QString& marks) {
    QToolTip::showText(global, toolTipText(readoutAt(at, marks)), m_plot);
  });
  connect(m_plot, &TracePlot::menuRequested, this, [this](Moment at, const QPoint& global) {
    QMenu menu(this);
    fillPlotMenu(menu, at);
    menu.exec(global);
  });
  connect(m_chooser, &MetricChooser::chosen, this, &ScopeView::openTrace);
  openUsualTraces(usualTraces());
  refresh();
}

void ScopeView::openUsualTraces(const std::vector<Metric>& metrics) {
  m_traces.clear();
  for (const Metric metric : metrics) m_traces.add(metric);
}

void ScopeView::followVerdict(const ConnectionDetail& detail) {
  if (m_hasOwnTraces || m_hasVerdictTraces) return;
  const UsualTraces usual = usualTraces(detail);
  m_hasVerdictTraces = usual.areOfVerdict;
  if (m_traces.metrics() != usual.metrics) openUsualTraces(usual.metrics);
}

void ScopeView::setSelection(const Selection& selection) {
  m_shown.update(m_snapshot, selection);
  if (selection.connection() == m_connection) return takeSpan(selection.span());
  m_connection = selection.connection();
  m_fitted = false;
  m_hasVerdictTraces = false;
  const bool isStopped = m_acquisition.state() == AcquisitionState::stopped;
  if (isStopped && m_trigger && !m_trigger->filterText.empty()) m_isTriggerOver = true;
  m_acquisition.reset();
  m_cursors.clear();
  m_timeZero.reset();
  forgetTriggers();
  refresh();
}

/// The cursors of another view over time are ours.
void ScopeView::takeSpan(const std::optional<TimeSpan>& span) {
  if (span == m_cursors.span()) return rescaled();
  m_cursors.clear();
  if (span) {
    m_cursors.place(Cursor::a, span->from);
    m_cursors.place(Cursor::b, span->to);
    m_acquisition.stop();
  }
  m_readingsAt = Moment();
  refresh();
}

void ScopeView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  m_shown.update(snapshot, context().selection);
  takeTriggered();
  if (const ConnectionDetail* detail = selectedDetail(snapshot, context().selection)) {
    followVerdict(*detail);
    const auto first = detail->history.firstTime();
    if (first) {
      // A living connection's time goes on while its figures stand still.
      const Moment last = *detail->history.lastTime();
      // What is over is looked at as a whole.
      if (detail->packets && detail->packets->live == 0 && !std::exchange(m_fitted, true))
        m_acquisition.setTimeBase(TimeBase::holding(*detail->history.lastTime() - *first));
      m_acquisition.setRecorded({*first, detail->row.closed ? last : std::max(last, snapshot->time)});
      searchTriggers();
    }
  }
  m_acquisition.passTime(snapshot->time);
  // Behind another view it only waits for its trigger.
  if (!isHidden() || isWindow()) refresh();
}

QString ScopeView::usual() const {
  PathHistoryPort* paths = context().ports.paths;
  if (paths == nullptr || m_snapshot == nullptr || !context().selection.connection()) return {};
  const ConnectionFacts* facts = m_snapshot->find(*context().selection.connection());
  const auto path = facts == nullptr ? std::nullopt : bookedPath(*paths, *m_snapshot, *facts);
  const auto history = path ? paths->state() : nullptr;
  if (history == nullptr) return {};
  return toQString(usuallyHereSentence(history->find(*path), m_snapshot->clock.wallAt(facts->firstSeen)));
}

void ScopeView::openTrace(const TraceSource& source) {
  m_hasOwnTraces = true;
  const auto index = m_traces.add(source);
  if (!index) {
    m_state->setText(QStringLiteral("No more traces fit: remove one first"));
    return;
  }
  m_selected = *index;
  m_readingsAt = Moment();
  refresh();
  m_table->selectRow(static_cast<int>(selectedRow()));
}

void ScopeView::changeTimeBase(int steps) {
  TimeBase base = m_acquisition.timeBase();
  if (steps > 0) {
    base.zoomOut();
  } else {
    base.zoomIn();
  }
  m_acquisition.setTimeBase(base);
  refresh();
}

void ScopeView::placeCursor(Cursor cursor) {
  const auto screen = m_acquisition.screen();
  if (!screen) return;
  m_activeCursor = cursor;
  if (!m_cursors.at(cursor)) {
    // At a third and two thirds, so that the two do not hide each other.
    const double share = cursor == Cursor::a ? 1.0 / 3.0 : 2.0 / 3.0;
    m_cursors.place(cursor, screen->from + std::chrono::duration<double>(share * toSeconds(screen->to - screen->from)));
    // A measurement needs a picture that stands still.
    m_acquisition.stop();
  }
  cursorsChanged();
}

void ScopeView::moveCursor(int pixels) {
  const auto screen = m_acquisition.screen();
  if (!screen) return;
  const Nanoseconds by = (screen->to - screen->from) / static_cast<std::int64_t>(m_plot->columns()) * pixels;
  if (m_cursors.at(m_activeCursor)) {
    m_cursors.move(m_activeCursor, by, *screen);
    cursorsChanged();
  } else {
    m_acquisition.pan(by * 10);
    refresh();
  }
}

void ScopeView::cursorsChanged() {
  m_readingsAt = Moment();
  context().selection.setSpan(m_cursors.span());
  refresh();
}

void ScopeView::refresh() {
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  if (m_selected >= m_traces.size()) m_selected = 0;
  if (m_selectedLine && !m_shown.indexOf(*m_selectedLine)) m_selectedLine.reset();
  updateRecords();
  if (m_xy) {
    showXy(detail);
  } else {
    m_plot->setFrame(makeFrame(detail));
  }
  refreshControls();
  const auto screen = m_acquisition.screen();
  if (detail != nullptr && screen) {
    refreshReadings(*screen);
  } else {
    m_model->setReadings({});
  }
  m_plot->setAccessibleDescription(description());
  const QString said =
      QStringList({cursorText(), comparison(), usual(), packetClock()}).join(QLatin1Char('\n')).trimmed();
  m_notes->setText(said);
  m_notes->setVisible(!said.isEmpty());
}

QString ScopeView::description() const {
  const QString readings = describeScreen(m_model->readings(), m_acquisition.timeBase().span());
  return m_xy ? QStringLiteral("%1 against %2. %3").arg(m_xyPlot->frame().yTitle, m_xyPlot->frame().xTitle, readings)
              : readings;
}

void ScopeView::saveSettings(QSettings& settings) const {
  QStringList traces;
  for (const Trace& trace : m_traces.traces()) {
    QString text = toQString(trace.source.key());
    if (!trace.scale.isAutomatic()) text += QLatin1Char('=') + QString::number(trace.scale.unitsPerDivision(), 'g', 17);
    traces << text;
  }
  settings.setValue(QStringLiteral("scope/traces"), m_hasOwnTraces ? traces : QStringList());
  settings.setValue(QStringLiteral("scope/timeBase"), static_cast<int>(m_acquisition.timeBase().step()));
  settings.setValue(QStringLiteral("scope/wallClock"), m_wallClock->isChecked());
  settings.setValue(QStringLiteral("scope/overlay"), m_overlay->isChecked());
  QStringList xyKeys;
  if (m_xy) xyKeys << toQString(metricRow(m_xy->x).key) << toQString(metricRow(m_xy->y).key);
  settings.setValue(QStringLiteral("scope/xy"), xyKeys);
}

void ScopeView::restoreSettings(QSettings& settings) {
  const QStringList traces = settings.value(QStringLiteral("scope/traces")).toStringList();
  if (!traces.isEmpty()) m_traces.clear();
  for (const QString& text : traces) {
    const QStringList parts = text.split(QLatin1Char('='));
    const auto source = findTraceSource(parts.first().toStdString());
    const auto index = source ? m_traces.add(*source) : std::nullopt;
    if (index && parts.size() == 2) m_traces.at(*index).scale.setUnitsPerDivision(parts.last().toDouble());
  }
  // Before the traces followed the verdict, the usual ones were kept as well.
  const bool areScaled = traces.join(QLatin1Char(' ')).contains(QLatin1Char('='));
  const std::vector<Metric> usual = usualTraces();
  const bool areUsual = m_traces.metrics() == usual && m_traces.size() == usual.size();
  m_hasOwnTraces = !m_traces.empty() && (areScaled || !areUsual);
  if (m_traces.empty()) openUsualTraces(usualTraces());
  m_wallClock->setChecked(settings.value(QStringLiteral("scope/wallClock"), false).toBool());
  m_overlay->setChecked(settings.value(QStringLiteral("scope/overlay"), false).toBool());
  const QStringList xyKeys = settings.value(QStringLiteral("scope/xy")).toStringList();
  const MetricRow* x = xyKeys.size() == 2 ? findMetric(xyKeys.first().toStdString()) : nullptr;
  const MetricRow* y = xyKeys.size() == 2 ? findMetric(xyKeys.last().toStdString()) : nullptr;
  setXy(x != nullptr && y != nullptr ? std::optional(XyChoice{x->metric, y->metric}) : std::nullopt);
  TimeBase base;
  const int step = settings.value(QStringLiteral("scope/timeBase"), static_cast<int>(base.step())).toInt();
  base.setStep(static_cast<std::size_t>(std::max(step, 0)));
  m_acquisition.setTimeBase(base);
  refresh();
}

}  // namespace tcpscope
