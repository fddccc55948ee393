#include <algorithm>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/sending_cause.h"
#include "core/diagnosis/verdict.h"
#include "core/diagnosis/verdict_evidence.h"

namespace tcpscope {

namespace {

CauseFound causeOfReceiveBuffer(const SocketObservation& socket, const WindowStatistics& window) {
  if (socket.bufferLocks && socket.bufferLocks->receiveBuffer) return {Cause::bufferLocked, 1.0};
  constexpr double kAtCeiling = 0.95;
  const auto shift = socket.info.rcvWscale();
  const auto largest = window.advertisedWindowBytes.largest();
  if (shift && largest && *largest >= kAtCeiling * windowCeilingBytes(*shift)) return {Cause::windowScale, 1.0};
  return {Cause::bufferLimit, 1.0};
}

}  // namespace

Verdict receivingVerdict(const SocketObservation& socket, const WindowStatistics& window, WithEvidence evidence) {
  Verdict verdict;
  verdict.goodput = spanRate(window.receivedBytes, window);
  const LimitShares& shares = window.receiving;
  if (shares.observed() <= Nanoseconds::zero()) return verdict;
  const double application = window.readerBehindRatio();
  const double buffer = window.readerIsAlwaysBehind() ? 0.0 : shares.ratio(Limit::receiver);
  const double here = std::max(application, buffer);
  const double elsewhere = 1.0 - application - buffer;
  if (window.receivedBytes == 0 && application < shares.ratio(Limit::idle)) {
    verdict.limit = Limit::idle;
    verdict.confidenceRatio = confidenceFromLead(shares.ratio(Limit::idle) - application) * confidenceInData(window);
    if (evidence == WithEvidence::yes) verdict.evidence = receivingEvidence(socket, window, verdict);
    return verdict;
  }
  constexpr double kSmallestLead = 0.05;
  const double lead = here - std::max(std::min(application, buffer), elsewhere);
  if (lead < kSmallestLead) {
    // What holds back the sender, its program, its buffer or the path, does not show here.
    verdict.candidates = {Limit::network, Limit::application, Limit::sendBuffer};
    return verdict;
  }
  const bool isReader = application > buffer;
  const CauseFound found = isReader ? CauseFound{Cause::slowReader, 1.0} : causeOfReceiveBuffer(socket, window);
  verdict.limit = isReader ? Limit::application : Limit::receiver;
  verdict.cause = found.cause;
  verdict.confidenceRatio = confidenceFromLead(lead) * confidenceInData(window) * found.confidence;
  if (evidence == WithEvidence::yes) verdict.evidence = receivingEvidence(socket, window, verdict);
  return verdict;
}

}  // namespace tcpscope
