#include "core/diagnosis/limits/limit_timeline.h"
#include "core/diagnosis/limits/socket_state.h"
#include "core/model/interval_metrics.h"

namespace tcpscope {

namespace {

/// Did the peer send as fast as the advertised window allows at the minimum RTT that this end has seen?
/// With a longer RTT the window would allow less, so that the answer never errs towards "the window".
bool windowWasUsedUp(const SocketObservation& now, std::uint64_t receivedBytes, Nanoseconds span) {
  constexpr double kUsedUp = 0.7;
  const auto window = advertisedWindow(now.info);
  const auto rtt = now.info.minRtt();
  if (!window || window->value() == 0 || !rtt || rtt->count() <= 0) return false;
  const double perRtt = static_cast<double>(receivedBytes) * toSeconds(*rtt) / toSeconds(span);
  return perRtt >= kUsedUp * static_cast<double>(window->value());
}

std::optional<std::uint64_t> received(const SocketObservation& before, const SocketObservation& now) {
  return counterDelta(before.info.bytesReceived(), now.info.bytesReceived(), 64);
}

}  // namespace

Limit receivingLimitOfSilence(const SocketObservation& socket) {
  if (unreadDataFillsWindow(socket)) return Limit::application;
  return socket.info.bytesReceived() ? Limit::idle : Limit::unknown;
}

LimitShares receivingLimits(const SocketObservation& before, const SocketObservation& now) {
  LimitShares shares;
  const Nanoseconds span = now.takenAt - before.takenAt;
  if (span <= Nanoseconds::zero()) return shares;
  const auto receivedBytes = received(before, now);
  Limit unlessUnread = Limit::unknown;
  if (receivedBytes == std::uint64_t{0}) {
    unlessUnread = Limit::idle;
  } else if (receivedBytes && windowWasUsedUp(now, *receivedBytes, span)) {
    unlessUnread = Limit::receiver;
  }
  // Each sample stands for the half of the step next to it.
  shares.add(unreadDataFillsWindow(before) ? Limit::application : unlessUnread, span / 2);
  shares.add(unreadDataFillsWindow(now) ? Limit::application : unlessUnread, span - span / 2);
  return shares;
}

}  // namespace tcpscope
