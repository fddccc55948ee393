// The rate that loss allows CUBIC: its average window (limits/loss_response.h) over the RTT.
#pragma once

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// The formula; `lossEventsPerPacket` and `rttSeconds` must be above zero.
BitsPerSecond cubicRate(double mssBytes, double rttSeconds, double lossEventsPerPacket);

Bound cubicBound(const ConnectionEvidence& evidence, const Verdict& verdict);

/// For a direction of a capture, which shows no congestion control: what loss would allow CUBIC. It never applies.
Bound cubicBoundOfCapture(const ConnectionEvidence& evidence);

}  // namespace tcpscope
