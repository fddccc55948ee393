#include "core/diagnosis/connection_diagnosis.h"

#include <algorithm>
#include <utility>

#include "core/diagnosis/bounds/bound_catalogue.h"
#include "core/diagnosis/evidence/left_open.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/small_writes.h"
#include "core/diagnosis/rules/rule_catalogue.h"
#include "core/diagnosis/verdict.h"
#include "core/diagnosis/waiting_verdict.h"

namespace tcpscope {

namespace {

bool everSent(const ConnectionEvidence& evidence) {
  return evidence.bytes > 0U || evidence.totalDataSegments > Segments(0) ||
         // An active opener's SYN counts as one acknowledged byte.
         evidence.totalBytes > Bytes(1) || evidence.sendQueue > Bytes(0);
}

bool everReceived(const ConnectionEvidence& evidence) {
  return evidence.bytes > 0U || evidence.totalBytes > Bytes(0);
}

Verdict sideVerdict(const ConnectionEvidence& evidence, WithEvidence with) {
  if (evidence.side == Side::receiving) return receivingVerdict(evidence, with);
  // One that opens or is stalled waits as a whole: what it sends is what remains unanswered.
  if (auto waiting = waitingVerdict(evidence, with)) return *waiting;
  return sendingVerdict(evidence, with);
}

SideDiagnosis diagnoseSide(const ConnectionEvidence& evidence) {
  SideDiagnosis diagnosis;
  diagnosis.side = evidence.side;
  diagnosis.goodput = goodputOf(evidence);
  diagnosis.limits = evidence.limits;
  diagnosis.verdict = sideVerdict(evidence, WithEvidence::yes);
  diagnosis.bounds = boundsOf(evidence, diagnosis.verdict);
  diagnosis.findings = findingsOf(evidence, diagnosis.verdict);
  return diagnosis;
}

/// Whether the next response comes depends on the next request.
std::optional<Verdict> verdictByExchanges(const SocketObservation& socket, const WindowStatistics& window) {
  // Judged at every poll: most connections carry data one way.
  if (window.dataSegmentsOut.value_or(0) == 0 || window.dataSegmentsIn.value_or(0) == 0) return std::nullopt;
  Verdict verdict = sendingVerdict(kernelEvidence(socket, window, Side::sending), WithEvidence::no);
  return verdict.exchanges ? std::optional(std::move(verdict)) : std::nullopt;
}

}  // namespace

JudgedVerdict judge(const SocketObservation& socket, const WindowStatistics& window) {
  const bool isSenders = bulkSide(socket, window) == Side::sending || waitingVerdict(socket, window) ||
                         smallWriteWaitRatio(socket, window);
  if (isSenders) return {Side::sending, sideVerdict(kernelEvidence(socket, window, Side::sending), WithEvidence::no)};
  if (auto verdict = verdictByExchanges(socket, window)) return {Side::sending, std::move(*verdict)};
  return {Side::receiving, receivingVerdict(kernelEvidence(socket, window, Side::receiving), WithEvidence::no)};
}

ConnectionDiagnosis diagnose(const SocketObservation& socket, const WindowStatistics& window,
                             const BesideSamples& beside) {
  ConnectionEvidence sending = kernelEvidence(socket, window, Side::sending);
  sending.retries = beside.retries;
  sending.heldUp = beside.heldUpByWriter;
  ConnectionEvidence receiving = kernelEvidence(socket, window, Side::receiving);
  receiving.heldUp = beside.heldUpByReader;
  ConnectionDiagnosis diagnosis;
  diagnosis.bulk = judge(socket, window).side;
  if (everSent(sending) || waitingVerdict(sending, WithEvidence::no) || isLeftOpen(sending)) {
    diagnosis.sending = diagnoseSide(sending);
  }
  if (everReceived(receiving)) diagnosis.receiving = diagnoseSide(receiving);
  const std::optional<SideDiagnosis>& bulk = diagnosis.bulk == Side::sending ? diagnosis.sending : diagnosis.receiving;
  diagnosis.verdict = bulk ? bulk->verdict : sendingVerdict(sending, WithEvidence::yes);
  return diagnosis;
}

namespace {

bool has(const std::vector<Finding>& findings, RuleId rule) {
  return std::any_of(findings.begin(), findings.end(), [rule](const Finding& one) { return one.rule == rule; });
}

}  // namespace

bool isActive(const ConnectionDiagnosis& diagnosis) {
  const auto busy = [](const std::optional<SideDiagnosis>& side) {
    if (side && (!hasShare(side->verdict.limit) || has(side->findings, RuleId::leftOpen))) return true;
    return side && side->verdict.limit != Limit::idle && side->limits.ratio(Limit::idle) < 1.0 &&
           (side->verdict.limit != Limit::unknown || (side->goodput && side->goodput->value() > 0));
  };
  return busy(diagnosis.sending) || busy(diagnosis.receiving);
}

std::vector<const SideDiagnosis*> sidesOf(const ConnectionDiagnosis& diagnosis) {
  const bool sends = diagnosis.bulk == Side::sending;
  std::vector<const SideDiagnosis*> sides;
  for (const auto* side :
       {sends ? &diagnosis.sending : &diagnosis.receiving, sends ? &diagnosis.receiving : &diagnosis.sending}) {
    if (*side) sides.push_back(&**side);
  }
  return sides;
}

}  // namespace tcpscope
