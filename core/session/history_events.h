// What happened between two looks at a socket that is worth a mark on a trace.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Appends the events between `before` and `now`, all at `now.takenAt`, the moment they were seen.
void appendEvents(const SocketObservation& before, const SocketObservation& now, std::vector<HistoryEvent>& events);

/// How often it happened. Of a drop of the congestion window `count` is how many segments it lost, which is one drop.
std::uint64_t timesOf(const HistoryEvent& event);
/// How often each kind happened; nothing of those that did not.
std::map<HistoryEventKind, std::uint64_t> timesByKind(std::span<const HistoryEvent> events);

}  // namespace tcpscope
