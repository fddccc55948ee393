#include "core/diagnosis/bounds/bbr.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

BitsPerSecond withinWindows(BitsPerSecond rate, const ConnectionEvidence& evidence) {
  for (const Bound& window : {receiverWindowBound(evidence), pacingBound(evidence)}) {
    if (window.applies && window.rate) rate = std::min(rate, *window.rate);
  }
  return rate;
}

}  // namespace

Bound bbrBound(const ConnectionEvidence& evidence) {
  if (const auto& bandwidth = evidence.bbrBandwidth; bandwidth && bandwidth->value() > 0.0) {
    // Without a known loss ratio the bandwidth alone is the looser bound.
    const double delivered = 1.0 - std::min(1.0, lossRatio(evidence).value_or(0.0));
    return {BoundModel::bbr, withinWindows(BitsPerSecond(bandwidth->value() * delivered), evidence), true,
            WhyNoBound::none};
  }
  const auto& delivered = evidence.deliveryRate;
  if (!delivered || delivered->value() <= 0.0) return unknownBound(BoundModel::bbr, WhyNoBound::notReported);
  return {BoundModel::bbr, withinWindows(*delivered, evidence), false, WhyNoBound::onlyDelivered};
}

}  // namespace tcpscope
