// Two compared samples as they stand in documents.
#pragma once

#include "core/base/sample_comparison.h"
#include "core/present/json/json_writer.h"

namespace tcpscope::json {

/// Both samples, their difference, and how many times as fast it is with the change.
void comparisonMembers(JsonWriter& out, const SampleComparison& compared, SampleKind kind);

}  // namespace tcpscope::json
