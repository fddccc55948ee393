// One direction of a captured connection as text: data, retransmissions, limits.
#pragma once

#include "app/cli/side_output.h"
#include "core/session/capture/connection_analysis.h"

namespace tcpscope {

/// Everything that was sent more than once, or was lost before the capture point.
std::uint64_t retransmittedPackets(const DirectionSummary& direction);

void appendDirection(TextBuffer& out, const ConnectionAnalysis& analysis, std::size_t direction, const Style& style);

}  // namespace tcpscope
