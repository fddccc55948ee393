#include "core/diagnosis/wire_diagnosis.h"

#include <algorithm>

#include "core/diagnosis/bounds/cubic.h"
#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/evidence/exchange_shares.h"
#include "core/diagnosis/evidence/packet_evidence.h"
#include "core/diagnosis/limit_history.h"
#include "core/diagnosis/next_limit.h"
#include "core/diagnosis/rules/rule_catalogue.h"
#include "core/diagnosis/waiting_verdict.h"
#include "core/diagnosis/wire_verdict.h"

namespace tcpscope {

namespace {

/// From the connection's first packet to its last.
std::vector<WaitStep> stepsOf(const ConnectionSummary& flow, const WireDirection& wire, const SenderWaits& waits) {
  std::vector<WaitStep> steps;
  const Moment start = evidenceMoment(flow.firstTime);
  const Moment firstData = std::max(start, evidenceMoment(wire.limits.firstData()));
  steps = wire.figures ? wire.figures->steps(firstData, waits)
                       : std::vector<WaitStep>{{firstData, firstData + waits.observed(), waits}};
  if (firstData == start) return steps;
  WaitStep before{start, firstData, {}};
  before.waits.add(SenderWait::idle, before.to - before.from);
  steps.insert(steps.begin(), before);
  return steps;
}

/// `limit`: idle, or unknown where the direction was not captured.
SideDiagnosis diagnoseSilence(const ConnectionSummary& flow, Limit limit) {
  SideDiagnosis diagnosis;
  const Moment from = evidenceMoment(flow.firstTime);
  const Moment to = std::max(from, evidenceMoment(flow.lastTime));
  diagnosis.limits.add(limit, to - from);
  if (to > from) {
    diagnosis.history.steps = {{from, to, diagnosis.limits}};
    diagnosis.history.stretches = {{from, to, limit, {}, false, diagnosis.limits}};
  }
  if (limit == Limit::unknown) return diagnosis;
  diagnosis.verdict.limit = limit;
  diagnosis.verdict.confidenceRatio = 1.0;
  diagnosis.verdict.evidence = {{"idle_ratio", 1.0, std::nullopt, {}}};
  return diagnosis;
}

/// Waits, delays and gaps of a part of the packets show nothing about the rest: the rate is known, and no limit.
SideDiagnosis diagnoseIncomplete(const ConnectionSummary& flow, std::size_t direction) {
  SideDiagnosis diagnosis = diagnoseSilence(flow, Limit::unknown);
  diagnosis.goodput = flow.directions[direction].goodput;
  diagnosis.verdict.goodput = diagnosis.goodput;
  return diagnosis;
}

/// A direction without data: idle, unless it waits in vain for its peer's answers.
SideDiagnosis diagnoseWithoutData(const ConnectionSummary& flow, std::size_t direction) {
  const ConnectionEvidence evidence = silentEvidence(flow, direction);
  SideDiagnosis diagnosis = diagnoseSilence(flow, Limit::idle);
  if (const auto stall = waitingVerdict(evidence, WithEvidence::yes)) {
    diagnosis.verdict = *stall;
    diagnosis.findings = findingsOf(evidence, diagnosis.verdict);
  }
  return diagnosis;
}

/// Nothing but SYNs, whatever answered them.
std::optional<SideDiagnosis> diagnoseOpening(const ConnectionSummary& flow) {
  const auto evidence = openingEvidence(flow);
  if (!evidence) return std::nullopt;
  SideDiagnosis diagnosis = diagnoseSilence(flow, Limit::unknown);
  diagnosis.verdict = *waitingVerdict(*evidence, WithEvidence::yes);
  diagnosis.findings = findingsOf(*evidence, diagnosis.verdict);
  return diagnosis;
}

/// The capture ends with a connection that is stalled, and nothing else took more of its time.
bool endsStalled(const ConnectionEvidence& evidence, const Verdict& verdict) {
  constexpr double kMostOfTheTime = 0.5;
  const bool isWaiting = verdict.limit == Limit::timeout || verdict.limit == Limit::idle ||
                         verdict.limit == Limit::unknown || verdict.limit == Limit::recovery;
  const Microseconds silence =
      std::max(evidence.sinceLastAck.value_or(Microseconds(0)), evidence.windowClosedFor.value_or(Microseconds(0)));
  return isWaiting || toSeconds(silence) >= kMostOfTheTime * toSeconds(evidence.span());
}

}  // namespace

SideDiagnosis diagnoseWire(const ConnectionSummary& flow, std::size_t direction, const WireDirection* wire,
                           Cause lossPattern, const ExchangeSummary* exchanges, WithHistory history) {
  const DirectionSummary& sent = flow.directions[direction];
  if (direction == 0) {
    if (auto opening = diagnoseOpening(flow)) return *opening;
  }
  if (!sent.isCaptured() || sent.isPartial()) return diagnoseIncomplete(flow, direction);
  if (wire == nullptr || !wire->limits.hasData()) return diagnoseWithoutData(flow, direction);
  ConnectionEvidence evidence = packetEvidence(flow, direction, *wire, lossPattern);
  if (exchanges != nullptr && exchanges->whole() > Nanoseconds::zero()) {
    if (direction == 0) {
      evidence.delayedPieceRatio = toSeconds(exchanges->delayedPieceTime) / toSeconds(exchanges->whole());
    }
    evidence.exchanges = exchangeShares(*exchanges, direction);
  }
  SideDiagnosis diagnosis;
  diagnosis.goodput = flow.directions[direction].goodput;
  diagnosis.limits = evidence.limits;
  if (history == WithHistory::yes) {
    diagnosis.history = limitHistory(evidence, stepsOf(flow, *wire, wire->limits.waits(flow.lastTime)));
  }
  diagnosis.verdict = wireVerdict(evidence);
  const auto stall = waitingVerdict(evidence, WithEvidence::yes);
  if (stall && diagnosis.verdict.cause != Cause::mtu && endsStalled(evidence, diagnosis.verdict)) {
    diagnosis.verdict = *stall;
  }
  diagnosis.pathCapacity = evidence.pathCapacity;
  diagnosis.verdict.goodput = diagnosis.goodput;
  diagnosis.verdict.next = nextLimit(evidence, diagnosis.verdict);
  // Congestion window, send buffer and pacing are known to the sender only.
  diagnosis.bounds = {receiverWindowBound(evidence), windowScaleBound(evidence), mathisBoundOfCapture(evidence),
                      cubicBoundOfCapture(evidence)};
  diagnosis.findings = findingsOf(evidence, diagnosis.verdict);
  return diagnosis;
}

}  // namespace tcpscope
