#include "core/diagnosis/evidence/window_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/diagnosis/limits/socket_state.h"
#include "core/model/interval_metrics.h"
#include "core/model/unacked_bytes.h"

namespace tcpscope {

namespace {

// Always inline as the fields are: what returns an optional, and what takes one that was just made.

/// Growth of a counter; absent where one of the samples does not report it.
template <class Quantity>
[[gnu::always_inline]] inline std::optional<std::uint64_t> growthOf(const std::optional<Quantity>& before,
                                                                    const std::optional<Quantity>& now, unsigned bits) {
  if (!before || !now) return std::nullopt;
  return counterDelta(before->value(), now->value(), bits).value_or(0);
}

template <class Number, class Part>
[[gnu::always_inline]] inline void addTo(OptionalCount<Number>& sum, const Part& part) {
  if (part) sum.add(*part);
}

template <class Quantity>
[[gnu::always_inline]] inline void addTo(SpanFigure& figure, const std::optional<Quantity>& value) {
  if (value) figure.add(static_cast<double>(value->value()));
}

[[gnu::always_inline]] inline void addTimesMss(SpanFigure& figure, const std::optional<Segments>& segments,
                                               const std::optional<Bytes>& mss) {
  if (segments && mss) figure.add(static_cast<double>(segments->value()) * static_cast<double>(mss->value()));
}

void addFigures(WindowStatistics& window, const SocketObservation& now) {
  const TcpInfoSample& info = now.info;
  const auto rtt = info.rtt();
  if (rtt && rtt->count() > 0) window.rttUs.add(static_cast<double>(rtt->count()));
  addTo(window.peerWindowBytes, info.sndWnd());
  addTo(window.advertisedWindowBytes, advertisedWindow(info));
  addTo(window.inFlightBytes, unackedBytes(now));
  addTimesMss(window.congestionWindowBytes, info.sndCwnd(), info.sndMss());
  addTo(window.notSentBytes, info.notsentBytes());
  window.receiveQueueBytes.add(static_cast<double>(now.receiveQueue.value()));
  if (now.receiveQueue > Bytes(0)) ++window.samplesWithUnreadData;
  if (now.memory && now.memory->sendBuffer.value() > 0) {
    window.sendBufferFillRatio.add(now.memory->sendQueued / now.memory->sendBuffer);
  }
}

/// Nothing where a figure that it takes is not reported. A slower pace of growth is no restart: a window that shrank by
/// less than a quarter was only not used up (RFC 7661).
std::optional<bool> restartedAfterIdle(const TcpInfoSample& before, const TcpInfoSample& now) {
  constexpr double kClearly = 0.75;
  const auto was = before.sndCwnd();
  const auto is = now.sndCwnd();
  const auto lost = growthOf(before.totalRetrans(), now.totalRetrans(), 32);
  if (!was || !is || !lost || !before.caState() || !now.caState()) return std::nullopt;
  const bool isUndisturbed = *lost == 0 && *before.caState() == CaState::open && *now.caState() == CaState::open &&
                             growthOf(before.deliveredCe(), now.deliveredCe(), 32).value_or(0) == 0;
  return isUndisturbed && static_cast<double>(is->value()) <= kClearly * static_cast<double>(was->value());
}

void addArrivals(WindowStatistics& window, const SocketObservation& before, const SocketObservation& now) {
  const auto arrived = growthOf(before.info.bytesReceived(), now.info.bytesReceived(), 64);
  if (!arrived || *arrived == 0) return;
  ++window.samplesWithArrivals;
  window.arrivalRate.add(BitsPerSecond::from(Bytes(*arrived), now.takenAt - before.takenAt).value());
  const auto outOfOrder = growthOf(before.info.rcvOoopack(), now.info.rcvOoopack(), 32);
  if (outOfOrder) window.samplesOutOfOrder.add(*outOfOrder > 0 ? 1U : 0U);
}

/// Of data that was sent and data that arrived at the same tick of the kernel's clock (1 to 10 ms): was it sent last?
/// Nothing where that does not show.
std::optional<bool> sentLastInTick(const TcpInfoSample& now) {
  // No answer comes sooner than the path allows: what was sent is the answer.
  constexpr Microseconds kLongPath{12'000};
  if (now.minRtt() >= kLongPath) return true;
  // What had arrived later would have acknowledged it.
  return now.unacked() > Segments(0) ? std::optional(true) : std::nullopt;
}

/// The kernel knows when data was last sent and when it last arrived: one turn, whatever happened in the step before.
void addTurn(WindowStatistics& window, const TcpInfoSample& before, const TcpInfoSample& now) {
  const auto sinceSent = now.lastDataSent();
  const auto sinceArrived = now.lastDataRecv();
  const auto arrived = growthOf(before.bytesReceived(), now.bytesReceived(), 64);
  const auto sent = growthOf(before.dataSegsOut(), now.dataSegsOut(), 32);
  // Before that the ages count from the handshake.
  const bool bothCarried = now.bytesReceived() > Bytes(0) && now.dataSegsOut() > Segments(0);
  if (!sinceSent || !sinceArrived || !bothCarried || (arrived == 0U && sent == 0U)) return;
  const auto turn = static_cast<double>((*sinceArrived - *sinceSent).count());
  auto sentLast = turn == 0.0 ? sentLastInTick(now) : std::optional(turn > 0.0);
  // Within one tick the step shows which came last, if one of them did.
  if (turn == 0.0 && (arrived == 0U || sent == 0U)) sentLast = sent > 0U;
  if (!sentLast) return;
  (*sentLast ? window.ownTurnUs : window.peersTurnUs).add(std::abs(turn));
}

void countSamples(WindowStatistics& window, const SocketObservation& before, const SocketObservation& now) {
  const auto count = [](OptionalCount<std::uint32_t>& counter, bool holds) { counter.add(holds ? 1U : 0U); };
  const auto peerWindow = now.info.sndWnd();
  const auto peerWindowBefore = before.info.sndWnd();
  if (peerWindow) {
    count(window.samplesWithPeerWindowClosed, *peerWindow == Bytes(0));
    if (!window.peerWindowShrinks) window.peerWindowShrinks.emplace();
    if (peerWindowBefore) window.peerWindowShrinks->addStep(peerWindowBefore->value(), peerWindow->value());
  }
  if (now.info.notsentBytes()) count(window.samplesWithSmallWriteWaiting, smallWriteWaits(now));
  if (const auto restarted = restartedAfterIdle(before.info, now.info)) count(window.idleRestarts, *restarted);
  if (const auto state = now.info.caState()) {
    count(window.samplesInRecovery, *state == CaState::recovery);
    count(window.samplesInLoss, *state == CaState::loss);
  }
}

/// Counts the step as a loss event unless it follows the one before it by less than an RTT.
void countLossEvents(WindowStatistics& window, const SocketObservation& before, const SocketObservation& now,
                     bool sentData, bool lost) {
  if (!sentData && !lost) return;
  const Moment end = std::max(now.takenAt, before.takenAt + now.info.rtt().value_or(Microseconds(0)));
  if (!window.lastLossOpportunity || before.takenAt >= *window.lastLossOpportunity) {
    ++window.lossOpportunities;
    window.lastLossOpportunity = end;
  }
  if (lost && (!window.losses || before.takenAt >= window.losses->last)) {
    if (!window.losses) window.losses.emplace();
    LossEventFigures& losses = *window.losses;
    constexpr Segments kNoThreshold{0x7fffffff};
    const auto threshold = now.info.sndSsthresh();
    if (threshold && *threshold < kNoThreshold) {
      losses.thresholdsAfter.add(static_cast<double>(threshold->value()));
    }
    if (const auto rtt = std::max(before.info.rtt(), now.info.rtt())) {
      losses.rttUs.add(static_cast<double>(rtt->count()));
    }
    if (const auto sent = now.info.dataSegsOut()) losses.segmentsBetween.addEventAt(sent->value());
    ++window.lossEvents;
    losses.last = end;
  }
}

bool changed(const SocketObservation& before, const SocketObservation& now) {
  const auto was = before.info.bytes();
  const auto is = now.info.bytes();
  return was.size() != is.size() || std::memcmp(was.data(), is.data(), is.size()) != 0;
}

}  // namespace

void EventSpacing::addEventAt(std::uint64_t counter) {
  if (!m_first) m_first = counter;
  if (m_last && counter > *m_last) m_distances.add(static_cast<double>(counter - *m_last));
  m_last = counter;
}

EventSpacing& EventSpacing::operator+=(const EventSpacing& later) {
  if (!later.m_first) return *this;
  addEventAt(*later.m_first);
  m_distances += later.m_distances;
  m_last = later.m_last;
  return *this;
}

LossEventFigures& LossEventFigures::operator+=(const LossEventFigures& later) {
  last = later.last;
  rttUs += later.rttUs;
  thresholdsAfter += later.thresholdsAfter;
  segmentsBetween += later.segmentsBetween;
  return *this;
}

void WindowStatistics::addStep(const SocketObservation& before, const SocketObservation& now, ChronographCarry& carry) {
  if (now.takenAt <= before.takenAt) return;
  if (samples == 0) from = before.takenAt;
  to = now.takenAt;
  ++samples;
  sending += sendingLimits(before, now, carry);
  receiving += receivingLimits(before, now);
  if (changed(before, now)) longestStep = std::max(longestStep, now.takenAt - before.takenAt);

  addGrowth(before, now);
  addFigures(*this, now);
  countSamples(*this, before, now);
  addArrivals(*this, before, now);
  addTurn(*this, before.info, now.info);
}

void WindowStatistics::addGrowth(const SocketObservation& before, const SocketObservation& now) {
  const TcpInfoSample& was = before.info;
  const TcpInfoSample& is = now.info;
  const auto sent = growthOf(was.dataSegsOut(), is.dataSegsOut(), 32);
  const auto retransmitted = growthOf(was.totalRetrans(), is.totalRetrans(), 32);
  const auto duplicates = growthOf(was.dsackDups(), is.dsackDups(), 32);
  addTo(ackedBytes, growthOf(was.bytesAcked(), is.bytesAcked(), 64));
  addTo(receivedBytes, growthOf(was.bytesReceived(), is.bytesReceived(), 64));
  addTo(dataSegmentsOut, sent);
  addTo(dataSegmentsIn, growthOf(was.dataSegsIn(), is.dataSegsIn(), 32));
  addTo(retransmittedSegments, retransmitted);
  addTo(duplicatesReported, duplicates);
  addTo(timeouts, growthOf(was.totalRto(), is.totalRto(), 16));
  addTo(reorderingEvents, growthOf(was.reordSeen(), is.reordSeen(), 32));
  addTo(deliveredSegments, growthOf(was.delivered(), is.delivered(), 32));
  addTo(markedSegments, growthOf(was.deliveredCe(), is.deliveredCe(), 32));
  addTo(markedArrivals, growthOf(was.receivedCe(), is.receivedCe(), 32));
  addTo(outOfOrderSegments, growthOf(was.rcvOoopack(), is.rcvOoopack(), 32));
  // Without reports of duplicates (before Linux 4.19) this is an upper limit.
  countLossEvents(*this, before, now, sent.value_or(0) > 0, retransmitted.value_or(0) > duplicates.value_or(0));
}

void WindowStatistics::addSilence(const SocketObservation& still, Moment silentFrom, Moment silentTo) {
  if (silentTo <= silentFrom) return;
  if (samples == 0) from = silentFrom;
  to = silentTo;
  ++samples;
  sending.add(sendingLimitOfSilence(still), silentTo - silentFrom);
  receiving.add(receivingLimitOfSilence(still), silentTo - silentFrom);
  addGrowth(still, still);
  addFigures(*this, still);
  countSamples(*this, still, still);
}

WindowStatistics& WindowStatistics::operator+=(const WindowStatistics& later) {
  if (later.samples == 0) return *this;
  if (samples == 0) return *this = later;
  to = later.to;
  samples += later.samples;
  sending += later.sending;
  receiving += later.receiving;
  addTo(ackedBytes, later.ackedBytes);
  addTo(receivedBytes, later.receivedBytes);
  addTo(dataSegmentsOut, later.dataSegmentsOut);
  addTo(dataSegmentsIn, later.dataSegmentsIn);
  addTo(retransmittedSegments, later.retransmittedSegments);
  addTo(duplicatesReported, later.duplicatesReported);
  addTo(timeouts, later.timeouts);
  addTo(reorderingEvents, later.reorderingEvents);
  addTo(deliveredSegments, later.deliveredSegments);
  addTo(markedSegments, later.markedSegments);
  addTo(markedArrivals, later.markedArrivals);
  addTo(outOfOrderSegments, later.outOfOrderSegments);
  lossEvents += later.lossEvents;
  lossOpportunities += later.lossOpportunities;
  if (later.lastLossOpportunity) lastLossOpportunity = later.lastLossOpportunity;
  if (later.losses) {
    if (!losses) losses.emplace();
    *losses += *later.losses;
  }
  rttUs += later.rttUs;
  peerWindowBytes += later.peerWindowBytes;
  advertisedWindowBytes += later.advertisedWindowBytes;
  inFlightBytes += later.inFlightBytes;
  congestionWindowBytes += later.congestionWindowBytes;
  notSentBytes += later.notSentBytes;
  sendBufferFillRatio += later.sendBufferFillRatio;
  receiveQueueBytes += later.receiveQueueBytes;
  addTo(samplesWithPeerWindowClosed, later.samplesWithPeerWindowClosed);
  if (later.peerWindowShrinks) {
    if (!peerWindowShrinks) peerWindowShrinks.emplace();
    *peerWindowShrinks += *later.peerWindowShrinks;
  }
  addTo(samplesInRecovery, later.samplesInRecovery);
  addTo(samplesInLoss, later.samplesInLoss);
  addTo(idleRestarts, later.idleRestarts);
  addTo(samplesWithSmallWriteWaiting, later.samplesWithSmallWriteWaiting);
  ownTurnUs += later.ownTurnUs;
  peersTurnUs += later.peersTurnUs;
  samplesWithArrivals += later.samplesWithArrivals;
  samplesWithUnreadData += later.samplesWithUnreadData;
  addTo(samplesOutOfOrder, later.samplesOutOfOrder);
  arrivalRate += later.arrivalRate;
  longestStep = std::max(longestStep, later.longestStep);
  return *this;
}

std::optional<double> WindowStatistics::estimatedLossEvents() const {
  if (!retransmittedSegments) return std::nullopt;
  if (lossEvents == 0) return 0.0;
  const double withEvent = static_cast<double>(lossEvents) / std::max(lossOpportunities, lossEvents);
  constexpr double kNearlyEvery = 0.8;
  if (withEvent > kNearlyEvery) return std::nullopt;
  return -std::log1p(-withEvent) * lossOpportunities;
}

}  // namespace tcpscope
