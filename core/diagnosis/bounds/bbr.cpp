#include "core/diagnosis/bounds/bbr.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

BitsPerSecond withinWindows(BitsPerSecond rate, const DiagnosisInput& input) {
  for (const Bound& window : {receiverWindowBound(input), pacingBound(input)}) {
    if (window.applies && window.rate) rate = std::min(rate, *window.rate);
  }
  return rate;
}

}  // namespace

Bound bbrBound(const DiagnosisInput& input) {
  if (const auto& bbr = input.socket.bbr; bbr && bbr->bandwidth.value() > 0.0) {
    const double arrives = 1.0 - std::min(1.0, lossRatio(input.window).value_or(0.0));
    return {BoundModel::bbr, withinWindows(BitsPerSecond(bbr->bandwidth.value() * arrives), input), true,
            WhyNoBound::none};
  }
  const auto delivered = input.socket.info.deliveryRate();
  if (!delivered || delivered->value() <= 0.0) {
    return unknownBound(BoundModel::bbr, WhyNoBound::notReported);
  }
  return {BoundModel::bbr, withinWindows(*delivered, input), false, WhyNoBound::onlyDelivered};
}

}  // namespace tcpscope
