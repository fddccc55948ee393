// The figures of a distribution of round trips that people read.
#pragma once

#include "core/wire/flow/direction_summary.h"
#include "core/wire/flow/round_trip_distribution.h"

namespace tcpscope {

/// Nothing without samples.
std::optional<RoundTripSummary> summaryOf(const RoundTripDistribution& roundTrips);

}  // namespace tcpscope
