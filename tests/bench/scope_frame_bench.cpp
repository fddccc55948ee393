// Figure 6: pictures of the scope at 1280×720, drawn off screen: taking over new samples, choosing those of each
// column, fitting the scales, painting. Once 8 traces of 60 s at 100 Hz as they scroll, on one screen and in bands;
// once 16 traces of a million samples at several zooms, beside a plain QCustomPlot with the same data.
#include <fmt/core.h>
#include <qcustomplot.h>

#include <QApplication>
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/bench/measurement.h"
#include "tests/support/observation_builder.h"
#include "ui/plots/trace_plot.h"
#include "ui/plots/trace_set.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;
using namespace std::chrono_literals;

constexpr std::array kShown = {
    Metric::sendGoodput, Metric::congestionWindowBytes, Metric::sndWnd,  Metric::inFlightBytes,
    Metric::rtt,         Metric::deliveryRate,          Metric::sndCwnd, Metric::bytesAcked};
constexpr std::chrono::seconds kSpan = 60s;
constexpr Nanoseconds kStep = 10ms;

/// A transfer whose every shown metric moves at each sample.
SocketObservation sampleOf(int number) {
  const auto wave = static_cast<std::uint32_t>(number * 7919 % 1009);
  return test::ObservationBuilder()
      .at(number * kStep)
      .acked(static_cast<std::uint64_t>(number) * 120'000 + wave * 100)
      .rtt(Microseconds(20'000 + wave * 13), Microseconds(20'000))
      .congestionWindow(40 + wave % 97)
      .peerWindow(1'000'000 + wave * 512)
      .inFlight(20 + wave % 61)
      .deliveryRate(BitsPerSecond(8e7 + wave * 4e4))
      .build();
}

ConnectionHistory historyOfTransfer() {
  ConnectionHistory history;
  SocketObservation before = sampleOf(0);
  for (int number = 1; number <= kSpan / kStep; ++number) {
    const SocketObservation now = sampleOf(number);
    const IntervalMetrics interval = intervalMetrics(before, now);
    history.append(now.takenAt, MetricSource{now, &interval});
    before = now;
  }
  return history;
}

TraceFrame makeFrame(const ConnectionHistory& history, TraceRecord& record, TraceSet& traces, TimeSpan screen,
                     std::size_t columns, std::size_t bands) {
  record.update({}, history, kShown);
  TraceFrame frame;
  frame.screen = screen;
  frame.perDivision = 5s;
  frame.reference = screen.to;
  for (std::size_t band = 0; band < bands; ++band) frame.bands.push_back(QStringLiteral("192.0.2.1:50000"));
  for (std::size_t index = 0; index < traces.size(); ++index) {
    Trace& trace = traces.at(index);
    FrameTrace& shown = frame.traces.emplace_back();
    shown.label = trace.source.title();
    shown.unit = trace.source.unit();
    shown.style = static_cast<int>(trace.style);
    if (bands > 0) shown.band = index % bands;
    shown.samples = sampleTrace(record, *trace.source.metric(), screen, columns);
    trace.scale.adapt(shown.samples.smallest, shown.samples.largest);
    shown.scale = trace.scale;
  }
  return frame;
}

constexpr std::size_t kManyTraces = 16;
constexpr Nanoseconds kManyStep = 1ms;

double manyValue(std::size_t trace, std::size_t sample) {
  const double wave = std::sin(static_cast<double>(sample) * 1e-5 * static_cast<double>(trace + 1));
  return 1e6 * (2.0 + wave) + static_cast<double>((sample * 7919 + trace * 31) % 1009) * 300.0;
}

Moment manyTime(std::size_t sample) {
  return Moment::fromNanoseconds(1'000'000'000) + kManyStep * static_cast<std::int64_t>(sample);
}

ConnectionHistory historyOfMany(std::size_t samples) {
  ConnectionHistory history(std::size_t{4} << 30);
  std::array<double, kMetricCount> values;
  values.fill(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t trace = 0; trace < kManyTraces; ++trace) values.at(trace) = manyValue(trace, sample);
    history.append(manyTime(sample), values);
  }
  return history;
}

TraceFrame frameOfMany(TraceRecord& record, TimeSpan screen, std::size_t columns) {
  TraceFrame frame;
  frame.screen = screen;
  frame.perDivision = 5s;
  frame.reference = screen.to;
  for (std::size_t trace = 0; trace < kManyTraces; ++trace) {
    FrameTrace& shown = frame.traces.emplace_back();
    shown.style = static_cast<int>(trace);
    shown.samples = sampleTrace(record, static_cast<Metric>(trace), screen, columns);
    shown.scale.adapt(shown.samples.smallest, shown.samples.largest);
  }
  return frame;
}

/// The spans of a zoom: so much of the whole, panned from its start to its end.
std::vector<TimeSpan> pannedSpans(std::size_t samples, double share, int steps) {
  const Nanoseconds whole = manyTime(samples) - manyTime(0);
  const auto shareOf = [whole](double part) {
    return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(whole.count()) * part));
  };
  std::vector<TimeSpan> spans;
  for (int step = 0; step < steps; ++step) {
    const Moment from = manyTime(0) + shareOf((1.0 - share) * step / steps);
    spans.push_back({from, from + shareOf(share)});
  }
  return spans;
}

/// The slowest zoom's median in seconds.
double slowestZoom(std::size_t samples, bool quick, const std::function<void(TimeSpan)>& draw) {
  double slowest = 0.0;
  for (const double share : {1.0, 0.5, 0.1, 0.01, 0.001}) {
    std::vector<double> seconds;
    for (const TimeSpan& span : pannedSpans(samples, share, quick ? 3 : 30))
      seconds.push_back(threadCpuOf([&] { draw(span); }));
    slowest = std::max(slowest, median(seconds));
  }
  return slowest;
}

double slowestZoomOfPlainPlot(std::size_t samples, bool quick) {
  QCustomPlot plot;
  plot.resize(1280, 720);
  for (std::size_t trace = 0; trace < kManyTraces; ++trace) {
    QVector<double> keys;
    QVector<double> values;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      keys.append(toSeconds(manyTime(sample) - manyTime(0)));
      values.append(manyValue(trace, sample));
    }
    plot.addGraph()->setData(keys, values, true);
  }
  plot.rescaleAxes();
  plot.show();
  QApplication::processEvents();
  return slowestZoom(samples, quick, [&plot](TimeSpan span) {
    plot.xAxis->setRange(toSeconds(span.from - manyTime(0)), toSeconds(span.to - manyTime(0)));
    plot.replot(QCustomPlot::rpImmediateRefresh);
    plot.repaint();
  });
}

void measureZoomAndPan(bool quick) {
  const std::size_t samples = quick ? 20'000 : 1'000'000;
  TracePlot plot;
  plot.resize(1280, 720);
  plot.show();
  QApplication::processEvents();
  TraceRecord record;
  std::vector<Metric> metrics;
  for (std::size_t trace = 0; trace < kManyTraces; ++trace) metrics.push_back(static_cast<Metric>(trace));
  double taken = 0.0;
  {
    const ConnectionHistory history = historyOfMany(samples);
    taken = threadCpuOf([&] { record.update({}, history, metrics); });
  }
  const double ours = slowestZoom(samples, quick,
                                  [&](TimeSpan span) {
                                    plot.setFrame(frameOfMany(record, span, plot.columns()));
                                    plot.replotNow();
                                    plot.repaint();
                                  }) *
                      1e3;
  const double plain = slowestZoomOfPlainPlot(samples, quick) * 1e3;
  publish({fmt::format("zoom and pan, {} traces of {} samples", kManyTraces, samples), fmt::format("{:.2f} ms", ours),
           fmt::format("QCustomPlot {:.2f} ms", plain), ours, "ms", quick ? std::nullopt : std::optional(8.0)});
  publish({fmt::format("the same, taking all samples over once"), fmt::format("{:.0f} ms", taken * 1e3), "",
           taken * 1e3, "ms", std::nullopt});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const QApplication application(argc, argv);
  const ConnectionHistory history = historyOfTransfer();
  TraceSet traces;
  for (const Metric metric : kShown) traces.add(metric);
  TracePlot plot;
  plot.resize(1280, 720);
  plot.show();
  QApplication::processEvents();
  for (const std::size_t bands : {std::size_t{0}, std::size_t{4}}) {
    TraceRecord record;
    std::vector<double> seconds;
    for (int number = 0; number < (quick ? 5 : 200); ++number) {
      // The screen scrolls, as it does live.
      const Moment end = *history.lastTime() + number * 5ms;
      seconds.push_back(threadCpuOf([&] {
        plot.setFrame(makeFrame(history, record, traces, {end - kSpan, end}, plot.columns(), bands));
        plot.replotNow();
        plot.repaint();
      }));
    }
    const double middle = median(seconds) * 1e3;
    const std::string where = bands == 0 ? "" : fmt::format(" in {} bands", bands);
    publish({fmt::format("scope frame, {} traces of 60 s at 100 Hz{}", traces.size(), where),
             fmt::format("{:.2f} ms (p99 {:.2f})", middle, quantile(seconds, 0.99) * 1e3), "", middle, "ms",
             quick ? std::nullopt : std::optional(2.0)});
  }
  measureZoomAndPan(quick);
  return 0;
}
