// What a packet graph shows over a span of time, in numbers: the table beside the plot.
#pragma once

#include <optional>
#include <vector>

#include "core/wire/series/direction_series.h"
#include "ui/plots/packet_lines.h"

namespace tcpscope {

struct ItemReading {
  GraphItem item = GraphItem::segment;
  /// How many there are; of lines how many points.
  std::uint64_t count = 0;
  /// Of what has values, in the unit of the graph; nothing without any.
  std::optional<ValueRange> range;
  /// Rates: over the whole span.
  std::optional<double> mean;
};

/// One for each item of the graph, in its order. Blocks are taken whole where the span holds them.
std::vector<ItemReading> readingsOf(const DirectionSeries& series, PacketGraph graph, TimeSpan span,
                                    const KernelSide& kernel = {});

/// A packet of a direction under the pointer.
struct PointedPacket {
  std::optional<SegmentPoint> segment;
  /// Of the segment.
  RetransmissionCause cause = RetransmissionCause::unknown;
  std::optional<AcknowledgmentPoint> acknowledgment;

  [[nodiscard]] bool isEmpty() const { return !segment && !acknowledgment; }
  /// Of what is not empty.
  [[nodiscard]] std::uint32_t number() const { return segment ? segment->packet : acknowledgment->packet; }
  [[nodiscard]] Moment time() const { return segment ? segment->time : acknowledgment->time; }
};

/// The packet nearest to a point of the graph, within `slack` of time and `valueSlack` of values; the time alone counts
/// where the graph has no sequence axis.
PointedPacket packetNear(const DirectionSeries& series, PacketGraph graph, Moment time, double value, Nanoseconds slack,
                         double valueSlack);
/// The same of what was clicked: a symbol of the graph (retransmission, duplicate acknowledgment, …) hides what is
/// behind it. `bottom`: the value at which graphs without a sequence axis draw the symbols of segments.
PointedPacket packetAt(const DirectionSeries& series, PacketGraph graph, Moment time, double value, Nanoseconds slack,
                       double valueSlack, double bottom);
/// The packet with this number in the capture; empty where the direction has none.
PointedPacket packetNumbered(const DirectionSeries& series, std::uint32_t number);

/// What the packet takes of the value axis of a graph: its sequence numbers, its RTT, …; nothing where the graph has no
/// place for it.
std::optional<ValueRange> placeOf(const DirectionSeries& series, PacketGraph graph, const PointedPacket& packet);

}  // namespace tcpscope
