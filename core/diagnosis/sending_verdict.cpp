#include <algorithm>
#include <array>

#include "core/base/insertion_sort.h"
#include "core/diagnosis/bounds/loss_bound.h"
#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/cause_finder.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/exchange_shares.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/small_writes.h"
#include "core/diagnosis/next_limit.h"
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

/// Where no sample met the buffer full, whether the writer or the buffer was behind is as good as a guess.
double certaintyOfBufferOrWriter(const ConnectionEvidence& evidence) {
  constexpr double kGoodPart = 0.15;
  constexpr double kDoubt = 0.75;
  const bool matters = evidence.limits.ratio(Limit::sendBuffer) >= kGoodPart;
  return matters && sendBufferWaits(evidence) == SendBufferWaits::notSeen ? kDoubt : 1.0;
}

bool isPath(Limit limit) {
  return limit == Limit::network || limit == Limit::recovery || limit == Limit::timeout;
}

/// Bounds that differ by less are as good as the same.
constexpr double kClearlyLower = 1.5;

/// The rate that the losses would allow over the one that the receive window allows, where both hold the sender back in
/// turn: the time of the span by limit says which held more often, and not which would hold without the other.
std::optional<double> lossBoundOverWindowBound(const ConnectionEvidence& evidence) {
  constexpr double kInTurn = 0.15;
  const LimitShares& shares = evidence.limits;
  if (shares.ratio(Limit::receiver) < kInTurn || shares.pathRatio() < kInTurn) return std::nullopt;
  const auto byLoss = rateThatLossAllows(evidence);
  const Bound byWindow = receiverWindowBound(evidence);
  if (!byLoss || !byWindow.applies || !byWindow.rate || byWindow.rate->value() <= 0.0) return std::nullopt;
  return byLoss->value() / byWindow.rate->value();
}

/// Best first. Silence beside data means that the application pauses; without any data the connection is idle.
std::array<Answer, 5> answers(const ConnectionEvidence& evidence, bool windowIsLower) {
  const LimitShares& shares = evidence.limits;
  const double path = shares.pathRatio();
  const bool dataMoved = evidence.bytes > 0U;
  const double sendBuffer = sendBufferBlockedNothing(evidence) ? 0.0 : shares.ratio(Limit::sendBuffer);
  std::array<Answer, 5> ordered = {
      Answer{Limit::receiver, shares.ratio(Limit::receiver) + (windowIsLower ? path : 0.0)},
      Answer{Limit::sendBuffer, sendBuffer}, Answer{limitOfPath(shares), windowIsLower ? 0.0 : path},
      Answer{dataMoved ? Limit::application : Limit::idle, writerBehindRatio(evidence)},
      Answer{Limit::unknown, shares.ratio(Limit::unknown)}};
  insertionSort(ordered, [](const Answer& a, const Answer& b) { return a.share > b.share; });
  return ordered;
}

void addCandidates(Verdict& verdict, const std::array<Answer, 5>& ordered) {
  constexpr double kWorthNaming = 0.15;
  for (const Answer& answer : ordered) {
    if (answer.limit != Limit::unknown && answer.share >= kWorthNaming) verdict.candidates.push_back(answer.limit);
  }
}

}  // namespace

std::optional<Verdict> smallWritesVerdict(const ConnectionEvidence& evidence, WithEvidence with) {
  constexpr double kMostly = 0.5;
  const auto ratio = smallWriteWaitRatio(evidence);
  if (ratio < kSmallWritesLimit) return std::nullopt;
  Verdict verdict;
  verdict.limit = Limit::application;
  verdict.cause = Cause::nagle;
  verdict.confidenceRatio = *ratio >= kMostly ? 0.95 : 0.85;
  verdict.goodput = goodputOf(evidence);
  if (with == WithEvidence::yes) verdict.evidence = sendingEvidence(evidence, verdict);
  return verdict;
}

Verdict sendingVerdict(const ConnectionEvidence& evidence, WithEvidence with) {
  Verdict verdict;
  verdict.goodput = goodputOf(evidence);
  if (evidence.limits.observed() <= Nanoseconds::zero()) return verdict;
  if (auto waiting = smallWritesVerdict(evidence, with)) return *waiting;
  const auto bounds = lossBoundOverWindowBound(evidence);
  const std::array<Answer, 5> ordered = answers(evidence, bounds >= kClearlyLower);
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
  constexpr double kDoubt = 0.75;
  if (bounds > 1.0 / kClearlyLower && bounds < kClearlyLower) verdict.confidenceRatio *= kDoubt;
  if (first.limit == Limit::sendBuffer || first.limit == Limit::application) {
    verdict.confidenceRatio *= certaintyOfBufferOrWriter(evidence);
  }
  // What arrives out of order is repaired without need: the time that this takes recovers nothing.
  const bool nothingWasLost = found.cause == Cause::reordering;
  verdict.limit = nothingWasLost ? Limit::network : first.limit;
  if (isPath(first.limit) && !nothingWasLost) verdict.confidenceRatio *= certaintyOfPathName(evidence.limits);
  if (found.cause == Cause::pathFull) verdict.confidenceRatio *= certaintyOfFullPath(evidence.limits);
  verdict.next = nextLimit(evidence, verdict);
  if (found.cause == Cause::slowWriter) verdict.exchanges = exchangeShares(evidence);
  if (with == WithEvidence::yes) verdict.evidence = sendingEvidence(evidence, verdict);
  return verdict;
}

}  // namespace tcpscope
