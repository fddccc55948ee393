// The plots of one connection in a report: rate against what would be possible, limits over time, windows, RTT.
#pragma once

#include <vector>

#include "core/present/svg/time_plot.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Those with samples: none for a connection without history.
std::vector<TimePlot> plotsOf(const ConnectionDetail& detail);

}  // namespace tcpscope
