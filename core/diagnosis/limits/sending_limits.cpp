#include <algorithm>

#include "core/diagnosis/limits/limit_timeline.h"
#include "core/diagnosis/limits/loss_response.h"
#include "core/diagnosis/limits/socket_state.h"
#include "core/model/chronograph.h"
#include "core/model/interval_metrics.h"

namespace tcpscope {

namespace {

/// The CA state is not reported, and the counts beside it do not rule out a recovery.
bool mayBeInRecovery(const TcpInfoSample& info) {
  return !info.caState() && (info.lost() != Segments(0) || info.retrans() != Segments(0));
}

/// The congestion control repairs what was lost in this step without sending more slowly.
bool lossIsSentThrough(const SocketObservation& before, const SocketObservation& now) {
  if (!ignoresLoss(now.congestionControl.text())) return false;
  const auto sent = counterDelta(before.info.dataSegsOut(), now.info.dataSegsOut(), 32);
  const auto again = counterDelta(before.info.totalRetrans(), now.info.totalRetrans(), 32);
  if (!sent || !again) return false;
  return static_cast<double>(*again) <= kMostLossSentThrough * static_cast<double>(*sent);
}

/// How long the sender waited for the retransmission timers that fired first in this step: each for one timeout without
/// back-off (total_rto_time runs from there to the end of the recovery).
Nanoseconds waitForTimers(const TcpInfoSample& before, const TcpInfoSample& now) {
  const auto episodes = counterDelta(before.totalRtoRecoveries(), now.totalRtoRecoveries(), 16);
  const auto timeout = before.rto();
  if (!episodes || !timeout) return Nanoseconds::zero();
  constexpr std::uint64_t kMostBackOff = 16;
  const std::uint64_t backOff = std::min<std::uint64_t>(before.retransmits().value_or(Count(0)).value(), kMostBackOff);
  return static_cast<std::int64_t>(*episodes) * (Nanoseconds(*timeout) / (std::int64_t{1} << backOff));
}

/// What this sample shows about the time in which data was in flight and neither the peer's receive window nor, by the
/// kernel's chronograph, the send buffer limited it.
template <class RepairsCostTime>
Limit limitOfBusyTime(const SocketObservation& socket, bool timeoutsAreTimed, const RepairsCostTime& repairsCostTime) {
  const auto state = socket.info.caState();
  if (state == CaState::loss && !timeoutsAreTimed) return Limit::timeout;
  const bool mayRepair = state == CaState::recovery || mayBeInRecovery(socket.info);
  // Asked last: most samples show that nothing is repaired.
  if (mayRepair && repairsCostTime()) return state == CaState::recovery ? Limit::recovery : Limit::unknown;
  // Before the application: one that waits for buffer space has nothing else to send, and the kernel flags that as
  // app-limited, too.
  if (sendBufferUsedUp(socket)) return Limit::sendBuffer;
  if (hasNothingToSend(socket)) return Limit::application;
  return Limit::network;
}

/// A sender that paces waits for its next slot more often than for the window, although it has learned that pace from
/// the window: the kernel's chronograph then shows a part only. A window's worth of data per RTT shows the rest.
bool peerWindowWasUsedUp(const SocketObservation& now, std::uint64_t ackedBytes, Nanoseconds span) {
  constexpr double kUsedUp = 0.8;
  const auto window = now.info.sndWnd();
  const auto rtt = now.info.rtt();
  if (!window || window->value() == 0 || !rtt) return false;
  const double perRtt = static_cast<double>(ackedBytes) * toSeconds(*rtt) / toSeconds(span);
  return perRtt >= kUsedUp * static_cast<double>(window->value());
}

}  // namespace

Limit sendingLimitOfSilence(const SocketObservation& socket) {
  const TcpInfoSample& info = socket.info;
  const bool isTimed = info.busyTime() && info.rwndLimited() && info.sndbufLimited();
  return isTimed ? Limit::idle : Limit::unknown;
}

LimitShares sendingLimits(const SocketObservation& before, const SocketObservation& now) {
  ChronographCarry carry;
  return sendingLimits(before, now, carry);
}

LimitShares sendingLimits(const SocketObservation& before, const SocketObservation& now, ChronographCarry& carry) {
  LimitShares shares;
  const Nanoseconds span = now.takenAt - before.takenAt;
  if (span <= Nanoseconds::zero()) return shares;
  const TcpInfoSample& was = before.info;
  const TcpInfoSample& is = now.info;
  const auto busy = chronographDelta(was.busyTime(), is.busyTime(), span, carry.busy);
  const auto byReceiver = chronographDelta(was.rwndLimited(), is.rwndLimited(), span, carry.receiver);
  const auto bySendBuffer = chronographDelta(was.sndbufLimited(), is.sndbufLimited(), span, carry.sendBuffer);
  if (!busy || !byReceiver || !bySendBuffer) {
    shares.add(Limit::unknown, span);
    return shares;
  }

  Nanoseconds rest = span;
  const auto take = [&](Limit limit, Nanoseconds part) {
    const Nanoseconds taken = std::max(Nanoseconds::zero(), std::min(part, rest));
    shares.add(limit, taken);
    rest -= taken;
  };
  take(Limit::receiver, *byReceiver);
  take(Limit::sendBuffer, *bySendBuffer);
  Nanoseconds notBusy = span - std::max(*busy, *byReceiver + *bySendBuffer);
  notBusy = std::max(Nanoseconds::zero(), std::min(notBusy, rest));
  // A pause between data is the application's; without any data the connection is idle.
  const std::uint64_t acked = counterDelta(was.bytesAcked(), is.bytesAcked(), 64).value_or(0);
  take(acked > 0 ? Limit::application : Limit::idle, notBusy);

  const auto inTimeout = chronographDelta(was.totalRtoTime(), is.totalRtoTime(), span, carry.timeout);
  // Part of the wait lies in the steps before, which did not show it: what is left is taken from the steps to come.
  if (inTimeout) {
    const Nanoseconds due = *inTimeout + carry.timerWait + waitForTimers(was, is);
    const Nanoseconds available = rest;
    take(Limit::timeout, due);
    carry.timerWait = due - (available - rest);
  }
  if (rest <= Nanoseconds::zero()) return shares;
  // Each sample stands for the half of the step next to it.
  const bool byWindow = *byReceiver > Nanoseconds::zero() && peerWindowWasUsedUp(now, acked, span);
  const auto repairsCostTime = [&] { return !lossIsSentThrough(before, now); };
  const auto takeBusyTime = [&](const SocketObservation& poll, Nanoseconds part) {
    const Limit limit = limitOfBusyTime(poll, inTimeout.has_value(), repairsCostTime);
    take(byWindow && limit == Limit::network ? Limit::receiver : limit, part);
  };
  takeBusyTime(before, rest / 2);
  takeBusyTime(now, rest);
  return shares;
}

}  // namespace tcpscope
