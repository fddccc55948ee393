#include "core/present/report/report_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "core/base/escape.h"
#include "core/model/downsample.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/report_text.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

/// Two points a column at most: as many as a page shows, and no more bytes than that.
constexpr std::size_t kPlotColumns = 320;
constexpr std::size_t kStripColumns = 120;
constexpr std::size_t kMostMarks = 6;
constexpr double kMostPoints = 160.0;
constexpr double kMicro = 1e-6;

/// When segments were retransmitted in the bulk direction, and how many.
std::vector<std::pair<Moment, double>> retransmissionCounts(const ConnectionDetail& detail) {
  std::vector<std::pair<Moment, double>> counts;
  if (detail.packets) {
    const DirectionSeries& series = detail.packets->sent(bulkDirection(detail));
    series.marks().forEach(0, series.marks().size(), [&](const SegmentMark& mark, std::size_t) {
      const SegmentPoint& segment = series.segments()[mark.index];
      if (segment.kind == SegmentKind::retransmission) counts.emplace_back(segment.time, 1.0);
    });
    return counts;
  }
  if (detail.diagnosis.bulk != Side::sending) return counts;
  for (const HistoryEvent& event : detail.events) {
    // The kernel's count of retransmissions includes those after timeouts.
    if (event.kind == HistoryEventKind::retransmission) {
      counts.emplace_back(event.time, static_cast<double>(event.count));
    }
  }
  return counts;
}

class PlotMaker {
public:
  PlotMaker(const ConnectionDetail& detail, const std::optional<ClockPair>& clock, Moment from, Moment to)
      : m_detail(detail), m_clock(clock), m_from(from), m_to(to) {}

  [[nodiscard]] TimePlot rates() const {
    const bool sends = m_detail.diagnosis.bulk == Side::sending;
    TimePlot plot = empty("Rate over time", PlotQuantity::rate);
    const Metric metric = sends ? Metric::sendGoodput : Metric::receiveGoodput;
    add(plot, "goodput", metric, 1.0);
    if (!plot.traces.empty()) plot.traces.front().totals = totalsOf(metric);
    const Verdict& verdict = m_detail.diagnosis.verdict;
    const bool hasNext = verdict.next && !verdict.next->rate.isUnlimited();
    addRetransmissions(plot);
    if (!plot.traces.empty() && hasNext) addLevel(plot, "possible", verdict.next->rate.value());
    const Endpoint& sender = sends ? m_detail.socket.local : m_detail.socket.remote;
    plot.sentence = spanSentence(sender.address.toString() + " sent", metric, 1.0, PlotQuantity::rate);
    if (hasNext) plot.sentence += fmt::format(" {} would be possible.", formatRate(verdict.next->rate));
    return plot;
  }

  [[nodiscard]] TimePlot limits() const {
    TimePlot plot = empty("Limits over time", PlotQuantity::share);
    const bool sends = m_detail.diagnosis.bulk == Side::sending;
    const Nanoseconds step = (m_to - m_from) / static_cast<std::int64_t>(kStripColumns);
    if (m_detail.limits.intervals().empty() || step <= Nanoseconds(0)) return plot;
    for (std::size_t column = 0; column < kStripColumns; ++column) {
      const Moment begin = m_from + step * static_cast<std::int64_t>(column);
      const LimitInterval sum = m_detail.limits.sum(begin, begin + step);
      const LimitShares& shares = sends ? sum.sending : sum.receiving;
      if (shares.observed() <= Nanoseconds(0)) continue;
      plot.limits.push_back({secondsOf(begin), secondsOf(begin + step), shares});
    }
    plot.sentence = fmt::format("Shares of the time: {}.", sharesText(sharesOf(plot)));
    return plot;
  }

  [[nodiscard]] TimePlot windows() const {
    TimePlot plot = empty("Windows and data in flight over time", PlotQuantity::size);
    if (m_detail.diagnosis.bulk == Side::sending) {
      add(plot, "congestion window", Metric::congestionWindowBytes, 1.0);
      add(plot, "receive window (rwnd)", Metric::sndWnd, 1.0);
      // Windows far larger than what is in flight would leave a flat line of it.
      for (PlotTrace& trace : plot.traces) trace.isBound = true;
      add(plot, "in flight", Metric::inFlightBytes, 1.0);
      plot.sentence = sizeSentences({{"The congestion window was", Metric::congestionWindowBytes},
                                     {"The peer's receive window was", Metric::sndWnd},
                                     {"In flight were", Metric::inFlightBytes}});
    } else {
      add(plot, "advertised receive window", Metric::rcvWnd, 1.0);
      add(plot, "unread data", Metric::receiveQueue, 1.0);
      plot.sentence =
          sizeSentences({{"The advertised receive window was", Metric::rcvWnd}, {"Unread were", Metric::receiveQueue}});
    }
    return plot;
  }

  [[nodiscard]] TimePlot rtts() const {
    const bool sends = m_detail.diagnosis.bulk == Side::sending;
    TimePlot plot = empty("RTT", PlotQuantity::duration);
    const Metric metric = sends || !knows(Metric::rcvRtt) ? Metric::rtt : Metric::rcvRtt;
    const bool isSmoothed = metric == Metric::rtt;
    add(plot, isSmoothed ? "RTT" : "receiver-side RTT", metric, kMicro);
    if (sends) add(plot, "minimum RTT", Metric::minRtt, kMicro);
    plot.sentence =
        spanSentence(isSmoothed ? "The RTT was" : "The receiver-side RTT, which includes pauses of the sender, was",
                     metric, kMicro, PlotQuantity::duration);
    return plot;
  }

private:
  [[nodiscard]] double secondsOf(Moment moment) const { return toSeconds(moment - m_from); }
  [[nodiscard]] bool knows(Metric metric) const {
    return summarize(m_detail.history, metric, m_from, m_to).has_value();
  }

  [[nodiscard]] TimePlot empty(std::string title, PlotQuantity quantity) const {
    TimePlot plot;
    plot.title = std::move(title);
    plot.quantity = quantity;
    plot.seconds = secondsOf(m_to);
    if (m_clock) plot.begin = m_clock->wallAt(m_from);
    for (const ChangeMark& mark : m_detail.changeMarks) {
      if (plot.marks.size() == kMostMarks) break;
      plot.marks.push_back({secondsOf(mark.time), forPlainText(mark.key)});
    }
    return plot;
  }

  void add(TimePlot& plot, std::string label, Metric metric, double factor) const {
    PlotTrace trace{std::move(label), {}};
    for (const PixelColumn& column : downsample(m_detail.history, metric, m_from, m_to, kPlotColumns)) {
      if (!std::isfinite(column.smallest) || !std::isfinite(column.largest)) continue;
      const double seconds = secondsOf(column.time);
      if (column.smallest != column.largest) {
        const bool endsLow = column.last - column.smallest < column.largest - column.last;
        trace.points.push_back({seconds, (endsLow ? column.largest : column.smallest) * factor});
        trace.points.push_back({seconds, (endsLow ? column.smallest : column.largest) * factor});
      } else {
        trace.points.push_back({seconds, column.last * factor});
      }
    }
    if (trace.points.empty()) return;
    // Only changes are samples: up to the end it stayed as it was.
    trace.points.push_back({plot.seconds, trace.points.back().value});
    plot.traces.push_back(std::move(trace));
  }

  /// Of packets, each sample of a rate is the mean since the one before. Samples of the kernel may be missing while
  /// nothing changed; its counters of bytes hold then, too.
  [[nodiscard]] std::vector<PlotPoint> totalsOf(Metric rate) const {
    const bool isRate = m_detail.packets != nullptr;
    const Metric counter = rate == Metric::sendGoodput ? Metric::bytesAcked : Metric::bytesReceived;
    std::vector<PlotPoint> totals;
    double bits = 0.0;
    double first = 0.0;
    for (const auto& chunk : m_detail.history.chunks()) {
      for (std::size_t index = 0; index < chunk->size(); ++index) {
        const Moment time = chunk->time(index);
        const double value = chunk->value(isRate ? rate : counter, index);
        if (time < m_from || time > m_to || !std::isfinite(value)) continue;
        const double seconds = secondsOf(time);
        if (totals.empty()) first = value;
        if (isRate && !totals.empty()) bits += value * (seconds - totals.back().seconds);
        totals.push_back({seconds, isRate ? bits : (value - first) * 8.0});
      }
    }
    if (totals.size() < 2) totals.clear();
    return totals;
  }

  static void addLevel(TimePlot& plot, std::string label, double value) {
    plot.traces.push_back({std::move(label), {{0.0, value}, {plot.seconds, value}}, PlotTraceStyle::line, true});
  }

  /// At the rate of their moment.
  void addRetransmissions(TimePlot& plot) const {
    if (plot.traces.empty()) return;
    PlotTrace trace{"retransmissions", {}, PlotTraceStyle::points};
    double last = -1.0;
    for (const auto& [time, count] : retransmissionCounts(m_detail)) {
      const double seconds = secondsOf(time);
      if (time < m_from || time >= m_to) continue;
      trace.counts.push_back({seconds, count});
      if (seconds - last < plot.seconds / kMostPoints) continue;
      last = seconds;
      trace.points.push_back({seconds, valueAt(plot.traces.front(), seconds).value_or(0.0)});
    }
    if (!trace.points.empty()) plot.traces.push_back(std::move(trace));
  }

  [[nodiscard]] std::string spanSentence(std::string_view what, Metric metric, double factor,
                                         PlotQuantity quantity) const {
    const auto span = summarize(m_detail.history, metric, m_from, m_to);
    if (!span || !std::isfinite(span->largest)) return {};
    const std::string low = formatQuantity(quantity, span->smallest * factor);
    const std::string high = formatQuantity(quantity, span->largest * factor);
    if (low == high) return fmt::format("{} {} all the time.", what, low);
    return fmt::format("{} between {} and {}.", what, low, high);
  }

  /// Of those that are known.
  [[nodiscard]] std::string sizeSentences(std::initializer_list<std::pair<std::string_view, Metric>> beginnings) const {
    std::vector<std::string> known;
    for (const auto& [what, metric] : beginnings) {
      std::string sentence = spanSentence(what, metric, 1.0, PlotQuantity::size);
      if (!sentence.empty()) known.push_back(std::move(sentence));
    }
    return fmt::format("{}", fmt::join(known, " "));
  }

  const ConnectionDetail& m_detail;
  std::optional<ClockPair> m_clock;
  Moment m_from;
  Moment m_to;
};

}  // namespace

std::size_t bulkDirection(const ConnectionDetail& detail) {
  const Endpoint& initiator = detail.packets->analysis.flow.initiator;
  const Endpoint& local = detail.socket.local;
  const bool isInitiator = initiator.port == local.port && initiator.address.unmapped() == local.address.unmapped();
  return isInitiator == (detail.diagnosis.bulk == Side::sending) ? 0 : 1;
}

std::optional<TimePlot> ratePlot(const ConnectionDetail& detail, const ClockPair& clock, Moment from, Moment to) {
  TimePlot plot = PlotMaker(detail, clock, from, to + Nanoseconds(1)).rates();
  if (plot.traces.empty()) return std::nullopt;
  return plot;
}

std::vector<TimePlot> plotsOf(const ConnectionDetail& detail, const std::optional<ClockPair>& clock) {
  std::vector<TimePlot> plots;
  const auto from = detail.history.firstTime();
  const auto last = detail.history.lastTime();
  if (!from || !last || *last <= *from) return plots;
  const PlotMaker maker(detail, clock, *from, *last + Nanoseconds(1));
  for (TimePlot& plot : std::array{maker.rates(), maker.limits(), maker.windows(), maker.rtts()}) {
    if (!plot.traces.empty() || plot.isStrip()) plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace tcpscope
