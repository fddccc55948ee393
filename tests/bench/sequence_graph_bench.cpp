// The time-sequence graph of a million segments at 1280×720, drawn off screen: from packets to the first picture, then
// every picture of zooming in and panning through.
#include <fmt/core.h>

#include <QApplication>

#include "tests/bench/measurement.h"
#include "tests/ui/support/captured_drawing.h"
#include "ui/plots/packet_plot.h"
#include "ui/plots/zoom_window.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

constexpr std::uint32_t kSegments = 1'000'000;
constexpr std::uint32_t kQuickSegments = 10'000;
/// One segment in so many is lost.
constexpr std::uint32_t kLossEvery = 100;

PacketFrame frameOf(const std::shared_ptr<const CapturedPackets>& packets, const ZoomWindow& window) {
  PacketFrame frame;
  frame.series = &packets->sent(0);
  frame.owner = packets;
  frame.screen = window.shown();
  frame.reference = packets->series.firstTime();
  return frame;
}

void draw(PacketPlot& plot, const std::shared_ptr<const CapturedPackets>& packets, const ZoomWindow& window) {
  plot.setFrame(frameOf(packets, window));
  plot.replotNow();
  plot.repaint();
}

/// Pictures of going in to a hundredth of a second and of panning through at every scale.
std::vector<double> zoomAndPan(PacketPlot& plot, const std::shared_ptr<const CapturedPackets>& packets, int steps) {
  ZoomWindow window;
  window.setWhole({packets->series.firstTime(), packets->series.lastTime()});
  std::vector<double> seconds;
  const Moment anchor = window.whole().from + (window.whole().to - window.whole().from) / 3;
  for (int step = 0; step < steps; ++step) {
    seconds.push_back(threadCpuOf([&] { draw(plot, packets, window); }));
    window.pan((window.shown().to - window.shown().from) / 10);
    seconds.push_back(threadCpuOf([&] { draw(plot, packets, window); }));
    window.zoom(0.85, anchor);
  }
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const QApplication application(argc, argv);
  const std::vector<PacketSample> samples = test::drawnTransfer(quick ? kQuickSegments : kSegments, kLossEvery);
  PacketPlot plot;
  plot.resize(1280, 720);
  plot.show();
  QApplication::processEvents();

  std::shared_ptr<const CapturedPackets> packets;
  const double first = threadCpuOf([&] {
    packets = test::capturedPackets(samples);
    ZoomWindow window;
    window.setWhole({packets->series.firstTime(), packets->series.lastTime()});
    draw(plot, packets, window);
  });
  const std::size_t segments = packets->sent(0).segments().size();
  publish({fmt::format("sequence graph, {} segments: packets to first picture", segments),
           fmt::format("{:.0f} ms", first * 1e3), "", first * 1e3, "ms", quick ? std::nullopt : std::optional(500.0)});

  const std::vector<double> seconds = zoomAndPan(plot, packets, quick ? 5 : 60);
  const double slowest = quantile(seconds, 1.0) * 1e3;
  publish({"sequence graph, a picture of zoom and pan, the slowest",
           fmt::format("{:.2f} ms (median {:.2f})", slowest, median(seconds) * 1e3), "", slowest, "ms",
           quick ? std::nullopt : std::optional(16.0)});

  const double perPacket = static_cast<double>(packets->series.residentBytes()) / static_cast<double>(samples.size());
  publish({"plot series, a packet", fmt::format("{:.1f} bytes", perPacket), "", perPacket, "bytes",
           quick ? std::nullopt : std::optional(64.0)});
  return 0;
}
