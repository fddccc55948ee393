// Why a limit held for the data this end sends, as far as this end can tell.
#pragma once

#include "core/diagnosis/evidence/diagnosis_input.h"
#include "core/diagnosis/limits/socket_signs.h"

namespace tcpscope {

/// A cause, and how much it takes away from the confidence of the verdict (1: nothing).
struct CauseFound {
  Cause cause = Cause::unknown;
  double confidence = 1.0;
};

/// The peer's window: a reader that is slow makes it move or close, a small buffer keeps it still (the distinction is
/// that of the Web100 users' guide), the window scale caps it.
CauseFound causeOfReceiverLimit(const SocketObservation& socket, const WindowStatistics& window);

CauseFound causeOfSendBufferLimit(const SocketObservation& socket);

/// Loss, a queue, marks, reordering, the program's own pacing limit; else the path is full.
CauseFound causeOfNetworkLimit(const SocketObservation& socket, const WindowStatistics& window);
/// The same where it is known by other means than the name of the congestion control whether it slows down for loss.
CauseFound causeOfNetworkLimit(const SocketObservation& socket, const WindowStatistics& window, bool slowsDownForLoss);

/// Waiting for timeouts: packets are lost, or none of full size ever arrives.
CauseFound causeOfTimeouts(const SocketObservation& socket, const WindowStatistics& window);

}  // namespace tcpscope
