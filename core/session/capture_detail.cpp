#include "core/session/capture_detail.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/session/capture_list.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kShortestStep = std::chrono::milliseconds(10);
constexpr std::int64_t kMostSteps = 10'000;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

using Values = std::array<double, kMetricCount>;

double& at(Values& values, Metric metric) {
  return values[static_cast<std::size_t>(metric)];
}

/// One direction, step by step.
class DirectionWalk {
public:
  explicit DirectionWalk(const DirectionSeries& series) : m_series(series) {}

  /// What came before `end` and was not looked at yet.
  void advanceTo(Moment end) {
    m_stepBytes = {};
    m_stepRetransmissions = 0;
    m_rttUs = kNoValue;
    const auto& segments = m_series.segments();
    for (; m_segment < segments.size() && segments[m_segment].time < end; ++m_segment) take(segments[m_segment]);
    const auto& acknowledgments = m_series.acknowledgments();
    for (; m_acknowledgment < acknowledgments.size() && acknowledgments[m_acknowledgment].time < end;
         ++m_acknowledgment)
      take(acknowledgments[m_acknowledgment]);
  }

  [[nodiscard]] const StreamBytes& bytes() const { return m_bytes; }
  [[nodiscard]] const StreamBytes& stepBytes() const { return m_stepBytes; }
  [[nodiscard]] std::uint64_t stepRetransmissions() const { return m_stepRetransmissions; }
  [[nodiscard]] std::uint64_t retransmissions() const { return m_retransmissions; }
  [[nodiscard]] double windowBytes() const { return m_windowBytes; }
  [[nodiscard]] double inFlightBytes() const { return m_inFlightBytes; }
  /// Last of the step.
  [[nodiscard]] double rttUs() const { return m_rttUs; }
  [[nodiscard]] double acknowledgedBytes() const { return m_acknowledgedBytes; }

private:
  void take(const SegmentPoint& point) {
    const StreamBytes own = bytesOf(point);
    for (StreamBytes* sum : {&m_bytes, &m_stepBytes}) {
      sum->payload += own.payload;
      sum->unique += own.unique;
    }
    if (point.kind == SegmentKind::retransmission) {
      ++m_retransmissions;
      ++m_stepRetransmissions;
    }
    noteFlight(point.time, point.inFlightBytes);
  }
  void take(const AcknowledgmentPoint& point) {
    if (!std::isnan(point.rttUs)) m_rttUs = static_cast<double>(point.rttUs);
    if (point.hasWindow && m_series.windowScale())
      m_windowBytes = static_cast<double>(m_series.windowBytes(point.window));
    noteFlight(point.time, point.inFlightBytes);
    const auto acknowledged = static_cast<std::int64_t>(point.number - m_series.origin());
    m_acknowledgedBytes = static_cast<double>(std::max<std::int64_t>(acknowledged, 0));
  }

  /// Segments and acknowledgments do not come in one order.
  void noteFlight(Moment time, std::uint32_t bytes) {
    if (bytes == kUnknownFlight || time < m_inFlightSince) return;
    m_inFlightSince = time;
    m_inFlightBytes = bytes;
  }

  const DirectionSeries& m_series;
  std::size_t m_segment = 0;
  std::size_t m_acknowledgment = 0;
  StreamBytes m_bytes;
  StreamBytes m_stepBytes;
  std::uint64_t m_retransmissions = 0;
  std::uint64_t m_stepRetransmissions = 0;
  double m_windowBytes = kNoValue;
  double m_inFlightBytes = kNoValue;
  Moment m_inFlightSince = Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::min());
  double m_rttUs = kNoValue;
  double m_acknowledgedBytes = kNoValue;
};

Values valuesOf(const DirectionWalk& sent, const DirectionWalk& received, Nanoseconds step) {
  Values values;
  values.fill(kNoValue);
  const auto perSecond = [step](std::uint64_t amount) { return static_cast<double>(amount) / toSeconds(step); };
  at(values, Metric::sendGoodput) = 8.0 * perSecond(sent.stepBytes().unique);
  at(values, Metric::receiveGoodput) = 8.0 * perSecond(received.stepBytes().unique);
  at(values, Metric::retransmissionsPerSecond) = perSecond(sent.stepRetransmissions());
  at(values, Metric::sndWnd) = sent.windowBytes();
  at(values, Metric::rcvWnd) = received.windowBytes();
  at(values, Metric::inFlightBytes) = sent.inFlightBytes();
  at(values, Metric::rtt) = sent.rttUs();
  at(values, Metric::rcvRtt) = received.rttUs();
  at(values, Metric::bytesAcked) = sent.acknowledgedBytes();
  at(values, Metric::bytesReceived) = static_cast<double>(received.bytes().unique);
  at(values, Metric::bytesSent) = static_cast<double>(sent.bytes().payload);
  at(values, Metric::bytesRetrans) = static_cast<double>(sent.bytes().payload - sent.bytes().unique);
  at(values, Metric::totalRetrans) = static_cast<double>(sent.retransmissions());
  return values;
}

void addRetransmissions(const DirectionSeries& series, std::vector<HistoryEvent>& events) {
  series.marks().forEach(0, series.marks().size(), [&](const SegmentMark& mark, std::size_t) {
    const SegmentPoint& segment = series.segments()[mark.index];
    if (segment.kind != SegmentKind::retransmission) return;
    const bool isTimeout = mark.cause == RetransmissionCause::timeout;
    events.push_back(
        {segment.time, isTimeout ? HistoryEventKind::timeout : HistoryEventKind::retransmission, std::uint64_t{1}});
  });
}

void addClosedWindows(const DirectionSeries& series, HistoryEventKind kind, std::vector<HistoryEvent>& events) {
  bool isClosed = false;
  const auto& points = series.acknowledgments();
  points.forEach(0, points.size(), [&](const AcknowledgmentPoint& point, std::size_t) {
    if (!point.hasWindow) return;
    if (point.window == 0 && !isClosed) events.push_back({point.time, kind, std::uint64_t{1}});
    isClosed = point.window == 0;
  });
}

LimitTimeline timelineOf(const LimitHistory& history) {
  LimitTimeline timeline(history.steps.size());
  for (const LimitStep& step : history.steps) {
    if (step.to > step.from) timeline.append({step.from, step.to, step.shares, {}});
  }
  return timeline;
}

/// Of both directions, whose steps begin and end at other times.
LimitTimeline timelineOf(const ConnectionAnalysis& analysis) {
  const LimitTimeline one = timelineOf(analysis.directions[0].diagnosis.history);
  const LimitTimeline other = timelineOf(analysis.directions[1].diagnosis.history);
  std::vector<Moment> edges;
  for (const LimitTimeline* timeline : {&one, &other}) {
    for (const LimitInterval& interval : timeline->intervals()) {
      edges.push_back(interval.from);
      edges.push_back(interval.to);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  LimitTimeline both(edges.size());
  for (std::size_t edge = 0; edge + 1 < edges.size(); ++edge) {
    both.append({edges[edge], edges[edge + 1], one.sum(edges[edge], edges[edge + 1]).sending,
                 other.sum(edges[edge], edges[edge + 1]).sending});
  }
  return both;
}

}  // namespace

ConnectionHistory historyOf(const CapturedPackets& packets) {
  ConnectionHistory history;
  if (packets.series.isEmpty()) return history;
  const Moment first = packets.series.firstTime();
  const Nanoseconds span = packets.series.lastTime() - first;
  const Nanoseconds step = std::max(kShortestStep, span / kMostSteps);
  DirectionWalk sent(packets.sent(0));
  DirectionWalk received(packets.sent(1));
  for (Moment end = first + step;; end = end + step) {
    sent.advanceTo(end);
    received.advanceTo(end);
    history.append(end, valuesOf(sent, received, step));
    if (end > packets.series.lastTime()) break;
  }
  return history;
}

std::vector<HistoryEvent> eventsOf(const CapturedPackets& packets) {
  std::vector<HistoryEvent> events;
  if (packets.series.isEmpty()) return events;
  addRetransmissions(packets.sent(0), events);
  addRetransmissions(packets.sent(1), events);
  addClosedWindows(packets.sent(0), HistoryEventKind::peerWindowClosed, events);
  addClosedWindows(packets.sent(1), HistoryEventKind::ownWindowClosed, events);
  std::stable_sort(events.begin(), events.end(),
                   [](const HistoryEvent& a, const HistoryEvent& b) { return a.time < b.time; });
  return events;
}

std::shared_ptr<const ConnectionDetail> detailOf(std::shared_ptr<const CapturedPackets> packets, ConnectionId id) {
  auto detail = std::make_shared<ConnectionDetail>();
  const ConnectionAnalysis& analysis = packets->analysis;
  detail->row = rowOf(analysis, id);
  // There is no socket: views read the ends and the state, and every figure of a kernel is absent.
  detail->socket.id = detail->row.id;
  detail->socket.local = detail->row.local;
  detail->socket.remote = detail->row.remote;
  detail->socket.state = detail->row.state;
  detail->socket.takenAt = detail->row.closedAt;
  // This end is the initiator: what it receives is judged as what the other end sends.
  detail->diagnosis.sending = analysis.directions[0].diagnosis;
  detail->diagnosis.receiving = analysis.directions[1].diagnosis;
  detail->diagnosis.receiving->side = Side::receiving;
  detail->diagnosis.bulk = detail->row.bulk;
  detail->diagnosis.verdict = analysis.directions[analysis.bulk].diagnosis.verdict;
  if (!packets->series.isEmpty()) {
    detail->window.from = packets->series.firstTime();
    detail->window.to = packets->series.lastTime();
    detail->limits = timelineOf(analysis);
  }
  detail->history = historyOf(*packets);
  detail->events = eventsOf(*packets);
  detail->packets = std::move(packets);
  return detail;
}

}  // namespace tcpscope
