#include "core/diagnosis/bounds/mathis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/diagnosis/bounds/window_bound.h"

namespace tcpscope {

BitsPerSecond mathisRate(double mssBytes, double roundTripSeconds, double lossEventsPerPacket) {
  return BitsPerSecond::fromBytesPerSecond(mssBytes / roundTripSeconds * kMathisConstant /
                                           std::sqrt(lossEventsPerPacket));
}

bool mathisAppliesTo(std::string_view congestionControl) {
  constexpr std::array<std::string_view, 3> kLossBased = {"reno", "cubic", "highspeed"};
  return std::find(kLossBased.begin(), kLossBased.end(), congestionControl) != kLossBased.end();
}

Bound mathisBound(const DiagnosisInput& input, const Verdict& verdict) {
  const std::string_view control = input.socket.congestionControl.text();
  if (control.empty()) return unknownBound(BoundModel::mathis, WhyNoBound::notReported);
  if (!mathisAppliesTo(control)) return unknownBound(BoundModel::mathis, WhyNoBound::notLossBased);
  return boundOf(BoundModel::mathis, lossBasis(input, verdict, Timeouts::unknownToModel), [](const LossBasis& basis) {
    return mathisRate(basis.mssBytes, basis.roundTripSeconds, *basis.ratio);
  });
}

Bound mathisBoundOfCapture(const DiagnosisInput& input) {
  const WindowStatistics& window = input.window;
  Bound bound = unknownBound(BoundModel::mathis, WhyNoBound::congestionControlUnknown);
  const auto mss = input.socket.info.sndMss();
  const auto seconds = boundRoundTripSeconds(input);
  const bool isCountable = window.timeouts == 0 && window.dataSegmentsOut > 0 && window.lossEvents >= kFewestLossEvents;
  if (!mss || !seconds || !isCountable) return bound;
  const double ratio = static_cast<double>(window.lossEvents) / static_cast<double>(window.dataSegmentsOut);
  if (ratio <= kMostLossWithoutTimeouts) bound.rate = mathisRate(static_cast<double>(mss->value()), *seconds, ratio);
  return bound;
}

}  // namespace tcpscope
