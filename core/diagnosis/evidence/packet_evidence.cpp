#include "core/diagnosis/evidence/packet_evidence.h"

#include <algorithm>

#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/wait_limits.h"

namespace tcpscope {

namespace {

/// Payload of a full segment: the MSS that the receiver offered, less the timestamps; never 0, whatever a SYN says.
std::uint64_t segmentBytes(const DirectionSummary& sent, const DirectionSummary& other) {
  constexpr std::uint64_t kUsual = 1460;
  constexpr std::uint64_t kTimestamps = 12;
  const std::uint64_t mss = other.offered && other.offered->mss ? other.offered->mss->value() : kUsual;
  const bool withTimestamps = sent.offered && other.offered && sent.offered->timestamps && other.offered->timestamps;
  const std::uint64_t payload = withTimestamps && mss > kTimestamps ? mss - kTimestamps : mss;
  return std::max<std::uint64_t>(payload, 1);
}

std::uint64_t retransmissionsOf(const DirectionSummary& sent, std::uint64_t duplicateReports) {
  std::uint64_t all = 0;
  for (std::size_t cause = 0; cause < kRetransmissionCauseCount; ++cause) {
    const auto which = static_cast<RetransmissionCause>(cause);
    if (which != RetransmissionCause::syn) all += sent.causes.of(which).value();
  }
  // Of a packet that arrived late and was retransmitted meanwhile, one copy fills the gap and the other is a
  // duplicate: one retransmission.
  const std::uint64_t twice =
      std::min({sent.sent.filledHolePackets.value(), sent.sent.retransmittedPackets.value(), duplicateReports});
  return all - std::min(all, twice);
}

/// CUBIC reduces its window to 0.7, Reno to a half; a control that ignores loss keeps it.
bool isReduction(double backOff) {
  constexpr double kReduced = 0.87;
  return backOff < kReduced;
}

/// A segment of full size was retransmitted by timeout more than once, and never acknowledged.
bool fullSegmentsWait(const DirectionSummary& sent, std::uint64_t segmentBytes, StreamOffset acknowledged) {
  constexpr std::ptrdiff_t kRepeatedly = 2;
  const auto isOne = [&](const Retransmission& one) {
    return one.trigger == RetransmissionCause::timeout && one.begin >= acknowledged && one.payloadBytes >= segmentBytes;
  };
  return std::count_if(sent.retransmissions.begin(), sent.retransmissions.end(), isOne) >= kRepeatedly;
}

/// Known only from a whole handshake.
std::optional<NegotiatedOptions> negotiated(const std::optional<OfferedOptions>& one,
                                            const std::optional<OfferedOptions>& other) {
  if (!one || !other || one->mayBeIncomplete || other->mayBeIncomplete) return std::nullopt;
  return NegotiatedOptions{one->timestamps && other->timestamps, one->sack && other->sack,
                           one->windowScale && other->windowScale, one->ecn && other->ecn};
}

std::optional<Count> shift(const std::optional<std::uint8_t>& windowScale) {
  return windowScale ? std::optional(Count(*windowScale)) : std::nullopt;
}

void fillOptions(const DirectionSummary& sent, const DirectionSummary& other, ConnectionEvidence& evidence) {
  evidence.windowScale = shift(other.windowScale);
  evidence.oppositeWindowScale = shift(sent.windowScale);
  // Without the receiver's SYN or scale its MSS is not known either.
  if (!other.windowScale) return;
  evidence.mss = Bytes(segmentBytes(sent, other));
  evidence.options = negotiated(sent.offered, other.offered);
  if (evidence.options) evidence.state = TcpState::established;
}

void fillCounts(const DirectionSummary& sent, const DirectionSummary& other, const WireDirection& wire,
                ConnectionEvidence& evidence) {
  evidence.bytes = wire.limits.ackedBytes();
  evidence.totalBytes = Bytes(wire.limits.ackedBytes());
  evidence.oppositeBytes = other.sent.unique.value();
  evidence.oppositeSegments = other.sent.segments.value();
  evidence.dataSegments = sent.sent.segments.value();
  const std::uint64_t reports = other.received.duplicateReports.value();
  const std::uint64_t needless = sent.needlessByTimer();
  const std::uint64_t all = retransmissionsOf(sent, reports);
  const std::uint64_t retransmitted = all - std::min(all, needless);
  const std::uint64_t duplicates = reports - std::min(reports, needless);
  evidence.retransmittedSegments = retransmitted;
  evidence.spuriousSegments = sent.causes.of(RetransmissionCause::spurious).value();
  evidence.needlessTimerSegments = all - retransmitted;
  // More than that was delivered twice by the path, or was retransmitted unseen: neither shows reordering.
  evidence.duplicateSegments = std::min(duplicates, retransmitted);
  evidence.totalDelivered = Segments(sent.deliveredSegments);
  evidence.fullSegmentsWait = fullSegmentsWait(sent, segmentBytes(sent, other), wire.limits.acknowledged());
  evidence.timeouts = wire.limits.timeouts();
  evidence.consecutiveTimeouts = Count(wire.limits.timeouts());
  evidence.outOfOrderSegments = sent.sent.outOfOrderPackets.value();
  // None at the capture point says nothing of the path behind it.
  if (evidence.outOfOrderSegments > 0U) evidence.reorderingEvents = evidence.outOfOrderSegments;
  if (!wire.figures) return;
  const std::uint64_t mss = segmentBytes(sent, other);
  evidence.deliveredSegments = wire.figures->ackedBytes() / mss;
  // With accurate ECN the flag is a part of a counter.
  const bool isClassic = sent.offered && other.offered && sent.offered->ecn && other.offered->ecn &&
                         !(sent.offered->accurateEcn && other.offered->accurateEcn);
  if (isClassic) evidence.ceMarkedSegments = (wire.figures->markedBytes() + mss - 1) / mss;
}

/// Did the other end answer, and since when does it not?
void fillTries(const ConnectionSummary& flow, const DirectionSummary& sent, const DirectionSummary& other,
               ConnectionEvidence& evidence) {
  // Of one that was not captured, answers are not missing.
  if (!other.isCaptured()) return;
  evidence.unansweredTries = sent.unansweredRetransmissions;
  evidence.unansweredKeepAlives = sent.unansweredKeepAlives;
  evidence.unansweredWindowProbes = sent.unansweredWindowProbes;
  // An idle time before is no silence: nothing was to be acknowledged.
  const WallTime heard = sent.waitsSince ? std::max(*other.lastTime, *sent.waitsSince) : *other.lastTime;
  evidence.sinceLastAck =
      std::chrono::duration_cast<Microseconds>(std::max(flow.lastTime - heard, Nanoseconds::zero()));
}

/// The minimum RTT may lie between the samples, and at the receiver only the handshake may show the whole path.
void addMinimumRtt(const ConnectionSummary& flow, const DirectionSummary& sent, bool isAtSender,
                   ConnectionEvidence& evidence) {
  const auto addIfShorter = [&](const std::optional<Nanoseconds>& rtt) {
    const auto smallest = evidence.rttUs.smallest();
    if (!rtt || *rtt <= Nanoseconds::zero()) return;
    if (!smallest || toSeconds(*rtt) * 1e6 < *smallest) evidence.rttUs.add(toSeconds(*rtt) * 1e6);
  };
  if (isAtSender && sent.rtt) addIfShorter(sent.rtt->min);
  addIfShorter(flow.handshakeRtt);
}

std::optional<OpeningEvidence> openingOf(const ConnectionSummary& flow) {
  if (!flow.connectTime) return std::nullopt;
  // Its reset may have ended an older connection between the same ports, which the peer still knew (RFC 9293 §3.5.1):
  // then neither the path nor a queue made the handshake slow.
  if (flow.directions[0].sent.resets > Count(0)) return std::nullopt;
  return OpeningEvidence{std::chrono::duration_cast<Microseconds>(*flow.connectTime), flow.directions[0].sent.syns,
                         flow.directions[1].sent.syns};
}

/// The largest flight of a short transfer may lie between the samples, too.
void addLargestFlight(const DirectionSummary& sent, ConnectionEvidence& evidence) {
  const auto largest = evidence.inFlightBytes.largest();
  if (!largest || !sent.maxInFlight || evidence.retransmittedSegments != 0U) return;
  const auto flight = static_cast<double>(sent.maxInFlight->value());
  if (flight > *largest) evidence.inFlightBytes.add(flight);
}

WaitEvidence waitsOf(const ConnectionSummary& flow, const DirectionSummary& sent, const DirectionSummary& other,
                     const WireDirection& wire, Cause lossPattern) {
  WaitEvidence waits;
  waits.waits = wire.limits.waits(flow.lastTime);
  waits.acknowledgmentsTimed = wire.limits.knowsVantage() && wire.limits.ackedBytes() > 0;
  waits.receiveWindowKnown = wire.limits.knowsWindow();
  waits.mayMissSegments = wire.limits.delayToSender() > Nanoseconds::zero();
  waits.endIsKnown = wire.limits.endIsKnown();
  waits.lossPattern = lossPattern;
  waits.habits = wire.limits.habits();
  if (const std::uint64_t acknowledged = wire.limits.ackedBytes(); acknowledged > 0) {
    waits.refilledRatio = static_cast<double>(waits.habits.refills.bytes) / static_cast<double>(acknowledged);
  }
  if (const auto answers = other.sent.packets.value(); wire.limits.isAtSender() && answers > 0) {
    waits.prompts = wire.limits.prompts().count;
    waits.promptsByData = wire.limits.prompts().byData;
    waits.acknowledgmentsWithDataRatio =
        static_cast<double>(other.sent.dataPackets.value()) / static_cast<double>(answers);
  }
  waits.isIncomplete = sent.forgotten > Count(0) || sent.acknowledgedUnseen > Bytes(0);
  return waits;
}

/// A transfer of several RTTs is judged by the time that it took; silence before and after says nothing about it. Of
/// less than that, silence is the most that is known.
void leaveOutSilence(const ConnectionSummary& flow, const DirectionSummary& sent, const WireDirection& wire,
                     ConnectionEvidence& evidence) {
  constexpr int kSeveralRtts = 4;
  SenderWaits& waits = evidence.waits->waits;
  const Nanoseconds silence = waits.span(SenderWait::idle);
  const auto rttUs = evidence.rttUs.smallest();
  const bool isTransfer = rttUs && toSeconds(waits.observed() - silence) * 1e6 >= kSeveralRtts * *rttUs;
  if (!isTransfer || !sent.firstData || !sent.dataSpan) {
    waits.add(SenderWait::idle, std::max(wire.limits.firstData() - flow.firstTime, Nanoseconds::zero()));
    return;
  }
  evidence.waits->silenceAfter = silence;
  waits.remove(SenderWait::idle);
  evidence.from = evidenceMoment(*sent.firstData);
  if (silence > Nanoseconds::zero()) evidence.to = std::min(evidence.to, evidence.from + *sent.dataSpan);
}

/// Most of its bursts follow acknowledgments at once; on a busy host some come later. Measured: at most 0.14 come
/// later, and at least 0.93 of a sender that is paced.
bool isClocked(const BurstPace& pace) {
  constexpr double kFew = 0.3;
  constexpr std::uint32_t kEnoughBursts = 20;
  return pace.bursts() >= kEnoughBursts && pace.unprompted() <= kFew * pace.bursts();
}

/// The path of a loopback is a processor. Acknowledgments that waited behind other traffic come in trains of their own
/// making (ACK compression: Mogul, "Observing TCP Dynamics in Real Networks", 1992).
std::optional<NextLimit> capacityOf(const WireDirection& wire, const ConnectionEvidence& evidence) {
  const bool isCompressed = evidence.vantage != Vantage::receiver && queueIsOnReturnPath(evidence);
  if (!wire.dispersion || evidence.isLoopback || isCompressed) return std::nullopt;
  const auto capacity = wire.dispersion->capacity(evidence.vantage);
  if (!capacity || (capacity->mayBeSendersPace && !isClocked(wire.limits.habits().pace))) return std::nullopt;
  return NextLimit{capacity->rate, NextLimitMethod::ackDispersion, capacity->low, capacity->high};
}

/// The summary's vantage is that of the direction with more data.
Vantage vantageOf(const ConnectionSummary& flow, bool carriesBulk) {
  if (carriesBulk || flow.vantage == Vantage::middle || flow.vantage == Vantage::unknown) return flow.vantage;
  return flow.vantage == Vantage::sender ? Vantage::receiver : Vantage::sender;
}

}  // namespace

ConnectionEvidence packetEvidence(const ConnectionSummary& flow, std::size_t direction, const WireDirection& wire,
                                  Cause lossPattern) {
  const DirectionSummary& sent = flow.directions[direction];
  const DirectionSummary& other = flow.directions[1 - direction];
  ConnectionEvidence evidence;
  const std::uint64_t oppositeBytes = other.sent.unique.value();
  evidence.carriesBulk = oppositeBytes <= wire.limits.ackedBytes();
  evidence.vantage = vantageOf(flow, evidence.carriesBulk);
  evidence.servicePort = std::min(flow.initiator.port, flow.responder.port);
  evidence.isLoopback = (direction == 0 ? flow.responder : flow.initiator).address.unmapped().isLoopback();
  evidence.from = evidenceMoment(flow.firstTime);
  evidence.to = evidenceMoment(flow.lastTime);
  fillOptions(sent, other, evidence);
  fillCounts(sent, other, wire, evidence);
  fillTries(flow, sent, other, evidence);
  if (direction == 0) evidence.opening = openingOf(flow);
  if (wire.figures) {
    wire.figures->fillIn(evidence);
    if (const auto since = wire.figures->windowClosedSince()) {
      evidence.windowClosedFor = std::chrono::duration_cast<Microseconds>(flow.lastTime - *since);
    }
    if (const auto backOff = wire.figures->backOff()) evidence.slowsDownForLoss = isReduction(*backOff);
  }
  addLargestFlight(sent, evidence);
  if (outrunsItsLosses(evidence)) evidence.slowsDownForLoss = false;
  addMinimumRtt(flow, sent, wire.limits.isAtSender(), evidence);
  evidence.pathCapacity = capacityOf(wire, evidence);
  evidence.waits = waitsOf(flow, sent, other, wire, lossPattern);
  leaveOutSilence(flow, sent, wire, evidence);
  evidence.limits = limitsOf(evidence.waits->waits, waitMeaning(evidence));
  return evidence;
}

ConnectionEvidence silentEvidence(const ConnectionSummary& flow, std::size_t direction) {
  ConnectionEvidence evidence;
  evidence.vantage = flow.vantage;
  evidence.from = evidenceMoment(flow.firstTime);
  evidence.to = std::max(evidence.from, evidenceMoment(flow.lastTime));
  fillTries(flow, flow.directions[direction], flow.directions[1 - direction], evidence);
  return evidence;
}

ConnectionEvidence handshakeEvidence(const ConnectionSummary& flow, std::size_t direction) {
  ConnectionEvidence evidence;
  evidence.vantage = flow.vantage;
  evidence.from = evidenceMoment(flow.firstTime);
  evidence.to = std::max(evidence.from, evidenceMoment(flow.lastTime));
  fillOptions(flow.directions[direction], flow.directions[1 - direction], evidence);
  if (flow.handshakeRtt && *flow.handshakeRtt > Nanoseconds::zero()) {
    evidence.minRtt = std::chrono::duration_cast<Microseconds>(*flow.handshakeRtt);
  }
  return evidence;
}

std::optional<ConnectionEvidence> openingEvidence(const ConnectionSummary& flow) {
  const DirectionSummary& asks = flow.directions[0];
  const DirectionSummary& answers = flow.directions[1];
  const bool onlyAsks = flow.initiatorIsSure && asks.sent.syns > Count(0) && asks.sent.packets == asks.sent.syns &&
                        asks.sent.dataPackets == Count(0);
  if (!onlyAsks || answers.sent.dataPackets > Count(0)) return std::nullopt;
  ConnectionEvidence evidence;
  const bool isAnswered = answers.sent.syns > Count(0);
  evidence.state = isAnswered ? TcpState::synReceived : TcpState::synSent;
  evidence.vantage = flow.vantage;
  evidence.from = evidenceMoment(flow.firstTime);
  evidence.to = std::max(evidence.from, evidenceMoment(flow.lastTime));
  evidence.peerRefused = answers.sent.resets > Count(0) && !isAnswered;
  evidence.unansweredTries = Count((isAnswered ? answers : asks).sent.syns.value() - 1);
  evidence.sinceLastAck = std::chrono::duration_cast<Microseconds>(evidence.span());
  return evidence;
}

}  // namespace tcpscope
