#include "core/diagnosis/evidence/kernel_evidence.h"

#include <algorithm>

#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

namespace {

std::optional<Microseconds> measured(const std::optional<Microseconds>& time) {
  return time && time->count() > 0 ? time : std::nullopt;
}

std::optional<NegotiatedOptions> optionsOf(const TcpInfoSample& info) {
  const auto options = info.options();
  if (!options) return std::nullopt;
  return NegotiatedOptions{options->timestamps(), options->sack(), options->windowScale(), options->ecn()};
}

/// Kernel and ss report each threshold but the infinite one, which holds until the first slow start ends.
std::optional<bool> isInSlowStart(const TcpInfoSample& info) {
  const auto window = info.sndCwnd();
  if (!window || window->value() == 0) return std::nullopt;
  return !info.sndSsthresh() || *window < *info.sndSsthresh();
}

void fillState(const SocketObservation& socket, ConnectionEvidence& evidence) {
  const TcpInfoSample& info = socket.info;
  evidence.state = socket.state;
  evidence.servicePort = std::min(socket.local.port, socket.remote.port);
  evidence.isLoopback = socket.remote.address.unmapped().isLoopback();
  evidence.options = optionsOf(info);
  evidence.mss = info.sndMss();
  if (const auto mtu = info.pmtu()) evidence.pathMtu = Bytes(mtu->value());
  if (!socket.congestionControl.empty()) {
    evidence.congestionControl = socket.congestionControl;
    evidence.slowsDownForLoss = slowsDownForLoss(socket.congestionControl.text());
  }
  evidence.maxPacingRate = info.maxPacingRate();
  evidence.bufferLocks = socket.bufferLocks;
  evidence.caState = info.caState();
  evidence.congestionWindow = info.sndCwnd();
  evidence.slowStartThreshold = info.sndSsthresh();
  evidence.isInSlowStart = isInSlowStart(info);
  evidence.memory = socket.memory;
  evidence.sendQueue = socket.sendQueue;
  evidence.rtt = measured(info.rtt());
  evidence.minRtt = measured(info.minRtt());
  evidence.retransmissionTimeout = measured(info.rto());
  evidence.consecutiveTimeouts = info.retransmits();
  evidence.nagle = socket.nagle;
  evidence.userTimeout = socket.userTimeout;
  evidence.isHeldByProgram = socket.inode != 0;
  evidence.timer = socket.timer;
  evidence.unansweredTries = info.retransmits();
  evidence.backoff = info.backoff();
  evidence.deliveryRate = info.deliveryRate();
  if (socket.bbr) evidence.bbrBandwidth = socket.bbr->bandwidth;
  evidence.totalBytesSent = info.bytesSent();
  evidence.totalBytesRetransmitted = info.bytesRetrans();
  evidence.totalDataSegments = info.dataSegsOut();
  evidence.totalDelivered = info.delivered();
  evidence.totalRetransmissions = info.totalRetrans();
  evidence.totalDuplicates = info.dsackDups();
  evidence.totalCeMarks = info.deliveredCe();
}

/// An age grows while nothing changes, and is not sampled again.
std::optional<Microseconds> ageNow(const std::optional<Microseconds>& age, const SocketObservation& socket,
                                   Moment now) {
  if (!age) return std::nullopt;
  const Nanoseconds since = std::max(now - socket.takenAt, Nanoseconds::zero());
  return *age + std::chrono::duration_cast<Microseconds>(since);
}

/// Linux counts the ages from the end of the handshake; before it they count from nowhere.
void fillAges(const SocketObservation& socket, Moment now, ConnectionEvidence& evidence) {
  if (socket.state == TcpState::synSent) return;
  evidence.sinceLastAck = ageNow(socket.info.lastAckRecv(), socket, now);
  evidence.sinceLastSend = ageNow(socket.info.lastDataSent(), socket, now);
}

/// Those of an earlier look say nothing about this span.
void fillProgramWaits(const SocketObservation& socket, Moment from, ConnectionEvidence& evidence) {
  if (socket.programWaits && socket.programWaits->until > from) evidence.programWaits = socket.programWaits;
}

/// Something waits, and nothing could be sent since then.
void fillWindowClosed(const SocketObservation& socket, ConnectionEvidence& evidence) {
  constexpr std::uint32_t kEnoughSamples = 2;
  const bool isClosed = evidence.receiveWindow == Bytes(0) && socket.sendQueue > Bytes(0);
  if (isClosed && evidence.windowClosedSamples >= kEnoughSamples) evidence.windowClosedFor = evidence.sinceLastSend;
}

void fillSpan(const WindowStatistics& window, ConnectionEvidence& evidence) {
  evidence.from = window.from;
  evidence.to = window.to;
  evidence.samples = window.samples;
  evidence.longestStep = window.longestStep;
  evidence.dataSegments = window.dataSegmentsOut;
  evidence.retransmittedSegments = window.retransmittedSegments;
  evidence.duplicateSegments = window.duplicatesReported;
  evidence.timeouts = window.timeouts;
  evidence.reorderingEvents = window.reorderingEvents;
  evidence.deliveredSegments = window.deliveredSegments;
  evidence.outOfOrderSegments = window.outOfOrderSegments;
  if (window.retransmittedSegments) evidence.lossEvents = window.lossEvents;
  evidence.estimatedLossEvents = window.estimatedLossEvents();
  evidence.rttUs = window.rttUs;
  evidence.inFlightBytes = window.inFlightBytes;
  evidence.congestionWindowBytes = window.congestionWindowBytes;
  evidence.notSentBytes = window.notSentBytes;
  evidence.sendBufferFillRatio = window.sendBufferFillRatio;
  evidence.unreadBytes = window.receiveQueueBytes;
  if (!window.receiveQueueBytes.empty()) evidence.unreadSamples = window.samplesWithUnreadData;
  if (window.losses) {
    evidence.rttAtLossUs = window.losses->rttUs;
    evidence.windowsAfterLoss = window.losses->thresholdsAfter;
    evidence.segmentsBetweenLosses = window.losses->segmentsBetween.distances();
  }
  evidence.idleRestarts = window.idleRestarts;
  evidence.ownTurnUs = window.ownTurnUs;
  evidence.peersTurnUs = window.peersTurnUs;
  evidence.nagleSamples = window.samplesWithSmallWriteWaiting;
  if (!window.arrivalRate.empty()) evidence.arrivalSamples = window.samplesWithArrivals;
  evidence.outOfOrderSamples = window.samplesOutOfOrder;
  evidence.arrivalRate = window.arrivalRate;
  if (window.samplesInRecovery && window.samplesInLoss) {
    evidence.recoverySamples = *window.samplesInRecovery + *window.samplesInLoss;
  }
}

}  // namespace

ConnectionEvidence kernelEvidence(const SocketObservation& socket, const WindowStatistics& window, Side side) {
  const TcpInfoSample& info = socket.info;
  ConnectionEvidence evidence;
  evidence.side = side;
  evidence.carriesBulk = bulkSide(socket, window) == side;
  fillState(socket, evidence);
  fillSpan(window, evidence);
  fillAges(socket, window.to, evidence);
  fillProgramWaits(socket, window.from, evidence);
  if (side == Side::sending) {
    evidence.vantage = Vantage::sender;
    evidence.windowScale = info.sndWscale();
    evidence.oppositeWindowScale = info.rcvWscale();
    evidence.receiveWindow = info.sndWnd();
    evidence.totalBytes = info.bytesAcked();
    evidence.limits = window.sending;
    evidence.bytes = window.ackedBytes;
    evidence.oppositeBytes = window.receivedBytes;
    evidence.oppositeSegments = window.dataSegmentsIn;
    evidence.ceMarkedSegments = window.markedSegments;
    evidence.receiveWindowBytes = window.peerWindowBytes;
    if (window.peerWindowShrinks) evidence.windowShrunkSamples = window.peerWindowShrinks->count();
    evidence.windowClosedSamples = window.samplesWithPeerWindowClosed;
    fillWindowClosed(socket, evidence);
  } else {
    evidence.vantage = Vantage::receiver;
    evidence.windowScale = info.rcvWscale();
    evidence.oppositeWindowScale = info.sndWscale();
    evidence.receiveWindow = info.rcvWnd();
    evidence.receiverRtt = measured(info.rcvRtt());
    evidence.totalBytes = info.bytesReceived();
    evidence.limits = window.receiving;
    evidence.bytes = window.receivedBytes;
    evidence.oppositeBytes = window.ackedBytes;
    evidence.oppositeSegments = window.dataSegmentsOut;
    evidence.ceMarkedSegments = window.markedArrivals;
    evidence.receiveWindowBytes = window.advertisedWindowBytes;
  }
  return evidence;
}

Side bulkSide(const SocketObservation& socket, const WindowStatistics& window) {
  std::uint64_t sent = window.ackedBytes.value_or(0);
  std::uint64_t received = window.receivedBytes.value_or(0);
  if (sent == 0 && received == 0) {
    sent = socket.info.bytesAcked().value_or(Bytes(0)).value();
    received = socket.info.bytesReceived().value_or(Bytes(0)).value();
  }
  return received > sent ? Side::receiving : Side::sending;
}

}  // namespace tcpscope
