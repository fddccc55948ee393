// A connection that never lost anything left slow start at a threshold that Linux remembered from an earlier one to the
// same address (net/ipv4/tcp_metrics.c): from there it grows by a segment a round trip.
//
// Only where the kernel is told to remember (tcp_no_ssthresh_metrics_save 0; it does not by default since Linux 5.6).
// CUBIC's HyStart sets a threshold without a loss, too, but never below a window of 16 segments
// (net/ipv4/tcp_cubic.c).
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> rememberedThreshold(const AdviceInput& input);

}  // namespace tcpscope::remedies
