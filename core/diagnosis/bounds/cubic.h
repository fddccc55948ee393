// The rate that loss allows CUBIC: its average window over the RTT (RFC 9438 §5.1, beta 0.7, C 0.4).
//
// AVG_W = (C * (3 + beta) / (4 * (1 - beta)))^(1/4) * (RTT / p)^(3/4) segments, and never below what it estimates for
// Reno, 1.2 / sqrt(p): on short paths it goes with that one.
#pragma once

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Segments; both must be above zero.
double cubicWindow(double rttSeconds, double lossEventsPerPacket);

Bound cubicBound(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope
