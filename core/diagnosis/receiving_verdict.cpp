#include <algorithm>

#include "core/diagnosis/cause_finder.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/verdict.h"
#include "core/diagnosis/verdict_evidence.h"

namespace tcpscope {

Verdict receivingVerdict(const ConnectionEvidence& evidence, WithEvidence with) {
  Verdict verdict;
  verdict.goodput = goodputOf(evidence);
  const LimitShares& shares = evidence.limits;
  if (shares.observed() <= Nanoseconds::zero()) return verdict;
  const double application = readerBehindRatio(evidence);
  const double buffer = readerIsAlwaysBehind(evidence) ? 0.0 : shares.ratio(Limit::receiver);
  const double here = std::max(application, buffer);
  const double elsewhere = 1.0 - application - buffer;
  if (evidence.bytes == 0U && application < shares.ratio(Limit::idle)) {
    verdict.limit = Limit::idle;
    verdict.confidenceRatio = confidenceFromLead(shares.ratio(Limit::idle) - application) * confidenceInData(evidence);
    if (with == WithEvidence::yes) verdict.evidence = receivingEvidence(evidence, verdict);
    return verdict;
  }
  constexpr double kSmallestLead = 0.05;
  const double lead = here - std::max(std::min(application, buffer), elsewhere);
  if (lead < kSmallestLead) {
    // Whether the path, the sending application or its buffer limits the sender is not visible at this end.
    verdict.candidates = {Limit::network, Limit::application, Limit::sendBuffer};
    return verdict;
  }
  const bool isReader = application > buffer;
  verdict.limit = isReader ? Limit::application : Limit::receiver;
  const CauseFound found = findCause(verdict.limit, evidence);
  verdict.cause = found.cause;
  verdict.confidenceRatio = confidenceFromLead(lead) * confidenceInData(evidence) * found.confidence;
  if (with == WithEvidence::yes) verdict.evidence = receivingEvidence(evidence, verdict);
  return verdict;
}

}  // namespace tcpscope
