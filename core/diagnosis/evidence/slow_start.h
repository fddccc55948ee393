// Slow start: whether a transfer is still in it, and how many RTTs it takes.
//
// Linux adds one segment to the congestion window for each that is acknowledged (RFC 3465 without a limit), so that the
// window doubles each RTT and equals the initial window and all that was delivered.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// RFC 6928.
inline constexpr Segments kInitialWindow{10};
/// What a route may be given instead (`initcwnd`): three times as much, as large senders of the web use.
inline constexpr Segments kLargerInitialWindow{32};

/// Segments of data that the connection has delivered since it was opened; nothing where it is not known.
std::optional<double> transferredSegments(const ConnectionEvidence& evidence);

/// All that the connection has delivered, it has delivered in its opening slow start: nothing was lost, and the window
/// grew with every segment. False where it is not known, and where the initial window was enough.
bool isInOpeningSlowStart(const ConnectionEvidence& evidence);

/// RTTs in which `segments` are sent and acknowledged, the window doubling from the initial one.
double slowStartRtts(double segments, Segments initialWindow);

/// RTTs that each burst after a silence takes because the window starts again from a small one; nothing where it
/// does not, or where loss does not steer the congestion control, which has a window of its own making then.
std::optional<double> idleRestartRtts(const ConnectionEvidence& evidence);

}  // namespace tcpscope
