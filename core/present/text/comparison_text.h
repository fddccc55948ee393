// Comparisons in words: of two samples, and of a transfer before and after a change.
#pragma once

#include <string>
#include <string_view>

#include "core/base/sample_comparison.h"
#include "core/session/change_proof.h"

namespace tcpscope {

/// "7.7 times as fast with it (95 %: 7.1 to 8.3); chance alone brings so much in one of 1000 such comparisons or
/// fewer." `which`: what is after, and what it is compared with where that is not clear.
std::string sentence(const SampleComparison& comparison, SampleKind kind, std::string_view which = "with it");

/// For two things that were seen each for itself, of which the second counts as after.
inline constexpr std::string_view kSecondAgainstFirst = "in the second as in the first";

/// What is known by now, or what is waited for.
std::string sentence(const ChangeProof& proof);
/// "before: 10.4 Mbit/s (95 %: 10.2 to 10.6), median 10.4, SD 0.2, n = 12"; empty until it is compared.
std::string figures(const ChangeProof& proof);

}  // namespace tcpscope
