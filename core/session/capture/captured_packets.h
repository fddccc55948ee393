// One connection of a capture in full: its packets for the graphs, and its whole analysis.
#pragma once

#include "core/session/capture/connection_analysis.h"
#include "core/wire/series/packet_series.h"

namespace tcpscope {

struct CapturedPackets {
  PacketSeries series;
  ConnectionAnalysis analysis;
  /// Side of the series that is the first direction of the analysis.
  FlowSide initiator = 0;
  /// Number of the live capture that goes on adding to it; 0 for a file's.
  std::uint32_t live = 0;

  /// `direction`: 0 what the initiator sent, 1 the other way, as in the analysis.
  [[nodiscard]] const DirectionSeries& sent(std::size_t direction) const {
    return series.direction(static_cast<FlowSide>(direction == 0 ? initiator : 1 - initiator));
  }
};

}  // namespace tcpscope
