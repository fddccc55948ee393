#include <algorithm>

#include "core/limits/limit_timeline.h"
#include "core/limits/socket_signs.h"
#include "core/metric/chronograph.h"
#include "core/metric/interval_metrics.h"

namespace tcpscope {

namespace {

/// What this look says about the time in which data was outstanding and neither the peer's window nor a chronograph of
/// the send buffer held it back.
Limit limitOfBusyTime(const SocketObservation& socket, bool timeoutsAreTimed) {
  const auto state = socket.info.caState();
  if (state == CaState::loss && !timeoutsAreTimed) return Limit::timeout;
  if (state == CaState::recovery) return Limit::recovery;
  // Before the application: a program that waits for room in the buffer has nothing else to send, and the kernel flags
  // that as app-limited, too.
  if (sendBufferUsedUp(socket)) return Limit::sendBuffer;
  if (hasNothingToSend(socket)) return Limit::application;
  return Limit::network;
}

std::optional<std::uint64_t> raw(const std::optional<Bytes>& bytes) {
  return bytes ? std::optional<std::uint64_t>(bytes->value()) : std::nullopt;
}

}  // namespace

LimitShares sendingLimits(const SocketObservation& before, const SocketObservation& now) {
  LimitShares shares;
  const Nanoseconds span = now.takenAt - before.takenAt;
  if (span <= Nanoseconds::zero()) return shares;
  const TcpInfoSample& was = before.info;
  const TcpInfoSample& is = now.info;
  const auto busy = chronographDelta(was.busyTime(), is.busyTime(), span);
  const auto byReceiver = chronographDelta(was.rwndLimited(), is.rwndLimited(), span);
  const auto bySendBuffer = chronographDelta(was.sndbufLimited(), is.sndbufLimited(), span);
  if (!busy || !byReceiver || !bySendBuffer) {
    shares.add(Limit::unknown, span);
    return shares;
  }

  Nanoseconds rest = span;
  const auto take = [&](Limit limit, Nanoseconds part) {
    const Nanoseconds taken = std::clamp(part, Nanoseconds::zero(), rest);
    shares.add(limit, taken);
    rest -= taken;
  };
  take(Limit::receiver, *byReceiver);
  take(Limit::sendBuffer, *bySendBuffer);
  Nanoseconds notBusy = span - std::max(*busy, *byReceiver + *bySendBuffer);
  notBusy = std::clamp(notBusy, Nanoseconds::zero(), rest);
  // A pause between data is the program's; silence without any data is nobody's.
  const bool dataMoved = counterDelta(raw(was.bytesAcked()), raw(is.bytesAcked()), 64).value_or(0) > 0;
  take(dataMoved ? Limit::application : Limit::idle, notBusy);

  const auto inTimeout = chronographDelta(was.totalRtoTime(), is.totalRtoTime(), span);
  take(Limit::timeout, inTimeout.value_or(Nanoseconds::zero()));
  // Each look speaks for the half of the step that is next to it.
  take(limitOfBusyTime(before, inTimeout.has_value()), rest / 2);
  take(limitOfBusyTime(now, inTimeout.has_value()), rest);
  return shares;
}

}  // namespace tcpscope
