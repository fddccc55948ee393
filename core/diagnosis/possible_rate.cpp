#include "core/diagnosis/possible_rate.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_bound.h"

namespace tcpscope {

std::optional<BitsPerSecond> possibleSendRate(const ConnectionEvidence& evidence, Limit held,
                                              std::optional<BitsPerSecond> goodput) {
  const bool pathMayHaveRoom = held == Limit::receiver || held == Limit::sendBuffer || held == Limit::application;
  if (!pathMayHaveRoom || !goodput) return std::nullopt;
  std::optional<BitsPerSecond> least;
  const auto take = [&least](const Bound& bound) {
    if (bound.applies && bound.rate) least = least ? std::min(*least, *bound.rate) : *bound.rate;
  };
  take(congestionWindowBound(evidence));
  take(pacingBound(evidence));
  if (held != Limit::receiver) take(receiverWindowBound(evidence));
  // A buffer that the kernel tunes grows as needed; one that the program fixed does not.
  if (held != Limit::sendBuffer && evidence.hasLockedBuffer()) take(sendBufferBound(evidence));
  constexpr double kClearlyMore = 1.15;
  if (!least || least->value() < kClearlyMore * goodput->value()) return std::nullopt;
  return least;
}

}  // namespace tcpscope
