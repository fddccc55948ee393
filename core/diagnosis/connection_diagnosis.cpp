#include "core/diagnosis/connection_diagnosis.h"

#include "core/diagnosis/bounds/bound_catalogue.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/rules/rule_catalogue.h"
#include "core/diagnosis/verdict.h"

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

SideDiagnosis diagnoseSide(const ConnectionEvidence& evidence) {
  SideDiagnosis diagnosis;
  diagnosis.side = evidence.side;
  diagnosis.goodput = goodputOf(evidence);
  diagnosis.limits = evidence.limits;
  diagnosis.verdict = evidence.side == Side::sending ? sendingVerdict(evidence, WithEvidence::yes)
                                                     : receivingVerdict(evidence, WithEvidence::yes);
  diagnosis.bounds = boundsOf(evidence, diagnosis.verdict);
  diagnosis.findings = findingsOf(evidence, diagnosis.verdict);
  return diagnosis;
}

}  // namespace

ConnectionDiagnosis diagnose(const SocketObservation& socket, const WindowStatistics& window) {
  const ConnectionEvidence sending = kernelEvidence(socket, window, Side::sending);
  const ConnectionEvidence receiving = kernelEvidence(socket, window, Side::receiving);
  ConnectionDiagnosis diagnosis;
  diagnosis.bulk = receiving.carriesBulk ? Side::receiving : Side::sending;
  if (everSent(sending)) diagnosis.sending = diagnoseSide(sending);
  if (everReceived(receiving)) diagnosis.receiving = diagnoseSide(receiving);
  const std::optional<SideDiagnosis>& bulk = diagnosis.bulk == Side::sending ? diagnosis.sending : diagnosis.receiving;
  diagnosis.verdict = bulk ? bulk->verdict : sendingVerdict(sending, WithEvidence::yes);
  return diagnosis;
}

Verdict verdictOf(const SocketObservation& socket, const WindowStatistics& window) {
  const Side bulk = bulkSide(socket, window);
  const ConnectionEvidence evidence = kernelEvidence(socket, window, bulk);
  return bulk == Side::sending ? sendingVerdict(evidence, WithEvidence::no)
                               : receivingVerdict(evidence, WithEvidence::no);
}

bool isActive(const ConnectionDiagnosis& diagnosis) {
  const auto busy = [](const std::optional<SideDiagnosis>& side) {
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
