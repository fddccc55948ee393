#include "ui/views/scope/scope_view.h"

#include <QAction>
#include <QComboBox>
#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/text/sentences.h"
#include "ui/text/plain_text.h"
#include "ui/views/scope/metric_chooser.h"
#include "ui/views/scope/scope_text.h"

namespace tcpscope {

namespace {

/// The table is read, not watched: five times a second is what eyes follow.
constexpr Milliseconds kReadingsEvery{200};

QString wallText(const ClockPair& clock, Moment moment) {
  const std::int64_t milliseconds = clock.wallAt(moment).nanoseconds() / 1'000'000;
  return QDateTime::fromMSecsSinceEpoch(milliseconds).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

}  // namespace

ScopeView::ScopeView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_plot(new TracePlot),
      m_model(new TraceTableModel(this)),
      m_table(new QTableView),
      m_timeBase(new QComboBox),
      m_state(new QLabel),
      m_cursorText(new QLabel),
      m_chooser(new MetricChooser(this)) {
  auto* bar = new QToolBar;
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  buildActions(*bar);
  buildTable();
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->addWidget(m_plot);
  splitter->addWidget(m_table);
  splitter->setStretchFactor(0, 1);
  splitter->setSizes({400, 150});
  splitter->setCollapsible(0, false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar);
  layout->addWidget(splitter, 1);
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
  connect(m_plot, &TracePlot::traceClicked, m_table, &QTableView::selectRow);
  connect(m_chooser, &MetricChooser::chosen, this, &ScopeView::openMetric);
  openDefaultTraces();
  refresh();
}

QAction* ScopeView::addScopeAction(const QString& text, const QList<QKeySequence>& keys, std::function<void()> run) {
  auto* action = new QAction(text, this);
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  if (!keys.isEmpty()) action->setToolTip(text + QStringLiteral(" (") + keys.first().toString() + QStringLiteral(")"));
  connect(action, &QAction::triggered, this, std::move(run));
  addAction(action);
  return action;
}

void ScopeView::buildActions(QToolBar& bar) {
  m_runStop = addScopeAction(tr("Stop"), {Qt::Key_Space}, [this] {
    m_acquisition.toggle();
    refresh();
  });
  m_single = addScopeAction(tr("Single"), {Qt::Key_S}, [this] {
    m_acquisition.single();
    refresh();
  });
  auto* finer = addScopeAction(tr("Less time per division"), {Qt::Key_Plus}, [this] { changeTimeBase(-1); });
  auto* coarser = addScopeAction(tr("More time per division"), {Qt::Key_Minus}, [this] { changeTimeBase(1); });
  finer->setIconText(QStringLiteral("+"));
  coarser->setIconText(QStringLiteral("−"));
  auto* a = addScopeAction(tr("Cursor A"), {Qt::Key_A}, [this] { placeCursor(Cursor::a); });
  auto* b = addScopeAction(tr("Cursor B"), {Qt::Key_B}, [this] { placeCursor(Cursor::b); });
  auto* clear = addScopeAction(tr("Clear cursors"), {Qt::Key_Escape}, [this] {
    m_cursors.clear();
    cursorsChanged();
  });
  addScopeAction(tr("Move left"), {Qt::Key_Left}, [this] { moveCursor(-1); });
  addScopeAction(tr("Move right"), {Qt::Key_Right}, [this] { moveCursor(1); });
  addScopeAction(tr("Move far left"), {Qt::SHIFT | Qt::Key_Left}, [this] { moveCursor(-20); });
  addScopeAction(tr("Move far right"), {Qt::SHIFT | Qt::Key_Right}, [this] { moveCursor(20); });
  auto* picture = addScopeAction(tr("Save picture…"), {}, [this] { exportPicture(); });
  auto* samples = addScopeAction(tr("Save samples as CSV…"), {}, [this] { exportSamples(); });

  for (const Milliseconds step : TimeBase::steps()) {
    m_timeBase->addItem(tr("%1 / div").arg(toQString(formatTime(toSeconds(step)))));
  }
  m_timeBase->setAccessibleName(tr("Time per division"));
  connect(m_timeBase, &QComboBox::activated, this, [this](int index) {
    TimeBase base;
    base.setStep(static_cast<std::size_t>(index));
    m_acquisition.setTimeBase(base);
    refresh();
  });
  auto* add = new QToolButton;
  add->setText(tr("Add trace"));
  add->setMenu(m_chooser);
  add->setPopupMode(QToolButton::InstantPopup);
  auto* save = new QToolButton;
  save->setText(tr("Save"));
  save->setPopupMode(QToolButton::InstantPopup);
  auto* saveMenu = new QMenu(save);
  saveMenu->addActions({picture, samples});
  save->setMenu(saveMenu);

  bar.addActions({m_runStop, m_single});
  bar.addSeparator();
  bar.addAction(coarser);
  bar.addWidget(m_timeBase);
  bar.addAction(finer);
  bar.addSeparator();
  bar.addActions({a, b, clear});
  bar.addSeparator();
  bar.addWidget(add);
  bar.addWidget(save);
  bar.addSeparator();
  m_state->setContentsMargins(6, 0, 12, 0);
  bar.addWidget(m_state);
  bar.addWidget(m_cursorText);
}

void ScopeView::buildTable() {
  m_table->setModel(m_model);
  m_table->setAccessibleName(tr("Values of the traces"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_table->horizontalHeader()->setDefaultSectionSize(104);
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->setColumnWidth(TraceTableModel::trace, 230);
  m_table->setColumnWidth(TraceTableModel::perDivision, 130);
  m_table->setIconSize({28, 12});
  m_table->setWordWrap(false);
  connect(m_table, &QTableView::customContextMenuRequested, this, &ScopeView::showTraceMenu);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (current.isValid()) m_selected = static_cast<std::size_t>(current.row());
    refresh();
  });
}

void ScopeView::openDefaultTraces() {
  for (const Metric metric :
       {Metric::sendGoodput, Metric::retransmissionsPerSecond, Metric::congestionWindowBytes, Metric::sndWnd}) {
    m_traces.add(metric);
  }
}

void ScopeView::setSelection(const Selection& selection) {
  if (selection.connection() == m_connection) return;
  m_connection = selection.connection();
  m_acquisition.reset();
  m_cursors.clear();
  m_reference.reset();
  refresh();
}

void ScopeView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  if (const ConnectionDetail* detail = selectedDetail(snapshot, context().selection)) {
    const auto first = detail->history.firstTime();
    if (first) {
      // A living connection's time goes on while its figures stand still.
      const Moment last = *detail->history.lastTime();
      m_acquisition.setRecorded({*first, detail->row.closed ? last : std::max(last, snapshot->time)});
    }
  }
  refresh();
}

void ScopeView::openMetric(Metric metric) {
  const auto index = m_traces.add(metric);
  if (!index) {
    m_state->setText(tr("The screen is full: remove a trace first"));
    return;
  }
  m_selected = *index;
  m_readingsAt = Moment();
  refresh();
  m_table->selectRow(static_cast<int>(*index));
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
  m_plot->setFrame(makeFrame(detail));
  refreshControls();
  const auto screen = m_acquisition.screen();
  if (detail != nullptr && screen) {
    refreshReadings(*detail, *screen);
  } else {
    m_model->setReadings({});
  }
  m_plot->setAccessibleDescription(description());
}

TraceFrame ScopeView::makeFrame(const ConnectionDetail* detail) {
  TraceFrame frame;
  frame.perDivision = m_acquisition.timeBase().perDivision();
  frame.selected = m_selected;
  frame.cursors = m_cursors;
  const auto screen = m_acquisition.screen();
  if (detail == nullptr || !screen) {
    frame.screen = {Moment() - m_acquisition.timeBase().span(), Moment()};
    frame.message = m_snapshot ? whyNoDetail(m_snapshot, context().selection) : tr("Waiting for the first samples");
    if (frame.message.isEmpty()) frame.message = tr("Waiting for the first samples of this connection");
    return frame;
  }
  frame.screen = *screen;
  const bool stopped = m_acquisition.state() == AcquisitionState::stopped;
  if (!stopped) m_reference.reset();
  if (stopped && !m_reference) m_reference = screen->to;
  frame.reference = m_reference.value_or(screen->to);
  frame.referenceText = tr("0 is %1").arg(wallText(m_snapshot->clock, frame.reference));
  const std::size_t columns = m_plot->columns();
  for (std::size_t index = 0; index < m_traces.size(); ++index) {
    Trace& trace = m_traces.at(index);
    FrameTrace& shown = frame.traces.emplace_back();
    shown.label = toQString(metricRow(trace.metric).title);
    shown.unit = metricRow(trace.metric).unit;
    shown.style = static_cast<int>(trace.style);
    shown.samples = sampleTrace(detail->history, trace.metric, *screen, columns);
    trace.scale.adapt(shown.samples.smallest, shown.samples.largest);
  }
  m_traces.shareScalesByUnit();
  for (std::size_t index = 0; index < m_traces.size(); ++index) frame.traces[index].scale = m_traces.at(index).scale;
  const Nanoseconds markWidth =
      (screen->to - screen->from) / static_cast<std::int64_t>(columns) * (2 * kMarkRadius + 1);
  frame.marks = gatherMarks(detail->events, *screen, markWidth);
  if (m_traces.empty()) frame.message = tr("No traces: “Add trace” puts any metric on the screen");
  return frame;
}

void ScopeView::refreshControls() {
  const bool stopped = m_acquisition.state() == AcquisitionState::stopped;
  m_runStop->setText(stopped ? tr("Run") : tr("Stop"));
  switch (m_acquisition.state()) {
    case AcquisitionState::running:
      m_state->setText(tr("● running"));
      break;
    case AcquisitionState::single:
      m_state->setText(tr("◐ single: armed"));
      break;
    case AcquisitionState::stopped:
      m_state->setText(tr("■ stopped"));
      break;
  }
  m_timeBase->setCurrentIndex(static_cast<int>(m_acquisition.timeBase().step()));
  m_cursorText->setText(describeCursors(m_cursors));
}

void ScopeView::refreshReadings(const ConnectionDetail& detail, TimeSpan screen) {
  const bool standing = m_acquisition.state() == AcquisitionState::stopped;
  if (!standing && m_readingsAt <= screen.to && screen.to - m_readingsAt < kReadingsEvery &&
      m_model->rowCount() == static_cast<int>(m_traces.size())) {
    return;
  }
  m_readingsAt = screen.to;
  std::vector<TraceReading> readings;
  for (const Trace& trace : m_traces.traces()) {
    TraceReading& reading = readings.emplace_back();
    reading.metric = trace.metric;
    reading.style = static_cast<int>(trace.style);
    reading.unitsPerDivision = trace.scale.unitsPerDivision();
    reading.automaticScale = trace.scale.isAutomatic();
    reading.onScreen = summarize(detail.history, trace.metric, screen.from, screen.to);
    reading.cursors = readCursors(detail.history, trace.metric, m_cursors);
  }
  m_model->setReadings(std::move(readings));
}

QString ScopeView::description() const {
  return describeScreen(m_model->readings(), m_acquisition.timeBase().span());
}

void ScopeView::saveSettings(QSettings& settings) const {
  QStringList keys;
  for (const Trace& trace : m_traces.traces()) keys << toQString(metricRow(trace.metric).key);
  settings.setValue(QStringLiteral("scope/traces"), keys);
  settings.setValue(QStringLiteral("scope/timeBase"), static_cast<int>(m_acquisition.timeBase().step()));
}

void ScopeView::restoreSettings(QSettings& settings) {
  const QStringList keys = settings.value(QStringLiteral("scope/traces")).toStringList();
  if (!keys.isEmpty()) m_traces.clear();
  for (const QString& key : keys) {
    const std::string wanted = key.toStdString();
    if (const MetricRow* row = findMetric(wanted)) m_traces.add(row->metric);
  }
  if (m_traces.empty()) openDefaultTraces();
  TimeBase base;
  const int step = settings.value(QStringLiteral("scope/timeBase"), static_cast<int>(base.step())).toInt();
  base.setStep(static_cast<std::size_t>(std::max(step, 0)));
  m_acquisition.setTimeBase(base);
  refresh();
}

}  // namespace tcpscope
