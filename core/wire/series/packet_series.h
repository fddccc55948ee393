// A connection of a capture packet by packet, as the packet graphs draw it: both directions.
//
// Optional: 32 bytes a segment and 32 an acknowledgment that says something new, whatever the length of the transfer.
// Feed it each packet right after the flow analysis has taken it; finish() once before it is drawn.
#pragma once

#include "core/wire/flow/flow_table.h"
#include "core/wire/series/direction_series.h"

namespace tcpscope {

class PacketSeries {
public:
  /// `clock` maps the capture's wall time to moments.
  explicit PacketSeries(ClockPair clock = {}) : m_clock(clock) {}

  /// `flow`: the result of FlowTable::take() for this packet.
  void take(const PacketSample& packet, const FlowPacket& flow);
  /// Takes over what the analysis knows only at the end: the causes as they stand, window scales.
  void finish(const CaptureConnection& connection);

  /// A copy of what is not older than `from`, which a plot may have while this one goes on growing.
  [[nodiscard]] PacketSeries since(Moment from) const;

  /// What `side` sent, and what its peer acknowledged.
  [[nodiscard]] const DirectionSeries& direction(FlowSide side) const { return m_directions[side]; }
  [[nodiscard]] bool isEmpty() const { return m_directions[0].isEmpty() && m_directions[1].isEmpty(); }
  /// Of the first and the last packet; meaningless where it is empty.
  [[nodiscard]] Moment firstTime() const { return m_first; }
  [[nodiscard]] Moment lastTime() const { return m_last; }
  [[nodiscard]] const ClockPair& clock() const { return m_clock; }
  [[nodiscard]] std::size_t residentBytes() const;

private:
  void takeSegment(const PacketSample& packet, const FlowPacket& flow);
  void takeAcknowledgment(const PacketSample& packet, const FlowPacket& flow);
  [[nodiscard]] Moment momentOf(WallTime time) const { return m_clock.monotonic + (time - m_clock.wall); }

  ClockPair m_clock;
  std::array<DirectionSeries, 2> m_directions;
  Moment m_first;
  Moment m_last;
};

}  // namespace tcpscope
