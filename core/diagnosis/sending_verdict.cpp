#include <algorithm>
#include <array>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/possible_rate.h"
#include "core/diagnosis/sending_cause.h"
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

/// Best first. Silence beside data is a program that pauses; without any data it is nobody's fault.
std::array<Answer, 5> answers(const WindowStatistics& window) {
  const LimitShares& shares = window.sending;
  const bool dataMoved = window.ackedBytes > 0;
  const double sendBuffer = window.sendBufferWasNeverFull() ? 0.0 : shares.ratio(Limit::sendBuffer);
  std::array<Answer, 5> ordered = {Answer{Limit::receiver, shares.ratio(Limit::receiver)},
                                   Answer{Limit::sendBuffer, sendBuffer},
                                   Answer{limitOfPath(shares), shares.pathRatio()},
                                   Answer{dataMoved ? Limit::application : Limit::idle, window.writerBehindRatio()},
                                   Answer{Limit::unknown, shares.ratio(Limit::unknown)}};
  // Insertion: stable, and without the buffer that std::stable_sort allocates.
  const auto before = [](const Answer& a, const Answer& b) { return a.share > b.share; };
  for (auto answer = ordered.begin(); answer != ordered.end(); ++answer) {
    std::rotate(std::upper_bound(ordered.begin(), answer, *answer, before), answer, answer + 1);
  }
  return ordered;
}

CauseFound causeOf(Limit limit, const SocketObservation& socket, const WindowStatistics& window) {
  switch (limit) {
    case Limit::receiver:
      return causeOfReceiverLimit(socket, window);
    case Limit::sendBuffer:
      return causeOfSendBufferLimit(socket);
    case Limit::network:
    case Limit::recovery:
      return causeOfNetworkLimit(socket, window);
    case Limit::timeout:
      return causeOfTimeouts(socket, window);
    case Limit::application:
      return {Cause::slowWriter, 1.0};
    case Limit::idle:
    case Limit::unknown:
      break;
  }
  return {};
}

void addCandidates(Verdict& verdict, const std::array<Answer, 5>& ordered) {
  constexpr double kWorthNaming = 0.15;
  for (const Answer& answer : ordered) {
    if (answer.limit != Limit::unknown && answer.share >= kWorthNaming) verdict.candidates.push_back(answer.limit);
  }
}

}  // namespace

Verdict sendingVerdict(const SocketObservation& socket, const WindowStatistics& window, WithEvidence evidence) {
  Verdict verdict;
  verdict.goodput = spanRate(window.ackedBytes, window);
  if (window.sending.observed() <= Nanoseconds::zero()) return verdict;
  const std::array<Answer, 5> ordered = answers(window);
  const Answer& first = ordered[0];
  const double lead = first.share - ordered[1].share;
  constexpr double kSmallestLead = 0.05;
  if (first.limit == Limit::unknown || lead < kSmallestLead) {
    addCandidates(verdict, ordered);
    return verdict;
  }
  const CauseFound found = causeOf(first.limit, socket, window);
  verdict.cause = found.cause;
  verdict.confidenceRatio = confidenceFromLead(lead) * confidenceInData(window) * found.confidence;
  // What arrives out of order is repaired without need: the time that this takes recovers nothing.
  const bool nothingWasLost = found.cause == Cause::reordering;
  verdict.limit = nothingWasLost ? Limit::network : first.limit;
  if (isPath(first.limit) && !nothingWasLost) verdict.confidenceRatio *= certaintyOfPathName(window.sending);
  if (found.cause == Cause::pathFull) verdict.confidenceRatio *= certaintyOfFullPath(window.sending);
  verdict.possible = possibleSendRate(socket, window, verdict.limit, verdict.goodput);
  if (evidence == WithEvidence::yes) verdict.evidence = sendingEvidence(socket, window, verdict);
  return verdict;
}

}  // namespace tcpscope
