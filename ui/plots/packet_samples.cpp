#include "ui/plots/packet_samples.h"

#include <algorithm>
#include <cmath>

#include "ui/plots/packet_lines.h"
#include "ui/plots/packet_screen.h"
#include "ui/plots/series_walk.h"

namespace tcpscope {

namespace {

/// A value that so many packets in a row do not give is not searched for further back.
constexpr std::size_t kSearchedBack = 4096;
/// Averages over a span, at most.
constexpr std::int64_t kMostAverages = 160;
constexpr Nanoseconds kShortestAverage = std::chrono::milliseconds(1);

bool isRate(PacketTrace trace) {
  return packetTraceRow(trace).unit == MetricUnit::bitsPerSecond;
}

std::optional<double> numberOf(const DirectionSeries& series, const SegmentPoint& point) {
  if (point.kind != SegmentKind::newData) return std::nullopt;
  return relativeTo(series, point.end());
}

std::optional<double> flightOf(std::uint32_t bytes) {
  return bytes == kUnknownFlight ? std::nullopt : std::optional<double>(bytes);
}

std::optional<double> ofSegment(const DirectionSeries& series, PacketTrace trace, const SegmentPoint& point) {
  if (trace == PacketTrace::inFlight) return flightOf(point.inFlightBytes);
  return numberOf(series, point);
}

std::optional<double> ofAcknowledgment(const DirectionSeries& series, PacketTrace trace,
                                       const AcknowledgmentPoint& point) {
  switch (trace) {
    case PacketTrace::acknowledged:
      return relativeTo(series, point.number);
    case PacketTrace::inFlight:
      return flightOf(point.inFlightBytes);
    case PacketTrace::rtt:
      return std::isnan(point.rttUs) ? std::nullopt : std::optional<double>(point.rttUs);
    default:
      if (!point.hasWindow || !series.windowScale()) return std::nullopt;
      return static_cast<double>(series.windowBytes(point.window));
  }
}

bool isOfSegments(PacketTrace trace) {
  return trace == PacketTrace::sequence || trace == PacketTrace::receivedSequence || trace == PacketTrace::inFlight;
}

bool isOfAcknowledgments(PacketTrace trace) {
  return trace == PacketTrace::acknowledged || trace == PacketTrace::inFlight || trace == PacketTrace::rtt ||
         trace == PacketTrace::peerWindow || trace == PacketTrace::ownWindow;
}

struct TimedValue {
  Moment time;
  double value;
};

/// The newest value of points at or before a moment.
template <class Point, class ValueOf>
std::optional<TimedValue> newestValue(const ChunkedSeries<Point>& points, Moment at, ValueOf valueOf) {
  const std::size_t end = firstFrom(points, at + Nanoseconds(1));
  const std::size_t least = end - std::min(end, kSearchedBack);
  for (std::size_t index = end; index > least; --index) {
    if (const auto value = valueOf(points[index - 1])) return TimedValue{points[index - 1].time, *value};
  }
  return std::nullopt;
}

/// The graph of packets that has the line already.
std::optional<std::pair<PacketGraph, GraphItem>> lineOf(PacketTrace trace) {
  switch (trace) {
    case PacketTrace::acknowledged:
      return std::pair(PacketGraph::sequence, GraphItem::acknowledgment);
    case PacketTrace::inFlight:
      return std::pair(PacketGraph::inFlight, GraphItem::inFlight);
    case PacketTrace::peerWindow:
    case PacketTrace::ownWindow:
      return std::pair(PacketGraph::window, GraphItem::window);
    case PacketTrace::throughput:
      return std::pair(PacketGraph::rates, GraphItem::throughput);
    case PacketTrace::goodput:
    case PacketTrace::receiveGoodput:
      return std::pair(PacketGraph::rates, GraphItem::goodput);
    case PacketTrace::sequence:
    case PacketTrace::receivedSequence:
    case PacketTrace::rtt:
      break;
  }
  return std::nullopt;
}

void gatherSequence(const DirectionSeries& series, TimeSpan screen, Nanoseconds column, StepColumns& columns) {
  const Indices shown = onScreen(series.segments(), screen);
  if (const auto before = newestValue(series.segments(), screen.from - Nanoseconds(1),
                                      [&](const SegmentPoint& point) { return numberOf(series, point); })) {
    columns.add(before->time, before->value);
  }
  walkSeries(
      series.segments(), series.segmentBlocks(), shown.from, shown.to, column,
      [&](const SegmentBlock& block, const SegmentPoint& first, const SegmentPoint& last) {
        if (block.stream.isEmpty()) return;
        const double largest = relativeTo(series, block.stream.largest);
        columns.addBlock(first.time, last.time, relativeTo(series, block.stream.smallest), largest, largest);
      },
      [&](const SegmentPoint& point) {
        if (const auto number = numberOf(series, point)) columns.add(point.time, *number);
      });
}

void gatherRtt(const DirectionSeries& series, TimeSpan screen, Nanoseconds column, StepColumns& columns) {
  const Indices shown = onScreen(series.acknowledgments(), screen);
  walkSeries(
      series.acknowledgments(), series.acknowledgmentBlocks(), shown.from, shown.to, column,
      [&](const AcknowledgmentBlock& block, const AcknowledgmentPoint& first, const AcknowledgmentPoint& last) {
        if (block.rttsUs.isEmpty()) return;
        columns.addBlock(first.time, last.time, double{block.rttsUs.smallest}, double{block.rttsUs.largest},
                         double{block.rttsUs.largest});
      },
      [&](const AcknowledgmentPoint& point) {
        if (!std::isnan(point.rttUs)) columns.add(point.time, double{point.rttUs});
      });
}

/// `holds`: a value stands until the next one, and does not slope towards it.
TraceSamples samplesOf(const StepColumns& columns, Moment from, Nanoseconds width, bool holds) {
  TraceSamples samples;
  samples.decimated = true;
  if (const double before = columns.before(); !std::isnan(before)) {
    samples.points.push_back({from - Nanoseconds(1), before, before, before});
  }
  for (std::size_t index = 0; index < columns.columns().size(); ++index) {
    const StepColumn& column = columns.columns()[index];
    if (std::isnan(column.smallest)) continue;
    const Moment at = from + width * static_cast<std::int64_t>(index);
    if (holds && !samples.points.empty() && at - samples.points.back().time > width) {
      const double held = samples.points.back().last;
      samples.points.push_back({at - width, held, held, held});
    }
    samples.points.push_back({at, column.smallest, column.largest, column.last});
    samples.smallest = std::fmin(samples.smallest, column.smallest);
    samples.largest = std::fmax(samples.largest, column.largest);
  }
  return samples;
}

/// Values as they come, in order of time or not.
class Summary {
public:
  void add(Moment time, double value) {
    m_sum += value;
    m_summary.smallest = m_summary.count == 0 ? value : std::min(m_summary.smallest, value);
    m_summary.largest = m_summary.count == 0 ? value : std::max(m_summary.largest, value);
    if (m_summary.count == 0 || time >= m_lastTime) m_summary.last = value;
    m_lastTime = m_summary.count == 0 ? time : std::max(m_lastTime, time);
    ++m_summary.count;
  }
  [[nodiscard]] std::optional<SpanSummary> finish() {
    if (m_summary.count == 0) return std::nullopt;
    m_summary.mean = m_sum / static_cast<double>(m_summary.count);
    return m_summary;
  }

private:
  SpanSummary m_summary;
  Moment m_lastTime;
  double m_sum = 0.0;
};

}  // namespace

PacketSamples::PacketSamples(const CapturedPackets& packets, const Endpoint& local) : m_packets(packets) {
  const Endpoint& initiator = packets.analysis.flow.initiator;
  m_sent = initiator.port == local.port && initiator.address == local.address.unmapped() ? 0 : 1;
}

const DirectionSeries& PacketSamples::series(PacketTrace trace) const {
  const bool isReceived =
      trace == PacketTrace::receivedSequence || trace == PacketTrace::receiveGoodput || trace == PacketTrace::ownWindow;
  return m_packets.sent(isReceived ? 1 - m_sent : m_sent);
}

TraceSamples PacketSamples::onScreen(PacketTrace trace, TimeSpan screen, std::size_t columns) const {
  const DirectionSeries& from = series(trace);
  const auto wanted = static_cast<std::int64_t>(std::max<std::size_t>(columns, 1));
  const Nanoseconds width = std::max((screen.to - screen.from) / wanted, Nanoseconds(1));
  const std::int64_t first = screen.from.nanoseconds() / width.count();
  const std::int64_t count = screen.to.nanoseconds() / width.count() + 1 - first;
  const Moment start = Moment::fromNanoseconds(first * width.count());
  const TimeSpan grid{start, start + width * count};
  if (const auto line = lineOf(trace)) {
    const PacketLines lines(from, {}, line->first, grid, static_cast<int>(count));
    const auto found = std::find_if(lines.lines().begin(), lines.lines().end(),
                                    [&line](const SceneLine& one) { return one.item == line->second; });
    if (found == lines.lines().end()) return {};
    TraceSamples samples = samplesOf(found->columns, start, width, true);
    if (const auto averaged = lines.averagedOver()) leaveOutUnknownRates(samples, *averaged);
    return samples;
  }
  StepColumns gathered(static_cast<int>(count), grid);
  if (trace == PacketTrace::rtt) {
    gatherRtt(from, grid, width, gathered);
  } else {
    gatherSequence(from, grid, width, gathered);
  }
  return samplesOf(gathered, start, width, trace != PacketTrace::rtt);
}

bool PacketSamples::isCaptured(TimeSpan span) const {
  return span.from >= m_packets.series.firstTime() && span.to <= m_packets.series.lastTime();
}

void PacketSamples::leaveOutUnknownRates(TraceSamples& samples, Nanoseconds averaged) const {
  std::erase_if(samples.points, [&](const TraceSamples::Point& point) {
    return !isCaptured({point.time, point.time + averaged});
  });
}

std::optional<double> PacketSamples::rateAt(PacketTrace trace, Moment at, Nanoseconds averaged) const {
  if (averaged <= Nanoseconds::zero()) return std::nullopt;
  // The bins of PacketLines, which begin with the first segment.
  const auto& segments = series(trace).segments();
  const Moment origin = segments.empty() ? m_packets.series.firstTime() : segments[0].time;
  Moment begin = origin + (at - origin) / averaged * averaged;
  if (begin > at) begin = begin - averaged;
  return rateIn(trace, {begin, begin + averaged});
}

std::optional<double> PacketSamples::rateIn(PacketTrace trace, TimeSpan span) const {
  const DirectionSeries& from = series(trace);
  if (m_packets.series.isEmpty() || span.to <= span.from || !isCaptured(span)) return std::nullopt;
  const StreamBytes before = from.bytesBefore(firstFrom(from.segments(), span.from));
  const StreamBytes until = from.bytesBefore(firstFrom(from.segments(), span.to));
  const std::uint64_t bytes =
      trace == PacketTrace::throughput ? until.payload - before.payload : until.unique - before.unique;
  return 8.0 * static_cast<double>(bytes) / toSeconds(span.to - span.from);
}

std::optional<double> PacketSamples::valueAt(PacketTrace trace, Moment at, Nanoseconds averaged) const {
  if (m_packets.series.isEmpty()) return std::nullopt;
  if (at < m_packets.series.firstTime() || at > m_packets.series.lastTime()) return std::nullopt;
  if (isRate(trace)) return rateAt(trace, at, averaged);
  const DirectionSeries& from = series(trace);
  std::optional<TimedValue> newest;
  if (isOfSegments(trace)) {
    newest = newestValue(from.segments(), at, [&](const SegmentPoint& point) { return ofSegment(from, trace, point); });
  }
  if (isOfAcknowledgments(trace)) {
    const auto other = newestValue(from.acknowledgments(), at, [&](const AcknowledgmentPoint& point) {
      return ofAcknowledgment(from, trace, point);
    });
    if (other && (!newest || other->time >= newest->time)) newest = other;
  }
  return newest ? std::optional(newest->value) : std::nullopt;
}

std::optional<SpanSummary> PacketSamples::summarizeRate(PacketTrace trace, TimeSpan span) const {
  if (m_packets.series.isEmpty()) return std::nullopt;
  const Moment from = std::max(span.from, m_packets.series.firstTime());
  const Moment to = std::min(span.to, m_packets.series.lastTime());
  if (to - from < kShortestAverage) return std::nullopt;
  const std::int64_t averages = std::min<std::int64_t>(kMostAverages, (to - from) / kShortestAverage);
  const Nanoseconds step = (to - from) / averages;
  Summary summary;
  for (std::int64_t number = 0; number < averages; ++number) {
    const Moment begin = from + step * number;
    if (const auto rate = rateIn(trace, {begin, begin + step})) summary.add(begin, *rate);
  }
  return summary.finish();
}

std::optional<SpanSummary> PacketSamples::summarize(PacketTrace trace, TimeSpan span) const {
  if (isRate(trace)) return summarizeRate(trace, span);
  const DirectionSeries& from = series(trace);
  Summary summary;
  if (isOfSegments(trace)) {
    const Indices shown = tcpscope::onScreen(from.segments(), span);
    from.segments().forEach(shown.from, shown.to, [&](const SegmentPoint& point, std::size_t) {
      if (const auto value = ofSegment(from, trace, point)) summary.add(point.time, *value);
    });
  }
  if (isOfAcknowledgments(trace)) {
    const Indices shown = tcpscope::onScreen(from.acknowledgments(), span);
    from.acknowledgments().forEach(shown.from, shown.to, [&](const AcknowledgmentPoint& point, std::size_t) {
      if (const auto value = ofAcknowledgment(from, trace, point)) summary.add(point.time, *value);
    });
  }
  return summary.finish();
}

CursorReading PacketSamples::read(PacketTrace trace, const CursorPair& cursors, Nanoseconds averaged) const {
  CursorReading reading;
  if (const auto a = cursors.at(Cursor::a)) reading.atA = valueAt(trace, *a, averaged);
  if (const auto b = cursors.at(Cursor::b)) reading.atB = valueAt(trace, *b, averaged);
  if (reading.atA && reading.atB) reading.difference = *reading.atB - *reading.atA;
  const auto span = cursors.span();
  if (!span) return reading;
  reading.inSpan = summarize(trace, *span);
  const double seconds = toSeconds(*cursors.difference());
  if (packetTraceRow(trace).kind == MetricKind::counter && reading.difference && seconds != 0.0) {
    reading.measured.slopePerSecond = *reading.difference / seconds;
  }
  return reading;
}

}  // namespace tcpscope
