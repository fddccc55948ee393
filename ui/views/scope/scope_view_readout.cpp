// What the scope reads under the pointer and at the cursors, and how it fits the screen to what is recorded.
#include <QAction>
#include <QMenu>
#include <algorithm>

#include "core/present/text/quantity_text.h"
#include "ui/plots/packet_lines.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/scope_view.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostReadLines = 16;

}  // namespace

void ScopeView::buildFitActions() {
  m_fitAll = addViewAction(*this, QStringLiteral("Fit all"), {Qt::Key_0, Qt::Key_Home}, [this] { fitAll(); });
  m_fitAll->setIconText(QStringLiteral("Fit"));
  m_fitAll->setToolTip(QStringLiteral("Show all that is recorded, with automatic scales (0)"));
  m_zoomToCursors = addViewAction(*this, QStringLiteral("Zoom to cursors"), {Qt::Key_Z}, [this] { zoomToCursors(); });
  m_autoscale = addViewAction(*this, QStringLiteral("Autoscale"), {Qt::Key_F}, [this] { autoscaleAll(); });
  m_autoscale->setToolTip(QStringLiteral("Automatic scales for all traces (F)"));
  m_wallClock = addViewAction(*this, QStringLiteral("Wall-clock time axis"), {Qt::Key_W}, [this] { refresh(); });
  m_wallClock->setCheckable(true);
}

void ScopeView::fitAll() {
  const auto& recorded = m_acquisition.recorded();
  if (!recorded) return;
  m_acquisition.setTimeBase(TimeBase::holding(recorded->to - recorded->from));
  if (m_acquisition.state() == AcquisitionState::stopped)
    m_acquisition.showAround(recorded->from + (recorded->to - recorded->from) / 2);
  autoscaleAll();
}

void ScopeView::zoomToCursors() {
  const auto span = m_cursors.span();
  if (!span) return;
  m_acquisition.setTimeBase(TimeBase::holding(span->to - span->from));
  m_acquisition.showAround(span->from + (span->to - span->from) / 2);
  rescaled();
}

void ScopeView::autoscaleAll() {
  for (std::size_t trace = 0; trace < m_traces.size(); ++trace) m_traces.at(trace).scale.setAutomatic();
  rescaled();
}

void ScopeView::placeCursorAt(Cursor cursor, Moment at) {
  m_activeCursor = cursor;
  m_cursors.place(cursor, at);
  // A measurement needs a picture that stands still.
  m_acquisition.stop();
  cursorsChanged();
}

void ScopeView::fillPlotMenu(QMenu& menu, Moment at) {
  menu.addAction(QStringLiteral("Cursor A here"), this, [this, at] { placeCursorAt(Cursor::a, at); });
  menu.addAction(QStringLiteral("Cursor B here"), this, [this, at] { placeCursorAt(Cursor::b, at); });
  menu.addSeparator();
  menu.addActions({m_fitAll, m_zoomToCursors, m_autoscale});
  menu.addSeparator();
  fillCompareMenu(*menu.addMenu(QStringLiteral("Compare")));
  menu.addSeparator();
  menu.addActions({m_runStop, m_wallClock});
}

bool ScopeView::isBetweenSamples(const ShownConnection& connection, Moment at) const {
  const auto record = m_records.find(connection.id);
  if (record == m_records.end()) return false;
  const std::size_t next = record->second.firstAt(at);
  const std::vector<Moment>& times = record->second.times();
  if (next >= times.size()) return false;
  const std::vector<Moment> holes = holesOf(connection.detail->events, {at, times[next]});
  return std::any_of(holes.begin(), holes.end(), [&](Moment hole) { return hole > at && hole <= times[next]; });
}

std::optional<double> ScopeView::readAt(const ShownConnection& connection, const TraceSource& source, Moment at) const {
  if (const auto metric = source.metric()) {
    if (isBetweenSamples(connection, at)) return std::nullopt;
    return connection.detail->history.valueAt(*metric, at);
  }
  const std::optional<PacketSamples> packets = packetSamplesOf(*connection.detail);
  const auto screen = m_acquisition.screen();
  if (!packets || !screen) return std::nullopt;
  return packets->valueAt(*source.packets(), at, rateSpan(*screen));
}

QString ScopeView::readingText(const ShownConnection& connection, const TraceSource& source, Moment at) const {
  const auto value = readAt(connection, source, at);
  QString unknown = source.metric() ? QStringLiteral("not reported") : QStringLiteral("not captured");
  if (source.metric() && isBetweenSamples(connection, at)) unknown = QStringLiteral("not sampled");
  QString text = value ? source.textOf(*value) : unknown;
  const auto screen = m_acquisition.screen();
  for (const ReferenceTrace& kept : m_reference.traces()) {
    if (!screen || kept.connection != connection.id || kept.source != source) continue;
    if (const auto before = m_reference.valueAt(kept, at - screen->from))
      text += QStringLiteral(" (reference: %1)").arg(source.textOf(*before));
  }
  return text;
}

QString ScopeView::readoutAt(Moment at, const QString& marks) const {
  if (!m_shown.selected()) return marks;
  QStringList lines;
  lines << wallText(m_snapshot->clock, at, WallPrecision::milliseconds);
  // What a tip has room for: of many lines those of one metric.
  const bool isOneMetric = isOverlaid() || m_shown.all().size() * m_traces.size() > kMostReadLines;
  for (const ShownConnection& connection : m_shown.all()) {
    for (std::size_t number = 0; number < m_traces.size(); ++number) {
      if (isOneMetric && number != m_selected) continue;
      const TraceSource& source = m_traces.at(number).source;
      lines << QStringLiteral("%1: %2").arg(lineName(connection, source), readingText(connection, source, at));
    }
  }
  if (!marks.isEmpty()) lines << marks;
  return lines.join(QLatin1Char('\n'));
}

QString ScopeView::packetClock() const {
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  const auto& traces = m_traces.traces();
  const bool hasPackets =
      std::any_of(traces.begin(), traces.end(), [](const Trace& trace) { return trace.source.packets().has_value(); });
  return detail != nullptr && hasPackets ? describePacketClock(*m_snapshot, *detail) : QString();
}

QString ScopeView::cursorText() const {
  const auto a = m_cursors.at(Cursor::a);
  const auto b = m_cursors.at(Cursor::b);
  if ((!a && !b) || !m_snapshot) return {};
  const bool isOne = !a || !b;
  QString text = isOne
                     ? QStringLiteral("%1 at %2")
                           .arg(a ? QStringLiteral("A") : QStringLiteral("B"),
                                wallText(m_snapshot->clock, a ? *a : *b, WallPrecision::milliseconds).section(u' ', 1))
                     : describeCursors(m_cursors);
  if (m_traces.empty() || !m_shown.selected()) return text;
  const ShownConnection& connection = m_shown.all()[selectedRow() / m_traces.size()];
  const TraceSource& source = m_traces.at(m_selected).source;
  QStringList readings;
  for (const auto& [cursor, name] : {std::pair(a, QChar(u'A')), std::pair(b, QChar(u'B'))}) {
    if (cursor) readings << QStringLiteral("%1 at %2").arg(readingText(connection, source, *cursor)).arg(name);
  }
  return QStringLiteral("%1. %2: %3").arg(text, lineName(connection, source), readings.join(QStringLiteral(", ")));
}

}  // namespace tcpscope
