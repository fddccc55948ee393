// Gaps between losses, in packets, as a mixture of two geometric distributions, and the two-state loss model with a
// partly lossy bad state that it is the image of. A part of burst_model.
#pragma once

#include <optional>
#include <vector>

#include "core/wire/loss/burst_model.h"

namespace tcpscope {

struct GapCount {
  /// 1 for neighbours.
  double packets = 1.0;
  double count = 0.0;
};
using GapCounts = std::vector<GapCount>;

struct HiddenStates {
  Estimate goodToBad;
  Estimate badToGood;
  Estimate lossInBad;
};

/// Nothing where a bad state that loses everything explains the gaps as well (likelihood ratio, 5 %), or where the fit
/// lies outside what the model can be.
std::optional<HiddenStates> fitHiddenStates(const GapCounts& gaps);

}  // namespace tcpscope
