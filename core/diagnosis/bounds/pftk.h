// The rate that loss allows where timeouts happen, too: RFC 5348 §3.1, after Padhye, Firoiu, Towsley, Kurose 1998.
//
// X = s / (R * sqrt(2bp/3) + t_RTO * 3 * sqrt(3bp/8) * p * (1 + 32 p^2)), with b = 1: a Linux sender counts what is
// acknowledged, so that delayed acknowledgments do not slow it. t_RTO is the kernel's own (tcpi_rto). For Reno.
#pragma once

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// All must be above zero, `lossEventsPerPacket` at most 1.
BitsPerSecond pftkRate(double mssBytes, double rttSeconds, double timeoutSeconds, double lossEventsPerPacket);

Bound pftkBound(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope
