// What happened between two looks at a socket that is worth a mark on a trace.
#pragma once

#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Appends the events between `before` and `now`, all at `now.takenAt`, the moment they were seen.
void appendEvents(const SocketObservation& before, const SocketObservation& now, std::vector<HistoryEvent>& events);

}  // namespace tcpscope
