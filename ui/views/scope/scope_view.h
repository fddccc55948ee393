// The oscilloscope: any metrics of the selected connection over time, with run, stop, single, cursors and marks.
// Further connections have the same traces, in bands above each other or, one metric at a time, over each other.
//
// Opens with the traces that show what the verdict is about (usual_traces.h), until the user chooses others. Snapshots
// move the picture while it runs; when it is stopped, recording continues in the background.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "ui/plots/acquisition.h"
#include "ui/plots/packet_samples.h"
#include "ui/plots/reference_traces.h"
#include "ui/plots/trace_plot.h"
#include "ui/plots/trace_set.h"
#include "ui/plots/xy_axis.h"
#include "ui/views/scope/shown_connections.h"
#include "ui/views/scope/trace_table_model.h"
#include "ui/views/scope/trigger_choice.h"
#include "ui/views/view.h"

class QAction;
class QComboBox;
class QLabel;
class QMenu;
class QTableView;
class QToolBar;
class QToolButton;
class QStackedWidget;

namespace tcpscope {

class MetricChooser;
class XyPlot;

/// Which metrics the scope draws against each other.
struct XyChoice {
  Metric x = Metric::count;
  Metric y = Metric::count;
  bool operator==(const XyChoice&) const = default;
};

class ScopeView : public View {
  Q_OBJECT
public:
  explicit ScopeView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  /// Removes the reference; a trigger on a filter starts again.
  void forgetSource() override;
  /// A trigger waits.
  [[nodiscard]] bool needsEverySnapshot() const override {
    return m_trigger && !m_isTriggerOver && m_acquisition.state() == AcquisitionState::running;
  }
  void openMetric(Metric metric) override { openTrace(metric); }
  void openTrace(const TraceSource& source);
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  [[nodiscard]] const TraceSet& traces() const { return m_traces; }
  [[nodiscard]] const Acquisition& acquisition() const { return m_acquisition; }
  [[nodiscard]] const CursorPair& cursors() const { return m_cursors; }
  /// The sentence that says what the plot shows.
  [[nodiscard]] QString description() const;
  /// What every trace reads at a moment, a line each, below the time; `marks` are added. Empty where there is nothing.
  [[nodiscard]] QString readoutAt(Moment at, const QString& marks = {}) const;
  /// The connections on the screen.
  [[nodiscard]] const ShownConnections& shownConnections() const { return m_shown; }
  /// Further connections and the reference, in the toolbar and the menu of the plot.
  void fillCompareMenu(QMenu& menu);
  /// Draws one metric against another in place of both over time; nothing: over time.
  void setXy(const std::optional<XyChoice>& choice);
  [[nodiscard]] const std::optional<XyChoice>& xy() const { return m_xy; }
  /// Pairs of metrics to draw against each other.
  void fillXyMenu(QMenu& menu);
  /// What is kept as the reference, and how often further connections are sampled; empty without either.
  [[nodiscard]] QString comparison() const;
  /// The menu of the plot, over this moment.
  void fillPlotMenu(QMenu& menu, Moment at);
  /// Waits for it from now on, or for none.
  void armTrigger(const std::optional<TriggerChoice>& choice);
  /// What is waited for, and when it was met; empty without a trigger.
  [[nodiscard]] QString triggerText() const;
  /// What the connection's path has shown before; empty where it takes none of this host's.
  [[nodiscard]] QString usual() const;
  /// The connections and the time on the screen, a line each: above a picture in a file.
  [[nodiscard]] QString pictureTitle() const;
  /// Every sample of the screen as CSV; of several connections each line names its own.
  [[nodiscard]] std::string samplesText(TimeSpan screen) const;
  /// How far the traces of packets and of samples are apart in time, or why the former are unknown; empty without such
  /// traces.
  [[nodiscard]] QString packetClock() const;

signals:
  /// A trigger is armed, in place of the one before; without actions where none is.
  void triggerArmed(const tcpscope::TriggerActions& actions);
  /// It fired on live data and has its place on the screen; `what` is a text for people.
  void triggerFired(const QString& what, tcpscope::ConnectionId connection, const tcpscope::TriggerActions& actions);

private:
  void buildActions(QToolBar& bar);
  void buildTable();
  QToolButton* buildTriggerButton();
  QToolButton* buildCompareButton();
  QToolButton* buildXyButton();
  void showXy(const ConnectionDetail* detail);
  void keepReference();
  void removeReference();
  /// The connections on the screen lie over each other, with one metric at a time.
  [[nodiscard]] bool isOverlaid() const;
  /// Of the table: all traces of a connection, then those of the next.
  [[nodiscard]] std::size_t rowOf(std::size_t connection, std::size_t trace) const {
    return connection * m_traces.size() + trace;
  }
  [[nodiscard]] std::size_t selectedRow() const;
  void selectRow(std::size_t row);
  /// Of a connection on the screen, which has been drawn.
  [[nodiscard]] QString lineName(const ShownConnection& connection, const TraceSource& source) const;
  [[nodiscard]] std::optional<double> readAt(const ShownConnection& connection, const TraceSource& source,
                                             Moment at) const;
  [[nodiscard]] QString readingText(const ShownConnection& connection, const TraceSource& source, Moment at) const;
  void chooseTrigger();
  void searchTriggers();
  /// From the session, where it waits on every connection.
  void requestTrigger();
  /// Those of the filter that the session found, on any connection.
  void takeTriggered();
  void selectTriggered(const TriggeredConnection& triggered);
  void showNextTriggered();
  [[nodiscard]] bool isWaitedFor(const ShownConnection& connection) const;
  void forgetTriggers();
  [[nodiscard]] QString firedText(Moment at) const;
  [[nodiscard]] QString firedName(ConnectionId connection) const;
  /// The connection on which it fired then.
  [[nodiscard]] std::optional<ConnectionId> firedOn(Moment at) const;
  void showNextTrigger();
  /// The one that is marked on the screen.
  [[nodiscard]] std::optional<Moment> shownTrigger() const;
  void openUsualTraces(const std::vector<Metric>& metrics);
  /// Until the user chooses traces: those that show what the verdict is about, and these stay for the connection.
  void followVerdict(const ConnectionDetail& detail);
  void changeTimeBase(int steps);
  void placeCursor(Cursor cursor);
  void placeCursorAt(Cursor cursor, Moment at);
  void buildFitActions();
  /// All that is recorded, with automatic scales.
  void fitAll();
  void zoomToCursors();
  void autoscaleAll();
  /// Where the cursors are, and what the selected trace reads there; empty without any.
  [[nodiscard]] QString cursorText() const;
  /// Samples are missing there.
  [[nodiscard]] bool isBetweenSamples(const ShownConnection& connection, Moment at) const;
  void moveCursor(int pixels);
  void cursorsChanged();
  void takeSpan(const std::optional<TimeSpan>& span);
  void showTraceMenu(const QPoint& position);
  void showScaleMenu(const QModelIndex& cell);
  /// Automatic, and some steps around the one in use.
  void addScaleActions(QMenu& menu, std::size_t trace);
  /// Units per division of the selected trace, in steps; positive draws it larger.
  void turnScale(int steps);
  void fitScale();
  void rescaled();
  void exportPicture();
  void exportSamples();
  /// Draws what the state says, from the newest snapshot.
  void refresh();
  void refreshControls();
  void refreshReadings(TimeSpan screen);
  [[nodiscard]] TraceFrame makeFrame(const ConnectionDetail* detail);
  void addTimeAxis(TraceFrame& frame, TimeSpan screen);
  /// Samples of what is drawn, over time or against each other.
  void updateRecords();
  void addTraces(TraceFrame& frame, TimeSpan screen);
  void addReferences(TraceFrame& frame, TimeSpan screen);
  /// All of one unit alike, and each of all connections.
  void scaleTraces(TraceFrame& frame);
  void addMarks(TraceFrame& frame, const ConnectionDetail& detail, TimeSpan screen) const;

  SnapshotPointer m_snapshot;
  std::optional<ConnectionId> m_connection;
  Acquisition m_acquisition;
  TraceSet m_traces;
  bool m_hasOwnTraces = false;
  /// The traces of this connection are those of its verdict.
  bool m_hasVerdictTraces = false;
  CursorPair m_cursors;
  std::optional<TriggerChoice> m_trigger;
  /// A trigger that stops the screen has fired, or the user has stopped it: selecting another connection does not make
  /// it wait again.
  bool m_isTriggerOver = false;
  /// Of the triggers that the session found: the newest that was taken, and the one that was shown last.
  std::uint64_t m_triggeredUntil = 0;
  std::uint64_t m_shownTriggered = 0;
  /// Of each connection that is waited for.
  std::map<ConnectionId, TriggerSearch> m_searches;
  /// Where it fired: the one that the screen shows, and the next, whose screen is not complete.
  std::vector<std::pair<Moment, ConnectionId>> m_fired;
  /// Chosen by hand, of what is recorded.
  std::optional<Moment> m_shownTrigger;
  std::optional<ConnectionId> m_shownTriggerOn;
  Cursor m_activeCursor = Cursor::a;
  /// Among the traces, and the connection whose line it is; without one that of the selected.
  std::size_t m_selected = 0;
  std::optional<ConnectionId> m_selectedLine;
  ShownConnections m_shown;
  /// Of the metrics on the screen.
  std::map<ConnectionId, TraceRecord> m_records;
  /// Of each trace of the frame: its row in the table.
  std::vector<std::size_t> m_frameRows;
  ReferenceTraces m_reference;
  /// Local wall-clock time of its left edge.
  QString m_referenceFrom;
  std::optional<XyChoice> m_xy;
  /// The one that the key switches back to.
  XyChoice m_lastXy{Metric::rtt, Metric::congestionWindowBytes};
  XyAxis m_xAxis{MetricUnit::none};
  XyAxis m_yAxis{MetricUnit::none};
  /// Zero of the time axis while stopped.
  std::optional<Moment> m_timeZero;
  Moment m_readingsAt;
  /// The time base fits the capture that is shown.
  bool m_fitted = false;

  TracePlot* m_plot;
  XyPlot* m_xyPlot;
  QStackedWidget* m_screens;
  TraceTableModel* m_model;
  QTableView* m_table;
  QComboBox* m_timeBase;
  QToolButton* m_scale;
  QLabel* m_state;
  /// Below the plot, where no toolbar runs out of room.
  QLabel* m_notes;
  QAction* m_fitAll = nullptr;
  QAction* m_zoomToCursors = nullptr;
  QAction* m_autoscale = nullptr;
  QAction* m_wallClock = nullptr;
  QAction* m_overlay = nullptr;
  QAction* m_showsXy = nullptr;
  QAction* m_keepReference = nullptr;
  QAction* m_removeReference = nullptr;
  QAction* m_runStop = nullptr;
  QAction* m_single = nullptr;
  QAction* m_triggerOff = nullptr;
  QAction* m_nextTrigger = nullptr;
  MetricChooser* m_chooser;
};

}  // namespace tcpscope
