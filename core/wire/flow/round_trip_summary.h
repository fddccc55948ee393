// The figures of an RTT distribution for display.
#pragma once

#include "core/wire/flow/direction_summary.h"
#include "core/wire/flow/round_trip_distribution.h"

namespace tcpscope {

/// Nothing without samples.
std::optional<RoundTripSummary> summaryOf(const RoundTripDistribution& roundTrips);

}  // namespace tcpscope
