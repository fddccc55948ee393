// Figure 6: one frame of the scope with 8 traces of 60 s at 100 Hz at 1280×720, drawn off screen: choosing the samples
// of each column, fitting the scales, painting.
#include <fmt/core.h>

#include <QApplication>
#include <array>

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
      .roundTrip(Microseconds(20'000 + wave * 13), Microseconds(20'000))
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

TraceFrame makeFrame(const ConnectionHistory& history, TraceSet& traces, TimeSpan screen, std::size_t columns) {
  TraceFrame frame;
  frame.screen = screen;
  frame.perDivision = 5s;
  frame.reference = screen.to;
  for (std::size_t index = 0; index < traces.size(); ++index) {
    Trace& trace = traces.at(index);
    FrameTrace& shown = frame.traces.emplace_back();
    shown.label = QString::fromUtf8(metricRow(trace.metric).title.data());
    shown.unit = metricRow(trace.metric).unit;
    shown.style = static_cast<int>(trace.style);
    shown.samples = sampleTrace(history, trace.metric, screen, columns);
    trace.scale.adapt(shown.samples.smallest, shown.samples.largest);
    shown.scale = trace.scale;
  }
  return frame;
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
  std::vector<double> seconds;
  for (int number = 0; number < (quick ? 5 : 200); ++number) {
    // The screen scrolls, as it does live.
    const Moment end = *history.lastTime() + number * 5ms;
    seconds.push_back(threadCpuOf([&] {
      plot.setFrame(makeFrame(history, traces, {end - kSpan, end}, plot.columns()));
      plot.replotNow();
      plot.repaint();
    }));
  }
  const double middle = median(seconds) * 1e3;
  publish({fmt::format("scope frame, {} traces of 60 s at 100 Hz", traces.size()),
           fmt::format("{:.2f} ms (p99 {:.2f})", middle, quantile(seconds, 0.99) * 1e3), "", middle, "ms",
           quick ? std::nullopt : std::optional(8.0)});
  return 0;
}
