// What two samples say of a change.
#pragma once

#include <string>

#include "core/experiment/sample_comparison.h"

namespace tcpscope {

/// "7.7 times as fast with it (95 %: 7.1 to 8.3); chance alone brings so much in one of 1000 such comparisons or
/// fewer."
std::string sentence(const SampleComparison& comparison, SampleKind kind);

}  // namespace tcpscope
