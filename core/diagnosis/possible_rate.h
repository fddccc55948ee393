// What is known to limit a connection next, once the limit of a verdict is gone.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Smallest of the bounds other than `held` that stay where they are: the program's pacing limit, its locked send
/// buffer, the window scale of the handshake. Congestion window, receive window and tuned buffers grow with what is
/// sent, and say nothing about what the path carries. Absent where the path itself is the limit, where no such bound is
/// known, and where it would not be clearly more than `goodput`.
std::optional<BitsPerSecond> possibleSendRate(const ConnectionEvidence& evidence, Limit held,
                                              std::optional<BitsPerSecond> goodput);

}  // namespace tcpscope
