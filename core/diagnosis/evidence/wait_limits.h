// From the waits of a captured sender to limits: two waits look alike from outside, for the congestion window and for
// the send buffer.
//
// They are the network's where the path shows that it limits the rate: by a queue, by CE marks, or by losses for which
// the sender slows down. Otherwise they are unknown.
#pragma once

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

bool pathLimitsRate(const ConnectionEvidence& evidence);

/// Packets wait in a queue on the path, and enough are in flight that delayed acknowledgments do not explain it.
bool streamHasQueue(const ConnectionEvidence& evidence, const Rtt& trip, double inFlightBytes);

/// Waits as limits; `clock` is the network where the path limits the rate, else unknown.
/// Waits of a sender that repairs losses without sending more slowly are waits for its congestion window.
bool sendsOnThroughLoss(const ConnectionEvidence& evidence);
LimitShares limitsOf(const SenderWaits& waits, bool pathLimitsRate, bool sendsOnThroughLoss);

}  // namespace tcpscope
