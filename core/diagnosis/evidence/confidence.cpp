#include "core/diagnosis/evidence/confidence.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

double confidenceFromLead(double lead) {
  return 0.6 + 0.4 * std::sqrt(std::clamp(lead, 0.0, 1.0));
}

double confidenceInData(const ConnectionEvidence& evidence) {
  constexpr Milliseconds kShort{1500};
  constexpr std::uint32_t kFewSamples = 2;
  constexpr double kDoubt = 0.75;
  double confidence = 1.0;
  if (evidence.span() < kShort) confidence *= kDoubt;
  // Counters that stood still need no second sample to be believed.
  if (evidence.bytes == 0U && evidence.oppositeBytes == 0U) return confidence;
  if (evidence.samples < kFewSamples) confidence *= kDoubt;
  // Samples are taken at a steady pace: one step that is most of a span of several is a gap.
  const bool hasGap = evidence.samples > kFewSamples && evidence.longestStep * 10 > evidence.span() * 6;
  if (hasGap) confidence *= kDoubt;
  return confidence;
}

}  // namespace tcpscope
