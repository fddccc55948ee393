// What the scope shows of its state: the frame of the plot, and the readings of the table.
#include <QAction>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "ui/plots/packet_lines.h"
#include "ui/text/wall_text.h"
#include "ui/views/scope/scope_text.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {

namespace {

/// The table is read, not watched: five times a second is what eyes follow.
constexpr Milliseconds kReadingsEvery{200};

TraceSamples samplesOf(TraceRecord& record, const PacketSamples* packets, const TraceSource& source, TimeSpan screen,
                       std::size_t columns, std::span<const Moment> holes) {
  if (const auto metric = source.metric()) return sampleTrace(record, *metric, screen, columns, holes);
  return packets == nullptr ? TraceSamples() : packets->onScreen(*source.packets(), screen, columns);
}

}  // namespace

bool ScopeView::isOverlaid() const {
  return m_shown.areSeveral() && m_overlay->isChecked();
}

std::size_t ScopeView::selectedRow() const {
  const auto line = m_selectedLine ? m_shown.indexOf(*m_selectedLine) : m_shown.selected();
  return rowOf(line.value_or(0), m_selected);
}

QString ScopeView::lineName(const ShownConnection& connection, const TraceSource& source) const {
  return m_shown.areSeveral() ? QStringLiteral("%1: %2").arg(connection.name, source.title()) : source.title();
}

TraceFrame ScopeView::makeFrame(const ConnectionDetail* detail) {
  TraceFrame frame;
  frame.perDivision = m_acquisition.timeBase().perDivision();
  frame.cursors = m_cursors;
  frame.trigger = shownTrigger();
  m_frameRows.clear();
  const auto screen = m_acquisition.screen();
  if (detail == nullptr || !screen) {
    frame.screen = {Moment() - m_acquisition.timeBase().span(), Moment()};
    frame.message =
        m_snapshot ? whyNoDetail(m_snapshot, context().selection) : QStringLiteral("Waiting for the first samples");
    if (frame.message.isEmpty()) frame.message = QStringLiteral("Waiting for the first samples of this connection");
    return frame;
  }
  frame.screen = *screen;
  addTimeAxis(frame, *screen);
  addTraces(frame, *screen);
  addReferences(frame, *screen);
  scaleTraces(frame);
  addMarks(frame, *detail, *screen);
  if (m_traces.empty()) frame.message = QStringLiteral("No traces: “Add trace” puts any metric on the screen");
  return frame;
}

void ScopeView::addTimeAxis(TraceFrame& frame, TimeSpan screen) {
  const bool stopped = m_acquisition.state() == AcquisitionState::stopped;
  if (!stopped) m_timeZero.reset();
  if (stopped && !m_timeZero) m_timeZero = screen.to;
  frame.reference = m_timeZero.value_or(screen.to);
  frame.referenceText =
      QStringLiteral("0 is %1").arg(wallText(m_snapshot->clock, frame.reference, WallPrecision::milliseconds));
  if (!m_wallClock->isChecked()) return;
  frame.wallClock = m_snapshot->clock;
  frame.referenceText =
      QStringLiteral("local time, %1").arg(wallText(m_snapshot->clock, screen.to).section(u' ', 0, 0));
}

void ScopeView::updateRecords() {
  std::erase_if(m_records, [this](const auto& kept) { return !m_shown.indexOf(kept.first); });
  std::vector<Metric> metrics = m_traces.metrics();
  if (m_xy) metrics.insert(metrics.end(), {m_xy->x, m_xy->y});
  for (const ShownConnection& connection : m_shown.all()) {
    const ConnectionHistory& history = connection.detail->history;
    if (!history.empty()) m_records[connection.id].update(connection.id, history, metrics);
  }
}

void ScopeView::addTraces(TraceFrame& frame, TimeSpan screen) {
  const bool isStacked = m_shown.areSeveral() && !isOverlaid();
  if (isOverlaid() && !m_traces.empty()) frame.bands.push_back(m_traces.at(m_selected).source.title());
  for (std::size_t index = 0; index < m_shown.all().size(); ++index) {
    const ShownConnection& connection = m_shown.all()[index];
    const ConnectionDetail& detail = *connection.detail;
    if (isStacked) frame.bands.push_back(connection.name);
    if (detail.history.empty()) continue;
    TraceRecord& record = m_records[connection.id];
    const std::optional<PacketSamples> packets = packetSamplesOf(detail);
    const std::vector<Moment> holes = holesOf(detail.events, screen);
    for (std::size_t number = 0; number < m_traces.size(); ++number) {
      if (isOverlaid() && number != m_selected) continue;
      const Trace& trace = m_traces.at(number);
      if (rowOf(index, number) == selectedRow()) frame.selected = frame.traces.size();
      m_frameRows.push_back(rowOf(index, number));
      FrameTrace& shown = frame.traces.emplace_back();
      shown.label = isOverlaid() ? connection.name : trace.source.title();
      shown.unit = trace.source.unit();
      shown.style = isOverlaid() ? connection.style : static_cast<int>(trace.style);
      shown.band = isStacked ? index : 0;
      shown.samples = samplesOf(record, packets ? &*packets : nullptr, trace.source, screen, m_plot->columns(), holes);
    }
  }
}

void ScopeView::addReferences(TraceFrame& frame, TimeSpan screen) {
  for (const ReferenceTrace& kept : m_reference.traces()) {
    const auto trace = m_traces.indexOf(kept.source);
    if (!trace || (isOverlaid() && *trace != m_selected)) continue;
    FrameTrace& shown = frame.references.emplace_back();
    shown.label = kept.name;
    shown.unit = kept.source.unit();
    shown.style = kept.style;
    shown.samples = m_reference.movedTo(kept, screen.from);
    // Of a connection that is not on the screen: behind the selected one, as what was before.
    const auto band = m_shown.indexOf(kept.connection);
    shown.band = frame.bands.size() < 2 ? 0 : band.value_or(m_shown.selected().value_or(0));
  }
}

void ScopeView::scaleTraces(TraceFrame& frame) {
  const auto adapt = [this](std::size_t trace, const TraceSamples& samples, double& smallest, double& largest) {
    if (trace >= m_traces.size()) return;
    smallest = std::fmin(smallest, samples.smallest);
    largest = std::fmax(largest, samples.largest);
  };
  std::vector<std::size_t> referenceTraces;
  for (const ReferenceTrace& kept : m_reference.traces()) {
    const auto trace = m_traces.indexOf(kept.source);
    if (trace && !(isOverlaid() && *trace != m_selected)) referenceTraces.push_back(*trace);
  }
  for (std::size_t number = 0; number < m_traces.size(); ++number) {
    double smallest = std::nan("");
    double largest = std::nan("");
    for (std::size_t index = 0; index < frame.traces.size(); ++index) {
      if (m_frameRows[index] % m_traces.size() == number) adapt(number, frame.traces[index].samples, smallest, largest);
    }
    for (std::size_t index = 0; index < frame.references.size(); ++index) {
      if (referenceTraces[index] == number) adapt(number, frame.references[index].samples, smallest, largest);
    }
    m_traces.at(number).scale.adapt(smallest, largest);
  }
  m_traces.shareScalesByUnit();
  const auto* level = m_trigger ? std::get_if<LevelTrigger>(&m_trigger->condition) : nullptr;
  for (std::size_t index = 0; index < frame.traces.size(); ++index) {
    const Trace& trace = m_traces.at(m_frameRows[index] % m_traces.size());
    const ShownConnection& connection = m_shown.all()[m_frameRows[index] / m_traces.size()];
    frame.traces[index].scale = trace.scale;
    if (level != nullptr && (connection.isSelected || m_trigger->isOfAllShown) && trace.source == level->metric)
      frame.traces[index].triggerLevel = level->level;
  }
  for (std::size_t index = 0; index < frame.references.size(); ++index)
    frame.references[index].scale = m_traces.at(referenceTraces[index]).scale;
}

void ScopeView::addMarks(TraceFrame& frame, const ConnectionDetail& detail, TimeSpan screen) const {
  const Nanoseconds markWidth =
      (screen.to - screen.from) / static_cast<std::int64_t>(m_plot->columns()) * (2 * kMarkRadius + 1);
  frame.marks = gatherMarks(detail.events, screen, markWidth);
  frame.changes = detail.changeMarks;
  std::copy_if(detail.lossReports.begin(), detail.lossReports.end(), std::back_inserter(frame.losses),
               [&screen](const ReportedLoss& loss) { return loss.time >= screen.from && loss.time <= screen.to; });
}

void ScopeView::refreshReadings(TimeSpan screen) {
  const bool standing = m_acquisition.state() == AcquisitionState::stopped;
  const std::size_t rows = m_shown.all().size() * m_traces.size();
  if (!standing && m_readingsAt <= screen.to && screen.to - m_readingsAt < kReadingsEvery &&
      m_model->rowCount() == static_cast<int>(rows)) {
    return;
  }
  m_readingsAt = screen.to;
  std::vector<TraceReading> readings;
  for (const ShownConnection& connection : m_shown.all()) {
    const ConnectionDetail& detail = *connection.detail;
    const std::optional<PacketSamples> packets = packetSamplesOf(detail);
    for (std::size_t number = 0; number < m_traces.size(); ++number) {
      const Trace& trace = m_traces.at(number);
      TraceReading& reading = readings.emplace_back();
      reading.source = trace.source;
      if (m_shown.areSeveral()) reading.connection = connection.name;
      reading.style = static_cast<int>(trace.style);
      if (isOverlaid()) reading.style = number == m_selected ? connection.style : TraceReading::kNotDrawn;
      reading.unitsPerDivision = trace.scale.unitsPerDivision();
      reading.automaticScale = trace.scale.isAutomatic();
      if (const auto metric = trace.source.metric()) {
        reading.onScreen = summarize(detail.history, *metric, screen.from, screen.to);
        reading.cursors = readCursors(detail.history, *metric, m_cursors);
      } else if (packets) {
        reading.onScreen = packets->summarize(*trace.source.packets(), screen);
        reading.cursors = packets->read(*trace.source.packets(), m_cursors, rateSpan(screen));
      }
    }
  }
  m_model->setReadings(std::move(readings));
  if (!m_table->currentIndex().isValid() && rows > 0) m_table->selectRow(static_cast<int>(selectedRow()));
}

}  // namespace tcpscope
