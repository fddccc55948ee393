#include "core/diagnosis/possible_rate.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_bound.h"

namespace tcpscope {

std::optional<BitsPerSecond> possibleSendRate(const SocketObservation& socket, const WindowStatistics& window,
                                              Limit held, std::optional<BitsPerSecond> goodput) {
  const bool pathMayHaveRoom = held == Limit::receiver || held == Limit::sendBuffer || held == Limit::application;
  if (!pathMayHaveRoom || !goodput) return std::nullopt;
  const DiagnosisInput input{socket, window, Side::sending};
  std::optional<BitsPerSecond> least;
  const auto take = [&least](const Bound& bound) {
    if (bound.applies && bound.rate) least = least ? std::min(*least, *bound.rate) : *bound.rate;
  };
  take(congestionWindowBound(input));
  take(pacingBound(input));
  if (held != Limit::receiver) take(receiverWindowBound(input));
  // A buffer that the kernel tunes grows as needed; one that the program fixed does not.
  if (held != Limit::sendBuffer && socket.bufferLocks && socket.bufferLocks->sendBuffer) take(sendBufferBound(input));
  constexpr double kClearlyMore = 1.15;
  if (!least || least->value() < kClearlyMore * goodput->value()) return std::nullopt;
  return least;
}

}  // namespace tcpscope
