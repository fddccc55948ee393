#include "core/diagnosis/wire_diagnosis.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/rules/rule_catalogue.h"
#include "core/diagnosis/wire_course.h"

namespace tcpscope {

namespace {

/// The loss statistics and shares only measure between times, so that any clock will do.
Moment momentOf(WallTime time) {
  return Moment::fromNanoseconds(time.nanoseconds());
}

std::uint8_t negotiatedOptions(const OfferedOptions& one, const OfferedOptions& other) {
  std::uint8_t bits = 0;
  if (one.timestamps && other.timestamps) bits |= 1;
  if (one.sack && other.sack) bits |= 2;
  if (one.windowScale && other.windowScale) bits |= 4;
  if (one.ecn && other.ecn) bits |= 8;
  return bits;
}

/// Segments carry so much at most, by the receiver's option less what timestamps take; never 0, whatever a SYN says.
std::uint32_t segmentBytes(const DirectionSummary& sent, const DirectionSummary& other) {
  constexpr std::uint64_t kUsual = 1460;
  constexpr std::uint64_t kTimestamps = 12;
  const std::uint64_t mss = other.offered && other.offered->mss ? other.offered->mss->value() : kUsual;
  const bool withTimestamps = sent.offered && other.offered && sent.offered->timestamps && other.offered->timestamps;
  const std::uint64_t payload = withTimestamps && mss > kTimestamps ? mss - kTimestamps : mss;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(payload, 1));
}

/// As the kernel would report it, as far as packets show it: the record ends where they know no more.
TcpInfoSample infoOf(const DirectionSummary& sent, const DirectionSummary& other) {
  std::array<std::byte, 20> record{};
  constexpr std::size_t kOptionsAt = 5;
  constexpr std::size_t kScalesAt = 6;
  constexpr std::size_t kMssAt = 16;
  if (!other.windowScale) return TcpInfoSample(std::span(record).first(kOptionsAt));
  record[0] = std::byte{1};
  if (sent.offered && other.offered) record[kOptionsAt] = std::byte{negotiatedOptions(*sent.offered, *other.offered)};
  const auto own = static_cast<unsigned>(sent.windowScale.value_or(0));
  record[kScalesAt] = static_cast<std::byte>(*other.windowScale | own << 4);
  const std::uint32_t mss = segmentBytes(sent, other);
  std::memcpy(record.data() + kMssAt, &mss, sizeof mss);
  return TcpInfoSample(record);
}

SocketObservation socketOf(const ConnectionSummary& flow, std::size_t direction) {
  const DirectionSummary& sent = flow.directions[direction];
  const DirectionSummary& other = flow.directions[1 - direction];
  SocketObservation socket;
  socket.local = direction == 0 ? flow.initiator : flow.responder;
  socket.remote = direction == 0 ? flow.responder : flow.initiator;
  // What was agreed on is known only from a whole handshake.
  const bool knowsOptions =
      sent.offered && other.offered && !sent.offered->mayBeIncomplete && !other.offered->mayBeIncomplete;
  socket.state = knowsOptions ? TcpState::established : TcpState::unknown;
  socket.info = infoOf(sent, other);
  socket.takenAt = momentOf(flow.lastTime);
  return socket;
}

std::uint64_t sentAgain(const DirectionSummary& sent, std::uint64_t duplicateReports) {
  std::uint64_t all = 0;
  for (std::size_t cause = 0; cause < kRetransmissionCauseCount; ++cause) {
    const auto which = static_cast<RetransmissionCause>(cause);
    if (which != RetransmissionCause::syn) all += sent.causes.of(which).value();
  }
  // Of a packet that came late and was sent again meanwhile one fills the hole and the other comes again: sent again
  // once.
  const std::uint64_t twice =
      std::min({sent.sent.filledHolePackets.value(), sent.sent.retransmittedPackets.value(), duplicateReports});
  return all - std::min(all, twice);
}

WindowStatistics windowOf(const ConnectionSummary& flow, std::size_t direction, const WireDirection& wire) {
  const DirectionSummary& sent = flow.directions[direction];
  const DirectionSummary& other = flow.directions[1 - direction];
  WindowStatistics window;
  if (wire.figures) wire.figures->fillIn(window);
  window.ackedBytes = wire.limits.ackedBytes();
  window.from = momentOf(flow.firstTime);
  window.to = momentOf(flow.lastTime);
  window.receivedBytes = other.sent.unique.value();
  window.dataSegmentsOut = sent.sent.segments.value();
  window.duplicatesReported = other.received.duplicateReports.value();
  window.retransmittedSegments = sentAgain(sent, window.duplicatesReported);
  window.timeouts = wire.limits.timeouts();
  window.reorderingEvents = sent.sent.outOfOrderPackets.value();
  window.outOfOrderSegments = window.reorderingEvents;
  // Each event was seen: nothing has to be corrected for samples that hid some.
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  window.lossOpportunities = static_cast<std::uint32_t>(std::min(window.dataSegmentsOut, kMost));
  const std::uint64_t mss = segmentBytes(sent, other);
  if (wire.figures) window.deliveredSegments = wire.figures->ackedBytes() / mss;
  // With accurate ECN the flag is a part of a counter.
  const bool isClassic = sent.offered && other.offered && sent.offered->ecn && other.offered->ecn &&
                         !(sent.offered->accurateEcn && other.offered->accurateEcn);
  if (isClassic && wire.figures) window.markedSegments = (wire.figures->markedBytes() + mss - 1) / mss;
  // The shortest of all, which looks may have missed.
  const auto isShorter = [&](const std::optional<Nanoseconds>& trip) {
    return trip && *trip > Nanoseconds::zero() && window.rttUs.smallest() &&
           toSeconds(*trip) * 1e6 < *window.rttUs.smallest();
  };
  const bool isAtSender = wire.limits.wayToSender() == Nanoseconds::zero();
  if (isAtSender && sent.roundTrip && isShorter(sent.roundTrip->min)) {
    window.rttUs.add(toSeconds(sent.roundTrip->min) * 1e6);
  }
  if (isShorter(flow.handshakeRoundTrip)) window.rttUs.add(toSeconds(*flow.handshakeRoundTrip) * 1e6);
  return window;
}

/// From the connection's first packet to its last.
std::vector<WaitStep> stepsOf(const ConnectionSummary& flow, const WireDirection& wire, const SenderWaits& waits) {
  std::vector<WaitStep> steps;
  const Moment start = momentOf(flow.firstTime);
  const Moment firstData = std::max(start, momentOf(wire.limits.firstData()));
  steps = wire.figures ? wire.figures->steps(firstData, waits)
                       : std::vector<WaitStep>{{firstData, firstData + waits.observed(), waits}};
  if (firstData == start) return steps;
  WaitStep before{start, firstData, {}};
  before.waits.add(SenderWait::idle, before.to - before.from);
  steps.insert(steps.begin(), before);
  return steps;
}

SideDiagnosis diagnoseSilence(const ConnectionSummary& flow) {
  SideDiagnosis diagnosis;
  const Moment from = momentOf(flow.firstTime);
  const Moment to = std::max(from, momentOf(flow.lastTime));
  diagnosis.limits.add(Limit::idle, to - from);
  if (to > from) {
    diagnosis.course.steps = {{from, to, diagnosis.limits}};
    diagnosis.course.stretches = {{from, to, Limit::idle, {}, false, diagnosis.limits}};
  }
  diagnosis.verdict.limit = Limit::idle;
  diagnosis.verdict.confidenceRatio = 1.0;
  diagnosis.verdict.evidence = {{"idle_ratio", 1.0, std::nullopt, {}}};
  return diagnosis;
}

}  // namespace

std::size_t WireDirections::residentBytes() const {
  std::size_t bytes = 0;
  for (const auto& direction : m_directions) {
    if (direction) bytes += direction->residentBytes();
  }
  return bytes;
}

SideDiagnosis diagnoseWire(const ConnectionSummary& flow, std::size_t direction, const WireDirection* wire,
                           Cause lossPattern) {
  if (wire == nullptr || !wire->limits.hasData()) return diagnoseSilence(flow);
  const DirectionSummary& sent = flow.directions[direction];
  const SocketObservation socket = socketOf(flow, direction);
  WindowStatistics window = windowOf(flow, direction, *wire);
  WireSigns signs;
  const SenderWaits waits = wire->limits.waits(flow.lastTime);
  signs.waits = waits;
  signs.waits.add(SenderWait::idle, std::max(wire->limits.firstData() - flow.firstTime, Nanoseconds::zero()));
  if (wire->figures) signs.backOff = wire->figures->backOff();
  signs.knowsWaits = wire->limits.knowsVantage() && window.ackedBytes > 0;
  signs.knowsWindow = wire->limits.knowsWindow();
  signs.mayMissSending = wire->limits.wayToSender() > Nanoseconds::zero();
  signs.lossPattern = lossPattern;
  signs.isIncomplete = sent.forgotten > Count(0) || sent.acknowledgedUnseen > Bytes(0);
  const bool pathShows = pathShowsItself(socket, window, signs);
  window.sending = limitsOf(signs.waits, pathShows);

  SideDiagnosis diagnosis;
  diagnosis.goodput = sent.goodput;
  diagnosis.limits = window.sending;
  diagnosis.course = wireCourse(socket, window, signs, pathShows, stepsOf(flow, *wire, waits));
  diagnosis.verdict = wireVerdict(socket, window, signs);
  diagnosis.verdict.goodput = sent.goodput;
  const DiagnosisInput input{socket, window, Side::sending};
  // Congestion window, send buffer and pacing are the sender's own knowledge.
  diagnosis.bounds = {receiverWindowBound(input), windowScaleBound(input), mathisBoundOfCapture(input)};
  diagnosis.findings = findingsOf(input, diagnosis.verdict);
  return diagnosis;
}

}  // namespace tcpscope
