// What would be possible if the limit of a verdict were gone: the next limit in force.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Smallest of the window bounds other than `held`; it may grow further once it is reached. Nothing where the path
/// itself is the limit, nothing is known, or it would not be clearly more than `goodput`.
std::optional<BitsPerSecond> possibleSendRate(const ConnectionEvidence& evidence, Limit held,
                                              std::optional<BitsPerSecond> goodput);

}  // namespace tcpscope
