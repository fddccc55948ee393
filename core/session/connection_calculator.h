// The figures of a connection that calculations begin with.
#pragma once

#include "core/advice/stated_figures.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Of this side, as samples or packets show it; what they do not show is absent. The window is the smaller of the
/// receive window and, for what this end sends, the congestion window, where both are known; a loss ratio is absent
/// where no loss was seen. Another MTU is jumbo frames.
StatedFigures figuresOf(const ConnectionDetail& detail, Side side);

}  // namespace tcpscope
