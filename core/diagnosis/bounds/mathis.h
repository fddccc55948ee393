// The rate that loss allows: BW = (MSS / RTT) * C / sqrt(p), p being loss events per packet.
//
// Mathis, Semke, Mahdavi, Ott: "The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm", 1997. Holds for
// congestion controls of the Reno kind (CUBIC has a model of its own), bulk data, up to about 2 % of loss events,
// without timeouts, and while neither a window nor the program holds the sender back. C is that of a sender which
// counts acknowledged segments, as Linux does: delayed acknowledgments do not slow it.
#pragma once

#include "core/diagnosis/bounds/loss_basis.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// sqrt(3/2): periodic loss. Random loss gives up to 1.31.
inline constexpr double kMathisConstant = 1.2247;

/// The formula; `lossEventsPerPacket` and `rttSeconds` must be above zero.
BitsPerSecond mathisRate(double mssBytes, double rttSeconds, double lossEventsPerPacket,
                         double constant = kMathisConstant);

/// For the sending side. `verdict` shows whether the path limited the connection.
Bound mathisBound(const ConnectionEvidence& evidence, const Verdict& verdict);

/// For a direction of a capture, which shows no congestion control: what loss would allow one of the Reno kind. It
/// never applies.
Bound mathisBoundOfCapture(const ConnectionEvidence& evidence);

}  // namespace tcpscope
