#include <algorithm>
#include <cmath>

#include "core/diagnosis/bounds/window_rate.h"
#include "core/diagnosis/cause_finder.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/verdict.h"
#include "core/diagnosis/verdict_evidence.h"

namespace tcpscope {

namespace {

/// Until a lost segment, or one that is more than an RTT late, arrives, all that follows is out of order: a segment in
/// flight each, for one RTT. A few at a time are those that processors or links pass in another order, which slows down
/// no sender. True where the RTT is not known.
bool isOutOfOrderForAnRtt(const ConnectionEvidence& evidence) {
  constexpr double kMuchOfAnRtt = 0.4;
  const auto& rtt = evidence.minRtt ? evidence.minRtt : evidence.receiverRtt;
  const auto rate = goodputOf(evidence);
  const auto& segments = evidence.outOfOrderSegments;
  if (!rtt || !rate || !segments || !evidence.mss || evidence.mss->value() == 0) return true;
  const double inFlight = bandwidthDelayBytes(*rate, toSeconds(*rtt)) / static_cast<double>(evidence.mss->value());
  return static_cast<double>(*segments) >= kMuchOfAnRtt * inFlight * *evidence.outOfOrderSamples;
}

/// In many of the samples something arrived out of order: it was lost before this end and retransmitted, or overtaken.
/// Sure enough to name the path, and not what in it.
bool arrivesOutOfOrderAllAlong(const ConnectionEvidence& evidence) {
  constexpr std::uint32_t kOften = 5;
  constexpr double kShare = 0.15;
  const auto& outOfOrder = evidence.outOfOrderSamples;
  const auto& all = evidence.arrivalSamples;
  return outOfOrder && all && *outOfOrder >= kOften && *outOfOrder >= kShare * *all && isOutOfOrderForAnRtt(evidence);
}

/// Nothing arrives in a good part of the samples, and all that does arrives in order: more likely the application
/// pauses than the path.
bool arrivesWithPauses(const ConnectionEvidence& evidence) {
  constexpr double kPauses = 0.2;
  const auto& all = evidence.arrivalSamples;
  return all && evidence.outOfOrderSamples == 0U && *all <= (1.0 - kPauses) * evidence.samples;
}

/// So many of the segments arrive with a CE mark that a sender which reduces its window at each (RFC 3168) would hardly
/// be faster, by the square-root law. This end does not know whether anything else slows it down; the RTT is the one it
/// measures by what arrives.
bool arrivesMarked(const ConnectionEvidence& evidence) {
  constexpr double kAFewMarks = 3.0;
  constexpr double kNearTheLaw = 3.0;
  constexpr double kSquareRootLaw = 1.22;
  const auto rate = goodputOf(evidence);
  if (!rate || !evidence.mss || !evidence.receiverRtt || *evidence.receiverRtt <= Microseconds(0)) return false;
  // Otherwise this end itself may be the limit.
  if (evidence.receiveWindowBytes.empty() || evidence.unreadBytes.empty()) return false;
  const auto marks = static_cast<double>(evidence.ceMarkedSegments.value_or(0));
  if (marks < kAFewMarks || evidence.bytes.value_or(0) == 0) return false;
  const double segments = static_cast<double>(*evidence.bytes) / static_cast<double>(evidence.mss->value());
  const double perRtt = kSquareRootLaw * std::sqrt(segments / marks);
  const BitsPerSecond allowed = BitsPerSecond::from(*evidence.mss, *evidence.receiverRtt);
  return perRtt * allowed.value() <= kNearTheLaw * rate->value();
}

/// A whole window arrives per RTT as this end measures it now. The limit is the window's only where that holds for the
/// minimum RTT: else a queue, or a pause of the sender, makes the RTT as long.
bool mayUseUpWindow(const ConnectionEvidence& evidence) {
  constexpr double kUsedUp = 0.7;
  const auto rate = goodputOf(evidence);
  const auto window = evidence.receiveWindowBytes.mean();
  if (!rate || !window || *window <= 0.0 || !evidence.receiverRtt) return false;
  // Where hardly anything arrives, the kernel takes the time in which a whole window does for an RTT.
  constexpr int kSeveral = 4;
  if (evidence.span() < kSeveral * *evidence.receiverRtt) return false;
  return bandwidthDelayBytes(*rate, toSeconds(*evidence.receiverRtt)) >= kUsedUp * *window;
}

/// Whether the path, the sending application or its buffer limits the sender is not visible at this end, or only in
/// part.
void nameWhatTheArrivalsShow(const ConnectionEvidence& evidence, WithEvidence with, Verdict& verdict) {
  constexpr double kPathByItsArrivals = 0.85;
  const bool isMarked = !arrivesWithPauses(evidence) && arrivesMarked(evidence);
  if (arrivesOutOfOrderAllAlong(evidence) || isMarked) {
    verdict.limit = Limit::network;
    if (isMarked) verdict.cause = Cause::ecn;
    verdict.confidenceRatio = kPathByItsArrivals * confidenceInData(evidence);
    if (with == WithEvidence::yes) verdict.evidence = receivingEvidence(evidence, verdict);
  } else if (arrivesWithPauses(evidence)) {
    verdict.candidates = {Limit::application, Limit::network, Limit::sendBuffer};
  } else {
    verdict.candidates = {Limit::network, Limit::application, Limit::sendBuffer};
  }
  if (verdict.limit == Limit::unknown && mayUseUpWindow(evidence)) verdict.candidates.push_back(Limit::receiver);
}

/// Where the application is behind in most samples only, its buffer may be what is short, unless it gets no processor.
double certaintyOfReader(const ConnectionEvidence& evidence) {
  constexpr double kMostly = 0.5;
  constexpr double kDoubt = 0.75;
  const bool isStarved = evidence.programWaits && evidence.programWaits->processorRatio() >= kMostly;
  const bool holdsUp = evidence.limits.ratio(Limit::application) >= kMostly;
  return isStarved || holdsUp || readerIsAlwaysBehind(evidence) ? 1.0 : kDoubt;
}

}  // namespace

Verdict receivingVerdict(const ConnectionEvidence& evidence, WithEvidence with) {
  Verdict verdict;
  verdict.goodput = goodputOf(evidence);
  const LimitShares& shares = evidence.limits;
  if (shares.observed() <= Nanoseconds::zero()) return verdict;
  const double application = readerBehindRatio(evidence);
  const bool isBehind = readerIsAlwaysBehind(evidence) || readerIsMostlyBehind(evidence);
  const double buffer = isBehind ? 0.0 : shares.ratio(Limit::receiver);
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
    nameWhatTheArrivalsShow(evidence, with, verdict);
    return verdict;
  }
  const bool isReader = application > buffer;
  verdict.limit = isReader ? Limit::application : Limit::receiver;
  const CauseFound found = findCause(verdict.limit, evidence);
  verdict.cause = found.cause;
  verdict.confidenceRatio = confidenceFromLead(lead) * confidenceInData(evidence) * found.confidence;
  if (isReader) verdict.confidenceRatio *= certaintyOfReader(evidence);
  if (with == WithEvidence::yes) verdict.evidence = receivingEvidence(evidence, verdict);
  return verdict;
}

}  // namespace tcpscope
