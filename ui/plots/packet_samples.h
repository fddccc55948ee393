// What captured packets give to the scope: the points of a trace on the screen, and what is read of it.
//
// On the axis of the kernel's samples. Before the first and behind the last captured packet nothing is known; between
// two packets a value holds.
#pragma once

#include "core/session/capture/captured_packets.h"
#include "ui/plots/cursor_pair.h"
#include "ui/plots/trace_samples.h"
#include "ui/plots/trace_source.h"

namespace tcpscope {

class PacketSamples {
public:
  /// `local` is the end of the connection whose traces these are. The packets outlive this.
  PacketSamples(const CapturedPackets& packets, const Endpoint& local);

  /// At most one point a column, on a grid that does not move with the screen. `columns` above zero.
  [[nodiscard]] TraceSamples onScreen(PacketTrace trace, TimeSpan screen, std::size_t columns) const;
  /// Rates are those of the bin of the plot that holds the moment; `averaged` is its length (rateSpan() of the screen).
  [[nodiscard]] std::optional<double> valueAt(PacketTrace trace, Moment at, Nanoseconds averaged) const;
  /// Over the packets from `from` to `to`; of a rate over averages. Nothing where no packet says something.
  [[nodiscard]] std::optional<SpanSummary> summarize(PacketTrace trace, TimeSpan span) const;
  [[nodiscard]] CursorReading read(PacketTrace trace, const CursorPair& cursors, Nanoseconds averaged) const;

private:
  [[nodiscard]] const DirectionSeries& series(PacketTrace trace) const;
  /// Before and behind the captured packets, and where the last average is not complete.
  void leaveOutUnknownRates(TraceSamples& samples, Nanoseconds averaged) const;
  /// Packets were captured over all of it.
  [[nodiscard]] bool isCaptured(TimeSpan span) const;
  [[nodiscard]] std::optional<double> rateAt(PacketTrace trace, Moment at, Nanoseconds averaged) const;
  [[nodiscard]] std::optional<double> rateIn(PacketTrace trace, TimeSpan span) const;
  [[nodiscard]] std::optional<SpanSummary> summarizeRate(PacketTrace trace, TimeSpan span) const;

  const CapturedPackets& m_packets;
  std::size_t m_sent;
};

}  // namespace tcpscope
