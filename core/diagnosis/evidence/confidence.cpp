#include "core/diagnosis/evidence/confidence.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

double confidenceFromLead(double lead) {
  return 0.6 + 0.4 * std::sqrt(std::clamp(lead, 0.0, 1.0));
}

double confidenceInData(const WindowStatistics& window) {
  constexpr Milliseconds kShort{1500};
  constexpr std::uint32_t kFewSamples = 2;
  constexpr double kDoubt = 0.75;
  double confidence = 1.0;
  if (window.span() < kShort) confidence *= kDoubt;
  // Counters that stood still need no second look to be believed.
  if (window.ackedBytes == 0 && window.receivedBytes == 0) return confidence;
  if (window.samples < kFewSamples) confidence *= kDoubt;
  // Samples are taken at a steady pace: one step that is most of a span of several is a gap.
  const bool hasGap = window.samples > kFewSamples && window.longestStep * 10 > window.span() * 6;
  if (hasGap) confidence *= kDoubt;
  return confidence;
}

}  // namespace tcpscope
