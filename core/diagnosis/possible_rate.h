// What would be possible if the limit of a verdict were gone: the next limit in force.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"

namespace tcpscope {

/// Smallest of the window bounds other than `held`; it may grow further once it is reached. Nothing where the path
/// itself is the limit, nothing is known, or it would not be clearly more than `goodput`.
std::optional<BitsPerSecond> possibleSendRate(const SocketObservation& socket, const WindowStatistics& window,
                                              Limit held, std::optional<BitsPerSecond> goodput);

}  // namespace tcpscope
