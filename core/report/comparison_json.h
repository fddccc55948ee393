// Two compared samples as they stand in documents.
#pragma once

#include "core/experiment/sample_comparison.h"
#include "core/report/json_values.h"

namespace tcpscope::json {

/// Both samples, their difference, and how many times as fast it is with the change.
Json comparison(const SampleComparison& compared, SampleKind kind);

}  // namespace tcpscope::json
