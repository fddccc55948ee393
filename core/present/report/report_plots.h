// The plots of one connection in a report: rate against what would be possible, limits over time, windows, round trips.
#pragma once

#include <vector>

#include "core/present/svg/time_plot.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Those that there are samples for: none of a connection whose past nobody kept.
std::vector<TimePlot> plotsOf(const ConnectionDetail& detail);

}  // namespace tcpscope
