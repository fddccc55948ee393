// The figures of an RTT distribution for display.
#pragma once

#include "core/wire/flow/direction_summary.h"
#include "core/wire/flow/rtt_distribution.h"

namespace tcpscope {

/// Nothing without samples.
std::optional<RttSummary> summaryOf(const RttDistribution& rtts);

}  // namespace tcpscope
