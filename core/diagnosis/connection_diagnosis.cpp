#include "core/diagnosis/connection_diagnosis.h"

#include "core/diagnosis/bounds/bound_catalogue.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/rules/rule_catalogue.h"
#include "core/diagnosis/verdict.h"

namespace tcpscope {

namespace {

bool everSent(const SocketObservation& socket, const WindowStatistics& window) {
  return window.ackedBytes > 0 || socket.info.dataSegsOut().value_or(Segments(0)).value() > 0 ||
         // An active opener's SYN counts as one acknowledged byte.
         socket.info.bytesAcked().value_or(Bytes(0)).value() > 1 || socket.sendQueue.value() > 0;
}

bool everReceived(const SocketObservation& socket, const WindowStatistics& window) {
  return window.receivedBytes > 0 || socket.info.bytesReceived().value_or(Bytes(0)).value() > 0;
}

SideDiagnosis diagnoseSide(const SocketObservation& socket, const WindowStatistics& window, Side side) {
  SideDiagnosis diagnosis;
  diagnosis.side = side;
  const bool sends = side == Side::sending;
  diagnosis.goodput = spanRate(sends ? window.ackedBytes : window.receivedBytes, window);
  diagnosis.limits = sends ? window.sending : window.receiving;
  diagnosis.verdict =
      sends ? sendingVerdict(socket, window, WithEvidence::yes) : receivingVerdict(socket, window, WithEvidence::yes);
  const DiagnosisInput input{socket, window, side};
  diagnosis.bounds = boundsOf(input, diagnosis.verdict);
  diagnosis.findings = findingsOf(input, diagnosis.verdict);
  return diagnosis;
}

}  // namespace

Side bulkSide(const SocketObservation& socket, const WindowStatistics& window) {
  std::uint64_t sent = window.ackedBytes;
  std::uint64_t received = window.receivedBytes;
  if (sent == 0 && received == 0) {
    sent = socket.info.bytesAcked().value_or(Bytes(0)).value();
    received = socket.info.bytesReceived().value_or(Bytes(0)).value();
  }
  return received > sent ? Side::receiving : Side::sending;
}

ConnectionDiagnosis diagnose(const SocketObservation& socket, const WindowStatistics& window) {
  ConnectionDiagnosis diagnosis;
  diagnosis.bulk = bulkSide(socket, window);
  if (everSent(socket, window)) diagnosis.sending = diagnoseSide(socket, window, Side::sending);
  if (everReceived(socket, window)) diagnosis.receiving = diagnoseSide(socket, window, Side::receiving);
  const std::optional<SideDiagnosis>& bulk = diagnosis.bulk == Side::sending ? diagnosis.sending : diagnosis.receiving;
  diagnosis.verdict = bulk ? bulk->verdict : sendingVerdict(socket, window, WithEvidence::yes);
  return diagnosis;
}

Verdict verdictOf(const SocketObservation& socket, const WindowStatistics& window) {
  return bulkSide(socket, window) == Side::sending ? sendingVerdict(socket, window, WithEvidence::no)
                                                   : receivingVerdict(socket, window, WithEvidence::no);
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
