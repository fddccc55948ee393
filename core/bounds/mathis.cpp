#include "core/bounds/mathis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/bounds/window_bound.h"
#include "core/diagnosis/path_figures.h"

namespace tcpscope {

namespace {

/// Loss events per packet above which timeouts rule.
constexpr double kMostLoss = 0.02;
/// Fewer events than this give no mean.
constexpr double kFewestEvents = 5.0;

bool pathHeldItBack(const Verdict& verdict) {
  return verdict.limit == Limit::network || verdict.limit == Limit::recovery || verdict.limit == Limit::timeout;
}

Bound without(WhyNoBound why) {
  return {BoundModel::mathis, std::nullopt, false, why};
}

}  // namespace

BitsPerSecond mathisRate(double mssBytes, double roundTripSeconds, double lossEventsPerPacket) {
  return BitsPerSecond::fromBytesPerSecond(mssBytes / roundTripSeconds * kMathisConstant /
                                           std::sqrt(lossEventsPerPacket));
}

bool mathisAppliesTo(std::string_view congestionControl) {
  constexpr std::array<std::string_view, 2> kLossBased = {"reno", "cubic"};
  return std::find(kLossBased.begin(), kLossBased.end(), congestionControl) != kLossBased.end();
}

Bound mathisBound(const DiagnosisInput& input, const Verdict& verdict) {
  const WindowStatistics& window = input.window;
  const TcpInfoSample& info = input.socket.info;
  const auto mss = info.sndMss();
  if (!mss || mss->value() == 0 || !info.dataSegsOut() || !info.totalRetrans()) return without(WhyNoBound::notReported);
  if (input.socket.congestionControl.empty()) return without(WhyNoBound::notReported);
  if (!mathisAppliesTo(input.socket.congestionControl.text())) return without(WhyNoBound::notLossBased);
  const auto seconds = boundRoundTripSeconds(input);
  if (!seconds) return without(WhyNoBound::noRttYet);
  if (window.timeouts > 0) return without(WhyNoBound::timeouts);
  const auto mssBytes = static_cast<double>(mss->value());
  if (neededRetransmissions(window) == 0) {
    if (window.dataSegmentsOut == 0) return without(WhyNoBound::noLossSeen);
    const double atMost = std::min(1.0, largestUnseenLossRatio(window.dataSegmentsOut));
    return {BoundModel::mathis, mathisRate(mssBytes, *seconds, atMost), false, WhyNoBound::noLossSeen};
  }
  if (!pathHeldItBack(verdict)) return without(WhyNoBound::notNetworkLimited);
  const auto events = window.estimatedLossEvents();
  if (!events) return without(WhyNoBound::samplesTooFarApart);
  if (*events < kFewestEvents) return without(WhyNoBound::tooFewLossEvents);
  const double ratio = *events / static_cast<double>(std::max<std::uint64_t>(window.dataSegmentsOut, 1));
  if (ratio > kMostLoss) return without(WhyNoBound::tooMuchLoss);
  return {BoundModel::mathis, mathisRate(mssBytes, *seconds, ratio), true, WhyNoBound::none};
}

Bound mathisBoundOfCapture(const DiagnosisInput& input) {
  const WindowStatistics& window = input.window;
  Bound bound = without(WhyNoBound::congestionControlUnknown);
  const auto mss = input.socket.info.sndMss();
  const auto seconds = boundRoundTripSeconds(input);
  const bool isCountable = window.timeouts == 0 && window.dataSegmentsOut > 0 && window.lossEvents >= kFewestEvents;
  if (!mss || !seconds || !isCountable) return bound;
  const double ratio = static_cast<double>(window.lossEvents) / static_cast<double>(window.dataSegmentsOut);
  if (ratio <= kMostLoss) bound.rate = mathisRate(static_cast<double>(mss->value()), *seconds, ratio);
  return bound;
}

}  // namespace tcpscope
