// Two compared samples as they stand in documents: of durations in seconds, or of rates in bit/s.
#pragma once

#include "core/experiment/sample_comparison.h"
#include "core/report/json_values.h"

namespace tcpscope::json {

enum class SampleKind : std::uint8_t { durations, rates };

/// Both samples, their difference, and how many times as fast it is with the change.
Json comparison(const SampleComparison& compared, SampleKind kind);

}  // namespace tcpscope::json
