// The plots of one connection in a report: rate against what would be possible, limits over time, windows, RTT.
#pragma once

#include <optional>
#include <vector>

#include "core/present/svg/time_plot.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Those with samples: none for a connection without history. With a clock the time of day is known.
std::vector<TimePlot> plotsOf(const ConnectionDetail& detail, const std::optional<ClockPair>& clock = std::nullopt);

/// The first of them alone, between two moments.
std::optional<TimePlot> ratePlot(const ConnectionDetail& detail, const ClockPair& clock, Moment from, Moment to);

/// Direction of `packets`, which must be there, in which the bulk of the data went. A live capture counts directions
/// from the initiator of the connection, and that may be either end.
std::size_t bulkDirection(const ConnectionDetail& detail);

}  // namespace tcpscope
