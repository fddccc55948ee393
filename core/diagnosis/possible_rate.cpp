#include "core/diagnosis/possible_rate.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/limits/socket_state.h"

namespace tcpscope {

namespace {

bool windowIsNearItsScale(const ConnectionEvidence& evidence) {
  constexpr double kNear = 0.25;
  const auto largest = evidence.receiveWindowBytes.largest();
  return evidence.windowScale && largest && *largest >= kNear * windowCeilingBytes(*evidence.windowScale);
}

}  // namespace

std::optional<BitsPerSecond> possibleSendRate(const ConnectionEvidence& evidence, Limit held,
                                              std::optional<BitsPerSecond> goodput) {
  const bool pathMayHaveRoom = held == Limit::receiver || held == Limit::sendBuffer || held == Limit::application;
  if (!pathMayHaveRoom || !goodput) return std::nullopt;
  std::optional<BitsPerSecond> least;
  const auto take = [&least](const Bound& bound) {
    if (bound.applies && bound.rate) least = least ? std::min(*least, *bound.rate) : *bound.rate;
  };
  take(pacingBound(evidence));
  // Far above every path, as a rule: worth naming only where the window is near it.
  if (windowIsNearItsScale(evidence)) take(windowScaleBound(evidence));
  if (held != Limit::sendBuffer && evidence.hasLockedBuffer()) take(sendBufferBound(evidence));
  constexpr double kClearlyMore = 1.15;
  if (!least || least->value() < kClearlyMore * goodput->value()) return std::nullopt;
  return least;
}

}  // namespace tcpscope
