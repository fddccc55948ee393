// The controls of the scope: actions, toolbar, the table of traces, and what they show.
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"
#include "ui/views/scope/metric_chooser.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/scope_view.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

void ScopeView::buildActions(QToolBar& bar) {
  m_runStop = addViewAction(*this, QStringLiteral("Stop"), {Qt::Key_Space}, [this] {
    if (m_acquisition.state() == AcquisitionState::stopped) m_isTriggerOver = false;
    m_acquisition.toggle();
    refresh();
  });
  m_single = addViewAction(*this, QStringLiteral("Single"), {Qt::Key_S}, [this] {
    m_isTriggerOver = false;
    m_acquisition.single();
    refresh();
  });
  auto* finer =
      addViewAction(*this, QStringLiteral("Less time per division"), {Qt::Key_Plus}, [this] { changeTimeBase(-1); });
  auto* coarser =
      addViewAction(*this, QStringLiteral("More time per division"), {Qt::Key_Minus}, [this] { changeTimeBase(1); });
  finer->setIconText(QStringLiteral("+"));
  coarser->setIconText(QStringLiteral("−"));
  auto* a = addViewAction(*this, QStringLiteral("Cursor A"), {Qt::Key_A}, [this] { placeCursor(Cursor::a); });
  auto* b = addViewAction(*this, QStringLiteral("Cursor B"), {Qt::Key_B}, [this] { placeCursor(Cursor::b); });
  auto* clear = addViewAction(*this, QStringLiteral("Clear cursors"), {Qt::Key_Escape}, [this] {
    m_cursors.clear();
    cursorsChanged();
  });
  clear->setIconText(QStringLiteral("Clear"));
  auto* larger =
      addViewAction(*this, QStringLiteral("Increase trace scale"), {Qt::CTRL | Qt::Key_Up}, [this] { turnScale(1); });
  auto* smaller = addViewAction(*this, QStringLiteral("Decrease trace scale"), {Qt::CTRL | Qt::Key_Down},
                                [this] { turnScale(-1); });
  addViewAction(*this, QStringLiteral("Autoscale the trace"), {Qt::CTRL | Qt::Key_0}, [this] { fitScale(); });
  buildFitActions();
  larger->setIconText(QStringLiteral("+"));
  smaller->setIconText(QStringLiteral("−"));
  addViewAction(*this, QStringLiteral("Next trace"), {Qt::Key_N}, [this] {
    if (m_traces.empty()) return;
    const std::size_t line = selectedRow() / m_traces.size();
    m_table->selectRow(static_cast<int>(rowOf(line, (m_selected + 1) % m_traces.size())));
  });
  addViewAction(*this, QStringLiteral("Move left"), {Qt::Key_Left}, [this] { moveCursor(-1); });
  addViewAction(*this, QStringLiteral("Move right"), {Qt::Key_Right}, [this] { moveCursor(1); });
  addViewAction(*this, QStringLiteral("Move far left"), {Qt::SHIFT | Qt::Key_Left}, [this] { moveCursor(-20); });
  addViewAction(*this, QStringLiteral("Move far right"), {Qt::SHIFT | Qt::Key_Right}, [this] { moveCursor(20); });
  auto* picture = addViewAction(*this, QStringLiteral("Save picture…"), {}, [this] { exportPicture(); });
  auto* samples = addViewAction(*this, QStringLiteral("Save samples as CSV…"), {}, [this] { exportSamples(); });

  for (const Milliseconds step : TimeBase::steps()) {
    m_timeBase->addItem(QStringLiteral("%1 / div").arg(toQString(formatTime(toSeconds(step)))));
  }
  m_timeBase->setAccessibleName(QStringLiteral("Time per division"));
  connect(m_timeBase, &QComboBox::activated, this, [this](int index) {
    TimeBase base;
    base.setStep(static_cast<std::size_t>(index));
    m_acquisition.setTimeBase(base);
    refresh();
  });
  m_scale->setPopupMode(QToolButton::InstantPopup);
  m_scale->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_scale->setAccessibleName(QStringLiteral("Units per division of the selected trace"));
  m_scale->setToolTip(
      QStringLiteral("Units per division of the selected trace: Ctrl+Up, Ctrl+Down, the wheel left of the screen, or "
                     "with Shift on it. N selects the next trace."));
  auto* scaleMenu = new QMenu(m_scale);
  connect(scaleMenu, &QMenu::aboutToShow, this, [this, scaleMenu] {
    scaleMenu->clear();
    addScaleActions(*scaleMenu, m_selected);
  });
  m_scale->setMenu(scaleMenu);
  auto* add = new QToolButton;
  add->setText(QStringLiteral("Add trace"));
  add->setMenu(m_chooser);
  add->setPopupMode(QToolButton::InstantPopup);
  auto* save = new QToolButton;
  save->setText(QStringLiteral("Save"));
  save->setPopupMode(QToolButton::InstantPopup);
  auto* saveMenu = new QMenu(save);
  saveMenu->addActions({picture, samples});
  save->setMenu(saveMenu);

  bar.addActions({m_runStop, m_single});
  bar.addWidget(buildTriggerButton());
  bar.addSeparator();
  bar.addAction(coarser);
  bar.addWidget(m_timeBase);
  bar.addAction(finer);
  bar.addSeparator();
  bar.addAction(smaller);
  bar.addWidget(m_scale);
  bar.addAction(larger);
  bar.addSeparator();
  bar.addActions({a, b, clear});
  bar.addSeparator();
  bar.addAction(m_fitAll);
  bar.addWidget(add);
  bar.addWidget(buildCompareButton());
  bar.addWidget(buildXyButton());
  bar.addWidget(save);
  bar.addSeparator();
  m_state->setContentsMargins(6, 0, 12, 0);
  bar.addWidget(m_state);
}

void ScopeView::buildTable() {
  m_table->setModel(m_model);
  m_table->setAccessibleName(QStringLiteral("Trace values"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_table->horizontalHeader()->setDefaultSectionSize(fontMetrics().averageCharWidth() * 20);
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->setColumnWidth(TraceTableModel::connection, fontMetrics().averageCharWidth() * 28);
  m_table->setColumnWidth(TraceTableModel::trace, fontMetrics().averageCharWidth() * 44);
  m_table->setColumnWidth(TraceTableModel::perDivision, fontMetrics().averageCharWidth() * 20);
  m_table->setIconSize({28, 12});
  m_table->setWordWrap(false);
  connect(m_table, &QTableView::customContextMenuRequested, this, &ScopeView::showTraceMenu);
  connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& cell) {
    if (cell.column() == TraceTableModel::perDivision) showScaleMenu(cell);
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (current.isValid()) selectRow(static_cast<std::size_t>(current.row()));
  });
}

void ScopeView::selectRow(std::size_t row) {
  if (m_traces.empty()) return;
  const bool isOtherMetric = row % m_traces.size() != m_selected;
  m_selected = row % m_traces.size();
  const std::size_t line = row / m_traces.size();
  m_selectedLine.reset();
  if (line < m_shown.all().size() && !m_shown.all()[line].isSelected) m_selectedLine = m_shown.all()[line].id;
  // Over each other, other lines are drawn now.
  if (isOtherMetric && isOverlaid()) m_readingsAt = Moment();
  refresh();
}

void ScopeView::refreshControls() {
  const bool stopped = m_acquisition.state() == AcquisitionState::stopped;
  m_runStop->setText(stopped ? QStringLiteral("Run") : QStringLiteral("Stop"));
  switch (m_acquisition.state()) {
    case AcquisitionState::running:
      if (m_trigger && !m_isTriggerOver) {
        m_state->setText(shownTrigger() ? QStringLiteral("● triggered") : QStringLiteral("◐ armed"));
        break;
      }
      // A replay may be paused, and a capture is over.
      m_state->setText(m_snapshot && shownFile(*m_snapshot) != nullptr ? QStringLiteral("● at the newest sample")
                                                                       : QStringLiteral("● running"));
      break;
    case AcquisitionState::single:
      m_state->setText(QStringLiteral("◐ single: armed"));
      break;
    case AcquisitionState::stopped:
      m_state->setText(shownTrigger() ? QStringLiteral("■ triggered") : QStringLiteral("■ stopped"));
      break;
  }
  m_timeBase->setCurrentIndex(static_cast<int>(m_acquisition.timeBase().step()));
  m_state->setToolTip(toolTipText(triggerText()));
  m_triggerOff->setEnabled(m_trigger.has_value());
  m_nextTrigger->setEnabled(m_trigger.has_value());
  const bool hasA = m_cursors.at(Cursor::a).has_value();
  const bool hasB = m_cursors.at(Cursor::b).has_value();
  m_table->setColumnHidden(TraceTableModel::atA, !hasA);
  m_table->setColumnHidden(TraceTableModel::atB, !hasB);
  m_table->setColumnHidden(TraceTableModel::difference, !hasA || !hasB);
  m_table->setColumnHidden(TraceTableModel::inSpan, !hasA || !hasB);
  // What lies between the cursors stands in the place of what the screen shows.
  for (const int column :
       {TraceTableModel::now, TraceTableModel::smallest, TraceTableModel::mean, TraceTableModel::largest})
    m_table->setColumnHidden(column, hasA && hasB);
  m_table->setColumnHidden(TraceTableModel::connection, !m_shown.areSeveral());
  m_overlay->setEnabled(m_shown.areSeveral());
  m_keepReference->setEnabled(!m_frameRows.empty() && !m_xy);
  m_showsXy->setChecked(m_xy.has_value());
  m_removeReference->setEnabled(!m_reference.empty());
  m_zoomToCursors->setEnabled(hasA && hasB);
  m_fitAll->setEnabled(m_acquisition.recorded().has_value());
  m_scale->setEnabled(!m_traces.empty());
  if (m_traces.empty()) return;
  const Trace& trace = m_traces.at(m_selected);
  const std::size_t line = selectedRow() / m_traces.size();
  m_scale->setIcon(lineSample(isOverlaid() ? m_shown.all()[line].style : static_cast<int>(trace.style)));
  m_scale->setText(perDivisionText(trace.scale));
}

}  // namespace tcpscope
