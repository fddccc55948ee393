#include "core/session/history_events.h"

#include <algorithm>

namespace tcpscope {

namespace {

bool closedNow(const std::optional<Bytes>& before, const std::optional<Bytes>& now) {
  return before && now && before->value() != 0 && now->value() == 0;
}

template <class Value>
bool changed(const std::optional<Value>& before, const std::optional<Value>& now) {
  return before && now && *before != *now;
}

bool inRecovery(const std::optional<CaState>& state) {
  return state == CaState::recovery || state == CaState::loss;
}

/// The congestion window may still be above the new threshold.
bool isReducing(const std::optional<CaState>& state) {
  return inRecovery(state) || state == CaState::congestionWindowReduced;
}

/// By how many segments the congestion window falls, 0 where it does not.
std::uint64_t congestionWindowDrop(const TcpInfoSample& was, const TcpInfoSample& is) {
  const auto before = was.sndCwnd();
  const auto now = is.sndCwnd();
  if (!before || !now) return 0;
  const auto threshold = is.sndSsthresh();
  const bool isNew = was.sndSsthresh() != threshold;
  // The fall to a new threshold begins here, and may take an RTT, a few segments per acknowledgment (RFC 6937).
  if (isNew && threshold && *threshold < *before && (isReducing(is.caState()) || *now < *before)) {
    return before->value() - std::min(threshold->value(), now->value());
  }
  const bool goesOn = isReducing(was.caState()) && !isNew;
  if (goesOn && (isReducing(is.caState()) || now >= threshold)) return 0;
  // A fifth is less than any loss response takes (CUBIC 30 %, Reno 50 %) and more than a window varies without loss.
  return now->value() * 5 < before->value() * 4 ? before->value() - now->value() : 0;
}

}  // namespace

void appendEvents(const SocketObservation& before, const SocketObservation& now, std::vector<HistoryEvent>& events) {
  const auto add = [&](HistoryEventKind kind, std::uint64_t count) { events.push_back({now.takenAt, kind, count}); };
  const TcpInfoSample& was = before.info;
  const TcpInfoSample& is = now.info;

  const auto retransmitted = counterDelta(was.totalRetrans(), is.totalRetrans(), 32);
  if (retransmitted.value_or(0) > 0) add(HistoryEventKind::retransmission, *retransmitted);
  const auto timeouts = counterDelta(was.totalRto(), is.totalRto(), 16);
  if (timeouts.value_or(0) > 0) add(HistoryEventKind::timeout, *timeouts);
  if (closedNow(was.sndWnd(), is.sndWnd())) add(HistoryEventKind::peerWindowClosed, 1);
  if (closedNow(was.rcvWnd(), is.rcvWnd())) add(HistoryEventKind::ownWindowClosed, 1);
  if (!inRecovery(was.caState()) && inRecovery(is.caState())) add(HistoryEventKind::recoveryStarted, 1);
  if (before.state != now.state) add(HistoryEventKind::stateChanged, 1);
  if (before.congestionControl != now.congestionControl) add(HistoryEventKind::congestionControlChanged, 1);
  if (changed(was.pmtu(), is.pmtu()) || changed(was.maxPacingRate(), is.maxPacingRate())) {
    add(HistoryEventKind::settingChanged, 1);
  }
  if (const auto segments = congestionWindowDrop(was, is); segments > 0) {
    add(HistoryEventKind::congestionWindowDrop, segments);
  }
}

std::uint64_t timesOf(const HistoryEvent& event) {
  return event.kind == HistoryEventKind::congestionWindowDrop ? 1 : std::max<std::uint64_t>(event.count, 1);
}

std::map<HistoryEventKind, std::uint64_t> timesByKind(std::span<const HistoryEvent> events) {
  std::map<HistoryEventKind, std::uint64_t> times;
  for (const HistoryEvent& event : events) times[event.kind] += timesOf(event);
  return times;
}

}  // namespace tcpscope
