#include <algorithm>
#include <array>

#include "core/diagnosis/cause_finder.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/possible_rate.h"
#include "core/diagnosis/verdict.h"
#include "core/diagnosis/verdict_evidence.h"

namespace tcpscope {

namespace {

/// One of the answers a side can get, and the share of the span that speaks for it.
struct Answer {
  Limit limit = Limit::unknown;
  double share = 0.0;
};

/// The path's share goes by the name of its part only where that part is more than half of it.
Limit limitOfPath(const LimitShares& shares) {
  const double half = shares.pathRatio() / 2.0;
  if (shares.ratio(Limit::timeout) > half) return Limit::timeout;
  if (shares.ratio(Limit::recovery) > half) return Limit::recovery;
  return Limit::network;
}

/// Where no part of the path's share is most of it, the name of the part is as good as a guess.
double certaintyOfPathName(const LimitShares& shares) {
  constexpr double kClearly = 0.6;
  constexpr double kDoubt = 0.75;
  const double most =
      std::max({shares.ratio(Limit::network), shares.ratio(Limit::recovery), shares.ratio(Limit::timeout)});
  return most >= kClearly * shares.pathRatio() ? 1.0 : kDoubt;
}

/// A program that writes in bursts fills the path for moments: a path that is full leaves hardly any time without data.
double certaintyOfFullPath(const LimitShares& shares) {
  constexpr double kHardlyAny = 0.2;
  constexpr double kDoubt = 0.75;
  return shares.ratio(Limit::application) + shares.ratio(Limit::idle) > kHardlyAny ? kDoubt : 1.0;
}

bool isPath(Limit limit) {
  return limit == Limit::network || limit == Limit::recovery || limit == Limit::timeout;
}

/// Best first. Silence beside data means that the application pauses; without any data the connection is idle.
std::array<Answer, 5> answers(const ConnectionEvidence& evidence) {
  const LimitShares& shares = evidence.limits;
  const bool dataMoved = evidence.bytes > 0U;
  const double sendBuffer = sendBufferWasNeverFull(evidence) ? 0.0 : shares.ratio(Limit::sendBuffer);
  std::array<Answer, 5> ordered = {Answer{Limit::receiver, shares.ratio(Limit::receiver)},
                                   Answer{Limit::sendBuffer, sendBuffer},
                                   Answer{limitOfPath(shares), shares.pathRatio()},
                                   Answer{dataMoved ? Limit::application : Limit::idle, writerBehindRatio(evidence)},
                                   Answer{Limit::unknown, shares.ratio(Limit::unknown)}};
  // Insertion: stable, and without the buffer that std::stable_sort allocates.
  const auto before = [](const Answer& a, const Answer& b) { return a.share > b.share; };
  for (auto answer = ordered.begin(); answer != ordered.end(); ++answer) {
    std::rotate(std::upper_bound(ordered.begin(), answer, *answer, before), answer, answer + 1);
  }
  return ordered;
}

void addCandidates(Verdict& verdict, const std::array<Answer, 5>& ordered) {
  constexpr double kWorthNaming = 0.15;
  for (const Answer& answer : ordered) {
    if (answer.limit != Limit::unknown && answer.share >= kWorthNaming) verdict.candidates.push_back(answer.limit);
  }
}

}  // namespace

Verdict sendingVerdict(const ConnectionEvidence& evidence, WithEvidence with) {
  Verdict verdict;
  verdict.goodput = goodputOf(evidence);
  if (evidence.limits.observed() <= Nanoseconds::zero()) return verdict;
  const std::array<Answer, 5> ordered = answers(evidence);
  const Answer& first = ordered[0];
  const double lead = first.share - ordered[1].share;
  constexpr double kSmallestLead = 0.05;
  if (first.limit == Limit::unknown || lead < kSmallestLead) {
    addCandidates(verdict, ordered);
    return verdict;
  }
  const CauseFound found = findCause(first.limit, evidence);
  verdict.cause = found.cause;
  verdict.confidenceRatio = confidenceFromLead(lead) * confidenceInData(evidence) * found.confidence;
  // What arrives out of order is repaired without need: the time that this takes recovers nothing.
  const bool nothingWasLost = found.cause == Cause::reordering;
  verdict.limit = nothingWasLost ? Limit::network : first.limit;
  if (isPath(first.limit) && !nothingWasLost) verdict.confidenceRatio *= certaintyOfPathName(evidence.limits);
  if (found.cause == Cause::pathFull) verdict.confidenceRatio *= certaintyOfFullPath(evidence.limits);
  verdict.possible = possibleSendRate(evidence, verdict.limit, verdict.goodput);
  if (with == WithEvidence::yes) verdict.evidence = sendingEvidence(evidence, verdict);
  return verdict;
}

}  // namespace tcpscope
