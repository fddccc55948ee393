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

std::size_t bulkIndex(const ConnectionDetail& detail) {
  return detail.diagnosis.bulk == Side::sending ? 0 : 1;
}

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

std::string retransmissionSentence(std::size_t fast, std::size_t afterTimeouts) {
  if (fast + afterTimeouts == 0) return " Nothing was retransmitted.";
  return fmt::format(" {} segment{} retransmitted, {} of them after a timeout (RTO).",
                     formatCount(fast + afterTimeouts), fast + afterTimeouts == 1 ? " was" : "s were",
                     formatCount(afterTimeouts));
}

std::optional<TimePlot> sequenceOfPackets(const ConnectionDetail& detail, const ClockPair& clock) {
  const CapturedPackets& packets = *detail.packets;
  const DirectionSeries& series = packets.sent(bulkIndex(detail));
  if (series.segments().empty() || packets.series.lastTime() <= packets.series.firstTime()) return std::nullopt;
  const Moment from = packets.series.firstTime();
  TimePlot plot = emptyPlot(detail, clock, from, packets.series.lastTime());
  const auto secondsOf = [from](Moment time) { return toSeconds(time - from); };
  const auto above = [&series](StreamOffset offset) {
    return static_cast<double>(static_cast<std::int64_t>(offset - series.origin()));
  };
  GrowingTrace sent("sent", plot.seconds);
  series.segments().forEach(0, series.segments().size(), [&](const SegmentPoint& point, std::size_t) {
    const bool isNew = point.kind == SegmentKind::newData || point.kind == SegmentKind::filledHole;
    if (isNew) sent.add(secondsOf(point.time), above(point.end()));
  });
  GrowingTrace acknowledged("acknowledged", plot.seconds);
  series.acknowledgments().forEach(0, series.acknowledgments().size(),
                                   [&](const AcknowledgmentPoint& point, std::size_t) {
                                     acknowledged.add(secondsOf(point.time), std::max(above(point.number), 0.0));
                                   });
  std::array<PlotTrace, 2> again = {PlotTrace{"retransmitted", {}, PlotTraceStyle::points},
                                    PlotTrace{"retransmitted after a timeout (RTO)", {}, PlotTraceStyle::points}};
  std::array<std::size_t, 2> counts{};
  series.marks().forEach(0, series.marks().size(), [&](const SegmentMark& mark, std::size_t) {
    const SegmentPoint& segment = series.segments()[mark.index];
    if (segment.kind != SegmentKind::retransmission) return;
    const std::size_t kind = mark.cause == RetransmissionCause::timeout ? 1 : 0;
    ++counts.at(kind);
    auto& points = again.at(kind).points;
    const double seconds = secondsOf(segment.time);
    if (!points.empty() && seconds - points.back().seconds < plot.seconds / kMostMarksInRow) return;
    points.push_back({seconds, std::max(above(segment.begin), 0.0)});
  });
  plot.sentence =
      fmt::format("{} in {}.", formatBytes(static_cast<double>(series.bytesBefore(series.segments().size()).unique)),
                  formatTime(plot.seconds)) +
      retransmissionSentence(counts[0], counts[1]);
  appendTrace(plot, sent.take());
  appendTrace(plot, acknowledged.take());
  for (PlotTrace& trace : again) appendTrace(plot, std::move(trace));
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
    auto& points = again.at(isTimeout ? 1 : 0).points;
    const double seconds = toSeconds(event.time - *from);
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

const LossSummary* lossesOf(const ConnectionDetail& detail) {
  if (detail.packets) return &detail.packets->analysis.directions[bulkIndex(detail)].loss;
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
    const DirectionSeries& series = detail.packets->sent(bulkIndex(detail));
    transfer.isCaptured = true;
    transfer.bytes = static_cast<double>(series.bytesBefore(series.segments().size()).unique);
    transfer.seconds = toSeconds(detail.packets->series.lastTime() - detail.packets->series.firstTime());
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
