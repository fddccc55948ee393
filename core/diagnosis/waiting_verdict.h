// The verdict of a connection that waits for its peer: one that opens, or one that is stalled.
//
// Nothing moves on it, so that its time cannot be shared out to limits. What it waits for, and for how long, the socket
// itself shows: its state, its timer, the tries so far.
#pragma once

#include "core/diagnosis/evidence/window_statistics.h"
#include "core/diagnosis/verdict.h"

namespace tcpscope {

/// From the evidence of the sending side. Nothing where the connection is open and data moves, or none waits.
std::optional<Verdict> waitingVerdict(const ConnectionEvidence& sending, WithEvidence with);

/// The same, without evidence, from a socket: costs next to nothing for one that is merely idle or busy.
std::optional<Verdict> waitingVerdict(const SocketObservation& socket, const WindowStatistics& window);

/// How long the peer has not answered: since the first try, or since its last acknowledgment where that is later.
std::optional<Nanoseconds> silenceOfPeer(const ConnectionEvidence& sending);

}  // namespace tcpscope
