#include "core/diagnosis/evidence/window_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/limits/socket_signs.h"
#include "core/model/interval_metrics.h"

namespace tcpscope {

namespace {

template <class Quantity>
std::uint64_t grown(const std::optional<Quantity>& before, const std::optional<Quantity>& now, unsigned bits) {
  if (!before || !now) return 0;
  return counterDelta(before->value(), now->value(), bits).value_or(0);
}

template <class Quantity>
void addTo(SpanFigure& figure, const std::optional<Quantity>& value) {
  if (value) figure.add(static_cast<double>(value->value()));
}

void addTimesMss(SpanFigure& figure, const std::optional<Segments>& segments, const std::optional<Bytes>& mss) {
  if (segments && mss) figure.add(static_cast<double>(segments->value()) * static_cast<double>(mss->value()));
}

void addFigures(WindowStatistics& window, const SocketObservation& now) {
  const TcpInfoSample& info = now.info;
  const auto rtt = info.rtt();
  if (rtt && rtt->count() > 0) window.rttUs.add(static_cast<double>(rtt->count()));
  addTo(window.peerWindowBytes, info.sndWnd());
  addTo(window.advertisedWindowBytes, advertisedWindow(info));
  addTimesMss(window.inFlightBytes, info.unacked(), info.sndMss());
  addTimesMss(window.congestionWindowBytes, info.sndCwnd(), info.sndMss());
  addTo(window.notSentBytes, info.notsentBytes());
  addTo(window.deliveryRateBps, info.deliveryRate());
  window.receiveQueueBytes.add(static_cast<double>(now.receiveQueue.value()));
  if (now.memory) {
    window.receiveAllocatedBytes.add(static_cast<double>(now.memory->receiveAllocated.value()));
    if (now.memory->sendBuffer.value() > 0) {
      window.sendBufferFillRatio.add(now.memory->sendQueued / now.memory->sendBuffer);
    }
  }
}

void countSigns(WindowStatistics& window, const SocketObservation& before, const SocketObservation& now) {
  const TcpInfoSample& info = now.info;
  const auto peerWindowBefore = before.info.sndWnd();
  const auto count = [](std::uint32_t& counter, bool sign) { counter += sign ? 1U : 0U; };
  count(window.samplesWithPeerWindowClosed, info.sndWnd() == Bytes(0));
  count(window.samplesWithPeerWindowShrunk, peerWindowBefore && info.sndWnd() && *info.sndWnd() < *peerWindowBefore);
  count(window.samplesWithOwnWindowClosed, info.rcvWnd() == Bytes(0));
  count(window.samplesWithUnreadData, unreadDataFillsWindow(now));
  count(window.samplesApplicationLimited, hasNothingToSend(now));
  count(window.samplesInRecovery, info.caState() == CaState::recovery);
  count(window.samplesInLoss, info.caState() == CaState::loss);
}

/// Counts the step as a loss event unless it overlaps the one before it by less than a round trip.
void countLossEvents(WindowStatistics& window, const SocketObservation& before, const SocketObservation& now,
                     bool sentData, bool lost) {
  if (!sentData && !lost) return;
  const Moment end = std::max(now.takenAt, before.takenAt + now.info.rtt().value_or(Microseconds(0)));
  if (!window.lastLossOpportunity || before.takenAt >= *window.lastLossOpportunity) {
    ++window.lossOpportunities;
    window.lastLossOpportunity = end;
  }
  if (lost && (!window.lastLossEvent || before.takenAt >= *window.lastLossEvent)) {
    constexpr Segments kNoThreshold{0x7fffffff};
    const auto threshold = now.info.sndSsthresh();
    if (threshold && *threshold < kNoThreshold) {
      window.thresholdsAfterLoss.add(static_cast<double>(threshold->value()));
    }
    if (const auto rtt = std::max(before.info.rtt(), now.info.rtt())) {
      window.rttAtLossUs.add(static_cast<double>(rtt->count()));
    }
    if (const auto sent = now.info.dataSegsOut()) window.segmentsBetweenLosses.addEventAt(sent->value());
    ++window.lossEvents;
    window.lastLossEvent = end;
  }
}

bool changed(const SocketObservation& before, const SocketObservation& now) {
  const auto was = before.info.bytes();
  const auto is = now.info.bytes();
  return !std::equal(was.begin(), was.end(), is.begin(), is.end());
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

bool WindowStatistics::sendBufferWasNeverFull() const {
  constexpr std::uint32_t kEnoughLooks = 8;
  constexpr double kToTheBrim = 0.9;
  const auto fullest = sendBufferFillRatio.largest();
  return sendBufferFillRatio.count() >= kEnoughLooks && fullest && *fullest < kToTheBrim;
}

double WindowStatistics::writerBehindRatio() const {
  const double byProgram = sending.ratio(Limit::application) + sending.ratio(Limit::idle);
  return sendBufferWasNeverFull() ? byProgram + sending.ratio(Limit::sendBuffer) : byProgram;
}

bool WindowStatistics::readerIsAlwaysBehind() const {
  constexpr std::uint32_t kEnoughLooks = 8;
  constexpr double kGoodPart = 0.25;
  const auto least = receiveQueueBytes.smallest();
  const auto room = advertisedWindowBytes.largest();
  return receiveQueueBytes.count() >= kEnoughLooks && least > 0.0 && room && *least >= kGoodPart * *room;
}

double WindowStatistics::readerBehindRatio() const {
  return readerIsAlwaysBehind() ? 1.0 - receiving.ratio(Limit::idle) : receiving.ratio(Limit::application);
}

void WindowStatistics::addStep(const SocketObservation& before, const SocketObservation& now, ChronographCarry& carry) {
  if (now.takenAt <= before.takenAt) return;
  if (samples == 0) from = before.takenAt;
  to = now.takenAt;
  ++samples;
  sending += sendingLimits(before, now, carry);
  receiving += receivingLimits(before, now);
  if (changed(before, now)) longestStep = std::max(longestStep, now.takenAt - before.takenAt);

  const TcpInfoSample& was = before.info;
  const TcpInfoSample& is = now.info;
  const std::uint64_t sent = grown(was.dataSegsOut(), is.dataSegsOut(), 32);
  const std::uint64_t retransmitted = grown(was.totalRetrans(), is.totalRetrans(), 32);
  const std::uint64_t duplicates = grown(was.dsackDups(), is.dsackDups(), 32);
  ackedBytes += grown(was.bytesAcked(), is.bytesAcked(), 64);
  receivedBytes += grown(was.bytesReceived(), is.bytesReceived(), 64);
  dataSegmentsOut += sent;
  retransmittedSegments += retransmitted;
  duplicatesReported += duplicates;
  timeouts += grown(was.totalRto(), is.totalRto(), 16);
  reorderingEvents += grown(was.reordSeen(), is.reordSeen(), 32);
  deliveredSegments += grown(was.delivered(), is.delivered(), 32);
  markedSegments += grown(was.deliveredCe(), is.deliveredCe(), 32);
  outOfOrderSegments += grown(was.rcvOoopack(), is.rcvOoopack(), 32);
  countLossEvents(*this, before, now, sent > 0, retransmitted > duplicates);
  addFigures(*this, now);
  countSigns(*this, before, now);
}

void WindowStatistics::addSilence(const SocketObservation& still, Moment silentFrom, Moment silentTo) {
  if (silentTo <= silentFrom) return;
  if (samples == 0) from = silentFrom;
  to = silentTo;
  ++samples;
  sending.add(sendingLimitOfSilence(still), silentTo - silentFrom);
  receiving.add(receivingLimitOfSilence(still), silentTo - silentFrom);
  addFigures(*this, still);
  countSigns(*this, still, still);
}

WindowStatistics& WindowStatistics::operator+=(const WindowStatistics& later) {
  if (later.samples == 0) return *this;
  if (samples == 0) return *this = later;
  to = later.to;
  samples += later.samples;
  sending += later.sending;
  receiving += later.receiving;
  ackedBytes += later.ackedBytes;
  receivedBytes += later.receivedBytes;
  dataSegmentsOut += later.dataSegmentsOut;
  retransmittedSegments += later.retransmittedSegments;
  duplicatesReported += later.duplicatesReported;
  timeouts += later.timeouts;
  reorderingEvents += later.reorderingEvents;
  deliveredSegments += later.deliveredSegments;
  markedSegments += later.markedSegments;
  outOfOrderSegments += later.outOfOrderSegments;
  lossEvents += later.lossEvents;
  lossOpportunities += later.lossOpportunities;
  if (later.lastLossEvent) lastLossEvent = later.lastLossEvent;
  if (later.lastLossOpportunity) lastLossOpportunity = later.lastLossOpportunity;
  rttUs += later.rttUs;
  rttAtLossUs += later.rttAtLossUs;
  peerWindowBytes += later.peerWindowBytes;
  advertisedWindowBytes += later.advertisedWindowBytes;
  inFlightBytes += later.inFlightBytes;
  congestionWindowBytes += later.congestionWindowBytes;
  thresholdsAfterLoss += later.thresholdsAfterLoss;
  segmentsBetweenLosses += later.segmentsBetweenLosses;
  notSentBytes += later.notSentBytes;
  sendBufferFillRatio += later.sendBufferFillRatio;
  receiveQueueBytes += later.receiveQueueBytes;
  receiveAllocatedBytes += later.receiveAllocatedBytes;
  deliveryRateBps += later.deliveryRateBps;
  samplesWithPeerWindowClosed += later.samplesWithPeerWindowClosed;
  samplesWithPeerWindowShrunk += later.samplesWithPeerWindowShrunk;
  samplesWithOwnWindowClosed += later.samplesWithOwnWindowClosed;
  samplesWithUnreadData += later.samplesWithUnreadData;
  samplesApplicationLimited += later.samplesApplicationLimited;
  samplesInRecovery += later.samplesInRecovery;
  samplesInLoss += later.samplesInLoss;
  longestStep = std::max(longestStep, later.longestStep);
  return *this;
}

std::optional<double> WindowStatistics::estimatedLossEvents() const {
  if (lossEvents == 0) return 0.0;
  const double withEvent = static_cast<double>(lossEvents) / std::max(lossOpportunities, lossEvents);
  constexpr double kNearlyEvery = 0.8;
  if (withEvent > kNearlyEvery) return std::nullopt;
  return -std::log1p(-withEvent) * lossOpportunities;
}

}  // namespace tcpscope
