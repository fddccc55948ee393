// What a single look at a socket tells about who holds it back: signs that limits, verdict and rules share.
//
// Each is true only where the kernel reports what it needs.
#pragma once

#include "core/observation/socket_observation.h"

namespace tcpscope {

/// The program's data fills the send buffer, all of it is under way, and the congestion window and the peer's window
/// have room for more: the buffer bounds what is in flight. The kernel wakes a waiting writer when a third of the
/// buffer is free (sk_stream_is_writeable in include/net/sock.h), so that the fill swings between two thirds and the
/// whole.
bool sendBufferUsedUp(const SocketObservation& socket);

/// The sender is flagged app-limited, has room in the congestion window and less than a segment waits to be sent.
bool hasNothingToSend(const SocketObservation& socket);

/// The window this end advertises is closed, or more of it is filled by unread data than is free: the program here
/// does not read what has arrived.
bool unreadDataFillsWindow(const SocketObservation& socket);

}  // namespace tcpscope
