#include "core/present/report/summary_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/model/downsample.h"
#include "core/present/report/report_plots.h"
#include "core/present/text/quantity_text.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

constexpr std::size_t kSequenceColumns = 300;
constexpr double kMostMarksInRow = 160.0;

/// A trace of what only grows, thinned to the largest value of each column.
class GrowingTrace {
public:
  GrowingTrace(std::string label, double seconds)
      : m_trace{std::move(label), {}}, m_width(seconds / kSequenceColumns) {}

  void add(double seconds, double value) {
    auto& points = m_trace.points;
    const bool isSameColumn = points.size() > 1 && seconds - points[points.size() - 2].seconds < m_width;
    // Until the next data it stayed where it was.
    if (!points.empty() && seconds - points.back().seconds > m_width) points.push_back({seconds, m_largest});
    m_largest = std::max(m_largest, value);
    if (isSameColumn) {
      points.back() = {seconds, m_largest};
    } else {
      points.push_back({seconds, m_largest});
    }
  }
  [[nodiscard]] PlotTrace take() { return std::move(m_trace); }

private:
  PlotTrace m_trace;
  double m_width;
  double m_largest = 0.0;
};

void appendTrace(TimePlot& plot, PlotTrace trace) {
  if (!trace.points.empty()) plot.traces.push_back(std::move(trace));
}

TimePlot emptyPlot(const ConnectionDetail& detail, const ClockPair& clock, Moment from, Moment to) {
  TimePlot plot;
  plot.title = "Sequence over time";
  plot.quantity = PlotQuantity::size;
  plot.seconds = toSeconds(to - from);
  plot.begin = clock.wallAt(from);
  for (const ChangeMark& mark : detail.changeMarks) plot.marks.push_back({toSeconds(mark.time - from), {}});
  return plot;
}

/// `filled`: segments that came late into a gap. At the receiver they are what was retransmitted for a loss on the way.
std::string retransmissionSentence(std::size_t fast, std::size_t afterTimeouts, std::size_t filled) {
  const std::string gaps = filled == 0 ? std::string()
                                       : fmt::format(" {} segment{} filled a gap: lost before the capture point.",
                                                     formatCount(filled), filled == 1 ? "" : "s");
  if (fast + afterTimeouts == 0) return gaps.empty() ? " Nothing was retransmitted in this direction." : gaps;
  const std::string all = fmt::format(" {} segment{} retransmitted, {} of them after a timeout (RTO)",
                                      formatCount(fast + afterTimeouts), fast + afterTimeouts == 1 ? " was" : "s were",
                                      afterTimeouts == 0 ? std::string("none") : formatCount(afterTimeouts));
  // A reader compares it with the number of timeouts.
  return gaps + all + (afterTimeouts < 2 ? "." : "; the sender can retransmit several segments after one timeout.");
}

/// From the first byte of data to the last acknowledgment of new data, or to the last byte where none was seen.
struct DataSpan {
  Moment from;
  Moment to;
  double bytes = 0.0;
};

std::optional<DataSpan> dataSpan(const DirectionSeries& series) {
  std::optional<DataSpan> span;
  StreamOffset end = series.origin();
  series.segments().forEach(0, series.segments().size(), [&](const SegmentPoint& point, std::size_t) {
    const StreamBytes bytes = bytesOf(point);
    if (bytes.payload == 0) return;
    if (!span) span = {point.time, point.time};
    span->to = point.time;
    span->bytes += static_cast<double>(bytes.unique);
    if (static_cast<std::int64_t>(point.end() - end) > 0) end = point.end();
  });
  if (!span) return span;
  const std::size_t after = countBefore(series.acknowledgments(), [&](const AcknowledgmentPoint& point) {
    return static_cast<std::int64_t>(point.number - end) < 0;
  });
  if (after < series.acknowledgments().size()) span->to = std::max(span->to, series.acknowledgments()[after].time);
  if (span->to <= span->from) return std::nullopt;
  return span;
}

/// Offsets of one direction, as positions in a plot.
class SequenceTraces {
public:
  SequenceTraces(const DirectionSeries& series, const DataSpan& span)
      : m_series(series), m_span(span), m_seconds(toSeconds(span.to - span.from)) {}

  [[nodiscard]] PlotTrace sent() const {
    GrowingTrace trace("sent", m_seconds);
    m_series.segments().forEach(0, m_series.segments().size(), [&](const SegmentPoint& point, std::size_t) {
      if (isWithin(point.time) && bytesOf(point).unique > 0) trace.add(secondsOf(point.time), bytesTo(point.end()));
    });
    return trace.take();
  }

  [[nodiscard]] PlotTrace acknowledged() const {
    GrowingTrace trace("acknowledged", m_seconds);
    const auto& points = m_series.acknowledgments();
    points.forEach(0, points.size(), [&](const AcknowledgmentPoint& point, std::size_t) {
      if (isWithin(point.time)) trace.add(secondsOf(point.time), bytesTo(point.number));
    });
    return trace.take();
  }

  /// By timeouts or not; `count` of all, whether there is room to draw them or not.
  [[nodiscard]] PlotTrace retransmitted(bool isTimeout, std::size_t& count) const {
    PlotTrace trace{isTimeout ? "retransmitted after a timeout (RTO)" : "retransmitted", {}, PlotTraceStyle::points};
    m_series.marks().forEach(0, m_series.marks().size(), [&](const SegmentMark& mark, std::size_t) {
      const SegmentPoint& segment = m_series.segments()[mark.index];
      const bool isAgain = segment.kind == SegmentKind::retransmission && isWithin(segment.time);
      if (!isAgain || (mark.cause == RetransmissionCause::timeout) != isTimeout) return;
      ++count;
      const double seconds = secondsOf(segment.time);
      trace.counts.push_back({seconds, 1.0});
      const bool hasRoom = trace.points.empty() || seconds - trace.points.back().seconds >= m_seconds / kMostMarksInRow;
      if (hasRoom) trace.points.push_back({seconds, bytesTo(segment.begin)});
    });
    return trace;
  }

  [[nodiscard]] std::size_t filledGaps() const {
    std::size_t count = 0;
    m_series.segments().forEach(0, m_series.segments().size(), [&](const SegmentPoint& point, std::size_t) {
      if (point.kind == SegmentKind::filledHole && isWithin(point.time)) ++count;
    });
    return count;
  }

private:
  [[nodiscard]] bool isWithin(Moment time) const { return time >= m_span.from && time <= m_span.to; }
  [[nodiscard]] double secondsOf(Moment time) const { return toSeconds(time - m_span.from); }
  [[nodiscard]] double bytesTo(StreamOffset offset) const {
    return std::max(static_cast<double>(static_cast<std::int64_t>(offset - m_series.origin())), 0.0);
  }

  const DirectionSeries& m_series;
  const DataSpan& m_span;
  double m_seconds;
};

std::optional<TimePlot> sequenceOfPackets(const ConnectionDetail& detail, const ClockPair& clock) {
  const DirectionSeries& series = detail.packets->sent(bulkDirection(detail));
  const auto span = dataSpan(series);
  if (!span) return std::nullopt;
  TimePlot plot = emptyPlot(detail, clock, span->from, span->to);
  const SequenceTraces traces(series, *span);
  std::size_t others = 0;
  std::size_t afterTimeouts = 0;
  for (PlotTrace& trace : std::array{traces.sent(), traces.acknowledged(), traces.retransmitted(false, others),
                                     traces.retransmitted(true, afterTimeouts)}) {
    appendTrace(plot, std::move(trace));
  }
  plot.sentence =
      fmt::format("{} in {}, from the first byte to the last.{}", formatBytes(span->bytes), formatTime(plot.seconds),
                  retransmissionSentence(others, afterTimeouts, traces.filledGaps()));
  return plot;
}

Metric countedBytes(const ConnectionDetail& detail) {
  return detail.diagnosis.bulk == Side::sending ? Metric::bytesAcked : Metric::bytesReceived;
}

std::optional<TimePlot> sequenceOfCounters(const ConnectionDetail& detail, const ClockPair& clock) {
  const auto from = detail.history.firstTime();
  const auto last = detail.history.lastTime();
  if (!from || *last <= *from) return std::nullopt;
  const Metric metric = countedBytes(detail);
  const auto begin = summarize(detail.history, metric, *from, *last);
  if (!begin || begin->largest <= begin->smallest) return std::nullopt;
  TimePlot plot = emptyPlot(detail, clock, *from, *last);
  const bool sends = detail.diagnosis.bulk == Side::sending;
  GrowingTrace growing(sends ? "acknowledged" : "received", plot.seconds);
  for (const PixelColumn& column :
       downsample(detail.history, metric, *from, *last + Nanoseconds(1), kSequenceColumns)) {
    if (!std::isfinite(column.last)) continue;
    growing.add(toSeconds(column.time - *from), column.last - begin->smallest);
  }
  PlotTrace counted = growing.take();
  if (counted.points.empty()) return std::nullopt;
  std::array<PlotTrace, 2> again = {PlotTrace{"retransmission", {}, PlotTraceStyle::points},
                                    PlotTrace{"timeout (RTO)", {}, PlotTraceStyle::points}};
  for (const HistoryEvent& event : detail.events) {
    const bool isTimeout = event.kind == HistoryEventKind::timeout;
    if (!sends || (!isTimeout && event.kind != HistoryEventKind::retransmission) || event.time < *from) continue;
    PlotTrace& trace = again.at(isTimeout ? 1 : 0);
    auto& points = trace.points;
    const double seconds = toSeconds(event.time - *from);
    trace.counts.push_back({seconds, static_cast<double>(event.count)});
    if (!points.empty() && seconds - points.back().seconds < plot.seconds / kMostMarksInRow) continue;
    points.push_back({seconds, valueAt(counted, seconds).value_or(0.0)});
  }
  plot.sentence = fmt::format("{} were {} in {}.", formatBytes(begin->largest - begin->smallest), counted.label,
                              formatTime(plot.seconds));
  appendTrace(plot, std::move(counted));
  for (PlotTrace& trace : again) appendTrace(plot, std::move(trace));
  return plot;
}

}  // namespace

std::optional<TimePlot> sequencePlot(const ConnectionDetail& detail, const ClockPair& clock) {
  return detail.packets ? sequenceOfPackets(detail, clock) : sequenceOfCounters(detail, clock);
}

void addMeans(TimePlot& rates, const ReportedConnection& connection) {
  const auto from = connection.detail->history.firstTime();
  if (!from) return;
  PlotTrace means{"mean before and after the change (grey: 95 % interval)", {}};
  const auto add = [&](double begin, double end, const SampleSummary& sample) {
    means.points.push_back({begin, sample.mean});
    means.points.push_back({end, sample.mean});
    if (!sample.meanInterval95) return;
    rates.bands.push_back({begin, end, std::max(sample.meanInterval95->low, 0.0), sample.meanInterval95->high});
  };
  const std::vector<MeasuredChange>& changes = connection.changes;
  for (std::size_t index = 0; index < changes.size(); ++index) {
    if (!changes[index].comparison) continue;
    const auto timeOf = [&](std::size_t change) { return toSeconds(changes[change].mark.time - *from); };
    // After a change that was measured, its own mean stands there already.
    const bool isFirst = index == 0 || !changes[index - 1].comparison;
    if (isFirst) add(index == 0 ? 0.0 : timeOf(index - 1), timeOf(index), changes[index].comparison->before);
    const double end = index + 1 < changes.size() ? timeOf(index + 1) : rates.seconds;
    add(timeOf(index), end, changes[index].comparison->after);
  }
  if (!means.points.empty()) rates.traces.push_back(std::move(means));
}

std::optional<TimePlot> transferRatePlot(const ConnectionDetail& detail, const ClockPair& clock) {
  constexpr double kMost = 0.5;
  if (!detail.packets || !detail.history.firstTime()) return std::nullopt;
  const auto span = dataSpan(detail.packets->sent(bulkDirection(detail)));
  const double whole = toSeconds(*detail.history.lastTime() - *detail.history.firstTime());
  if (!span || toSeconds(span->to - span->from) > kMost * whole) return std::nullopt;
  return ratePlot(detail, clock, span->from, span->to);
}

const LossSummary* lossesOf(const ConnectionDetail& detail) {
  if (detail.packets) return &detail.packets->analysis.directions[bulkDirection(detail)].loss;
  return detail.losses.get();
}

std::optional<TimePlot> lossIntervalPlot(const ConnectionDetail& detail) {
  const LossSummary* const losses = lossesOf(detail);
  if (losses == nullptr || losses->intervalsRtt.size() < kFewestIntervals) return std::nullopt;
  const IntervalShares shares = intervalShares(losses->intervalsRtt);
  if (shares.edgesRtt.size() < 2) return std::nullopt;
  TimePlot plot;
  plot.title = "Intervals between losses";
  plot.quantity = PlotQuantity::share;
  plot.firstDecade = std::round(std::log10(shares.edgesRtt.front()));
  const auto position = [&](std::size_t edge) { return std::log10(shares.edgesRtt[edge]) - *plot.firstDecade; };
  plot.seconds = position(shares.edgesRtt.size() - 1);
  PlotTrace measured{"measured", {}, PlotTraceStyle::bars};
  PlotTrace poisson{"independent losses (Poisson)", {}};
  for (std::size_t bin = 0; bin < shares.measured.size(); ++bin) {
    measured.points.push_back({position(bin), shares.measured[bin]});
    if (bin >= shares.poisson.size()) continue;
    poisson.points.push_back({position(bin), shares.poisson[bin]});
    poisson.points.push_back({position(bin + 1), shares.poisson[bin]});
  }
  measured.points.push_back({plot.seconds, 0.0});
  plot.sentence = fmt::format("{} packets were lost, in {} loss event{}.", formatCount(losses->lostPackets),
                              formatCount(losses->events.size()), losses->events.size() == 1 ? "" : "s");
  if (losses->withinRtt) {
    plot.sentence += fmt::format(" {} of the intervals are shorter than an RTT", formatRatio(*losses->withinRtt));
    if (losses->poissonWithinRtt) {
      plot.sentence += fmt::format("; of independent losses it would be {}", formatRatio(*losses->poissonWithinRtt));
    }
    plot.sentence += '.';
  }
  appendTrace(plot, std::move(measured));
  appendTrace(plot, std::move(poisson));
  return plot;
}

std::optional<ObservedTransfer> observedTransfer(const ConnectionDetail& detail) {
  ObservedTransfer transfer;
  if (detail.packets) {
    const auto span = dataSpan(detail.packets->sent(bulkDirection(detail)));
    if (!span) return std::nullopt;
    transfer.isCaptured = true;
    transfer.bytes = span->bytes;
    transfer.seconds = toSeconds(span->to - span->from);
  } else {
    const auto from = detail.history.firstTime();
    if (!from) return std::nullopt;
    const auto counted = summarize(detail.history, countedBytes(detail), *from, *detail.history.lastTime());
    if (!counted) return std::nullopt;
    transfer.bytes = counted->largest - counted->smallest;
    transfer.seconds = toSeconds(*detail.history.lastTime() - *from);
  }
  if (transfer.bytes <= 0.0 || transfer.seconds <= 0.0) return std::nullopt;
  return transfer;
}

}  // namespace tcpscope
