// Evidence from samples of a socket: sock_diag, and the text of ss, whose observations lack what ss does not print.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"
#include "core/diagnosis/evidence/window_statistics.h"

namespace tcpscope {

/// `socket` is the newest sample of the span, `window` the sum of its steps.
ConnectionEvidence kernelEvidence(const SocketObservation& socket, const WindowStatistics& window, Side side);

/// Direction with more bytes in the span, else since the connection was opened; sending where both are equal.
Side bulkSide(const SocketObservation& socket, const WindowStatistics& window);

}  // namespace tcpscope
