// The rate that loss allows HighSpeed TCP: its response function over the RTT (RFC 3649 §5).
//
// w = 0.12 / p^0.835 segments above its low window of 38 (p below 1e-3), below that as Reno: 1.2 / sqrt(p).
#pragma once

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Segments; `lossEventsPerPacket` must be above zero.
double highspeedWindow(double lossEventsPerPacket);

/// That window over the RTT, which must be above zero, too.
BitsPerSecond highspeedRate(double mssBytes, double rttSeconds, double lossEventsPerPacket);

Bound highspeedBound(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope
