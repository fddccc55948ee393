#include "core/diagnosis/wire_verdict.h"

#include <array>
#include <utility>

#include "core/base/insertion_sort.h"
#include "core/diagnosis/cause_finder.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/exchange_shares.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/wait_limits.h"
#include "core/diagnosis/verdict.h"
#include "core/diagnosis/verdict_evidence.h"

namespace tcpscope {

namespace {

/// A share below that is left to chance.
constexpr double kWorthNaming = 0.15;

/// The path's share goes by the name of a part of it only where that is most of it.
Limit clearPartOfPath(const LimitShares& shares) {
  constexpr double kMost = 0.6;
  for (const Limit part : {Limit::network, Limit::recovery, Limit::timeout}) {
    if (shares.ratio(part) >= kMost * shares.pathRatio()) return part;
  }
  return Limit::unknown;
}

struct WeighedLimit {
  Limit limit = Limit::unknown;
  double share = 0.0;
};

/// Best first.
std::array<WeighedLimit, 5> answersOf(const LimitShares& shares) {
  const double pause = shares.ratio(Limit::application);
  const double idle = shares.ratio(Limit::idle);
  std::array<WeighedLimit, 5> answers = {WeighedLimit{Limit::receiver, shares.ratio(Limit::receiver)},
                                         WeighedLimit{Limit::sendBuffer, shares.ratio(Limit::sendBuffer)},
                                         WeighedLimit{Limit::network, shares.pathRatio()},
                                         WeighedLimit{pause >= idle ? Limit::application : Limit::idle, pause + idle},
                                         WeighedLimit{Limit::unknown, shares.ratio(Limit::unknown)}};
  insertionSort(answers, [](const WeighedLimit& a, const WeighedLimit& b) { return a.share > b.share; });
  return answers;
}

/// Where what is sent may be lost before the capture point, timers look like pauses there: the end of a transfer always
/// may be one timeout after the other, pauses where much is lost.
bool mayHideTimeouts(const LimitShares& shares, const ConnectionEvidence& evidence, const WaitEvidence& waits,
                     Nanoseconds silenceAfter) {
  constexpr double kMuch = 0.01;
  if (!waits.mayMissSegments) return false;
  const Nanoseconds idle = shares.span(Limit::idle) + silenceAfter;
  const bool isSilent = !waits.endIsKnown && idle > Nanoseconds::zero() &&
                        toSeconds(idle) >= kWorthNaming * toSeconds(shares.observed() + silenceAfter);
  return isSilent || (shares.ratio(Limit::application) >= kWorthNaming && lossRatio(evidence).value_or(0.0) >= kMuch);
}

/// How likely each is to be behind waits that look alike from outside; 1 where nothing speaks for it.
struct OwnWaitWeights {
  double sendBuffer = 1.0;
  double application = 1.0;
  double network = 1.0;
  [[nodiscard]] double sum() const { return sendBuffer + application + network; }
};

OwnWaitWeights ownWaitWeights(const ConnectionEvidence& evidence, const WaitEvidence& waits) {
  constexpr double kFavored = 2.0;
  constexpr double kGoodPart = 0.5;
  constexpr std::uint32_t kAFewTimes = 8;
  OwnWaitWeights weights;
  const SenderHabits& habits = waits.habits;
  if (waits.refilledRatio >= kGoodPart) weights.sendBuffer += kFavored;
  if (habits.unprompted.afterShort >= kAFewTimes) weights.application += kFavored;
  if (habits.pace.groups() >= kAFewTimes && habits.pace.steadyGroups() >= kGoodPart * habits.pace.groups()) {
    weights.network += kFavored;
  }
  if (pausesMayHoldData(evidence)) weights.network += kFavored;
  // What loses packets is most likely full.
  if (neededRetransmissions(evidence) > 0U && sendsOnThroughLoss(evidence)) weights.network += kFavored;
  return weights;
}

/// Everything that the waits leave open, most likely first.
std::vector<Limit> candidatesOf(const LimitShares& shares, const ConnectionEvidence& evidence,
                                const WaitEvidence& waits, bool hidesTimeouts) {
  if (!waits.acknowledgmentsTimed) return {Limit::receiver, Limit::network, Limit::sendBuffer, Limit::application};
  std::vector<WeighedLimit> candidates;
  const auto add = [&](Limit limit, bool isOpen, double likelihood) {
    if (isOpen) candidates.push_back({limit, likelihood});
  };
  const double own = shares.ratio(Limit::unknown) + shares.ratio(Limit::sendBuffer);
  const bool isOwn = own >= kWorthNaming;
  const OwnWaitWeights weights = ownWaitWeights(evidence, waits);
  const auto part = [&](double weight) { return own * weight / weights.sum(); };
  const auto addShare = [&](Limit limit, bool isHidden) {
    add(limit, isHidden || shares.ratio(limit) >= kWorthNaming, shares.ratio(limit));
  };
  const double repairs = sendsOnThroughLoss(evidence) ? waits.waits.ratio(SenderWait::recovery) : 0.0;
  const double pauses = pausesMayHoldData(evidence) ? waits.waits.ratio(SenderWait::pause) : 0.0;
  const double stream = waits.waits.ratio(SenderWait::clock) + waits.waits.ratio(SenderWait::own) + repairs + pauses;
  // Behind any of them may be a window that the capture does not show.
  const double window = waits.receiveWindowKnown ? shares.ratio(Limit::receiver) : own / 2.0;
  add(Limit::receiver, window >= kWorthNaming || !waits.receiveWindowKnown, window);
  add(Limit::sendBuffer, isOwn, part(weights.sendBuffer));
  add(Limit::application, isOwn || shares.ratio(Limit::application) >= kWorthNaming,
      shares.ratio(Limit::application) + part(weights.application));
  // Pacing, and a congestion window that no loss and no queue gives away, are the network's, too.
  add(Limit::network, stream >= kWorthNaming || shares.ratio(Limit::network) >= kWorthNaming,
      shares.ratio(Limit::network) + part(weights.network));
  addShare(Limit::recovery, false);
  addShare(Limit::timeout, hidesTimeouts);
  addShare(Limit::idle, false);
  insertionSort(candidates, [](const WeighedLimit& a, const WeighedLimit& b) { return a.share > b.share; });
  std::vector<Limit> limits;
  limits.reserve(candidates.size());
  for (const WeighedLimit& candidate : candidates) limits.push_back(candidate.limit);
  return limits;
}

}  // namespace

WireAnswer wireAnswer(const LimitShares& shares, const ConnectionEvidence& evidence, const WaitEvidence& waits,
                      Nanoseconds silenceAfter) {
  constexpr double kSmallestLead = 0.15;
  const auto answers = answersOf(shares);
  WireAnswer answer;
  answer.lead = answers[0].share - answers[1].share;
  Limit limit = answers[0].limit;
  // What arrives out of order is repaired without need: the time that this takes recovers nothing.
  const bool nothingWasLost = limit == Limit::network && retransmissionsWereSpurious(evidence);
  // A sender that goes its own way for so long has a small buffer or a slow program, of which the acknowledgments that
  // it answers are a part.
  constexpr double kOwnWay = 0.3;
  const double own = shares.ratio(Limit::unknown) + shares.ratio(Limit::sendBuffer);
  if (limit == Limit::network && own >= kOwnWay) limit = Limit::unknown;
  if (limit == Limit::network && !nothingWasLost) limit = clearPartOfPath(shares);
  const bool hidesTimeouts = mayHideTimeouts(shares, evidence, waits, silenceAfter);
  if ((limit == Limit::idle || limit == Limit::application) && hidesTimeouts) limit = Limit::unknown;
  if (limit == Limit::unknown || answer.lead < kSmallestLead) {
    answer.candidates = candidatesOf(shares, evidence, waits, hidesTimeouts);
  } else {
    answer.limit = limit;
  }
  return answer;
}

Verdict wireVerdict(const ConnectionEvidence& evidence) {
  Verdict verdict;
  if (evidence.limits.observed() <= Nanoseconds::zero()) return verdict;
  if (auto waiting = smallWritesVerdict(evidence, WithEvidence::yes)) return *waiting;
  const WaitEvidence& waits = *evidence.waits;
  WireAnswer answer = wireAnswer(evidence.limits, evidence, waits, waits.silenceAfter);
  if (answer.limit == Limit::unknown) {
    verdict.candidates = std::move(answer.candidates);
    return verdict;
  }
  CauseFound found = findCause(answer.limit, evidence);
  // Where the kernel's figures would name a cause in doubt, packets alone name none, unless the pattern of the losses
  // names the same one.
  const bool isSeconded = found.cause != Cause::unknown && (found.cause == waits.lossPattern ||
                                                            (found.cause == Cause::pacing && keepsToAPace(evidence)));
  if (found.confidence < 1.0 && !isSeconded) found.cause = Cause::unknown;
  // Whether the program set its buffer or the system limits it shows at the host alone.
  if (answer.limit == Limit::sendBuffer) found.cause = Cause::unknown;
  verdict.limit = answer.limit;
  verdict.cause = found.cause;
  // A sender that goes its own way now and then may send in bursts that overflow a queue: the losses are then a small
  // buffer's.
  const bool goesOwnWay = verdict.cause == Cause::loss && evidence.limits.ratio(Limit::unknown) >= kWorthNaming;
  // A program that writes blocks at a steady pace may keep step with the acknowledgments.
  const bool mayBeWriter = verdict.limit == Limit::sendBuffer;
  constexpr double kDoubt = 0.75;
  verdict.confidenceRatio = confidenceFromLead(answer.lead) * confidenceInData(evidence) * found.confidence *
                            (waits.isIncomplete || goesOwnWay || mayBeWriter ? kDoubt : 1.0);
  if (verdict.cause == Cause::slowWriter) verdict.exchanges = exchangeShares(evidence);
  verdict.evidence = sendingEvidence(evidence, verdict);
  return verdict;
}

}  // namespace tcpscope
