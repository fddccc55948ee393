// The comparison of two samples in words.
#pragma once

#include <string>
#include <string_view>

#include "core/base/sample_comparison.h"

namespace tcpscope {

/// "7.7 times as fast with it (95 %: 7.1 to 8.3); chance alone brings so much in one of 1000 such comparisons or
/// fewer." `which`: what is after, and what it is compared with where that is not clear.
std::string sentence(const SampleComparison& comparison, SampleKind kind, std::string_view which = "with it");

/// For two things that were seen each for itself, of which the second counts as after.
inline constexpr std::string_view kSecondAgainstFirst = "in the second as in the first";

}  // namespace tcpscope
