#include "core/diagnosis/wire_verdict.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/sending_cause.h"
#include "core/diagnosis/verdict_evidence.h"

namespace tcpscope {

namespace {

/// CUBIC goes down to 0.7, Reno to a half; who does not steer by loss stays.
constexpr double kSlowsDown = 0.87;

bool slowsDownForLoss(const WireSigns& signs) {
  return signs.backOff && *signs.backOff < kSlowsDown;
}

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
std::array<WeighedLimit, 4> answersOf(const LimitShares& shares) {
  const double pause = shares.ratio(Limit::application);
  const double idle = shares.ratio(Limit::idle);
  std::array<WeighedLimit, 4> answers = {WeighedLimit{Limit::receiver, shares.ratio(Limit::receiver)},
                                         WeighedLimit{Limit::network, shares.pathRatio()},
                                         WeighedLimit{pause >= idle ? Limit::application : Limit::idle, pause + idle},
                                         WeighedLimit{Limit::unknown, shares.ratio(Limit::unknown)}};
  std::stable_sort(answers.begin(), answers.end(),
                   [](const WeighedLimit& a, const WeighedLimit& b) { return a.share > b.share; });
  return answers;
}

/// Where what is sent may be lost before the capture point, timers look like pauses there: the end of a transfer always
/// may be one timeout after the other, pauses where much is lost.
bool mayHideTimeouts(const LimitShares& shares, const WindowStatistics& window, const WireSigns& signs) {
  constexpr double kWorthNaming = 0.15;
  constexpr double kMuch = 0.01;
  if (!signs.mayMissSending) return false;
  return shares.ratio(Limit::idle) >= kWorthNaming ||
         (shares.ratio(Limit::application) >= kWorthNaming && lossRatio(window).value_or(0.0) >= kMuch);
}

/// Everything that the waits leave open.
std::vector<Limit> candidatesOf(const LimitShares& shares, const WindowStatistics& window, const WireSigns& signs) {
  if (!signs.knowsWaits) return {Limit::receiver, Limit::network, Limit::sendBuffer, Limit::application};
  constexpr double kWorthNaming = 0.15;
  std::vector<Limit> candidates;
  const auto add = [&](Limit limit, bool isOne) {
    if (isOne) candidates.push_back(limit);
  };
  const bool isOwn = shares.ratio(Limit::unknown) >= kWorthNaming;
  const double stream = signs.waits.ratio(SenderWait::clock) + signs.waits.ratio(SenderWait::own);
  add(Limit::receiver, shares.ratio(Limit::receiver) >= kWorthNaming || !signs.knowsWindow);
  add(Limit::sendBuffer, isOwn);
  add(Limit::application, isOwn || shares.ratio(Limit::application) >= kWorthNaming);
  // Pacing, and a congestion window that no loss and no queue gives away, are the network's, too.
  add(Limit::network, stream >= kWorthNaming || shares.ratio(Limit::network) >= kWorthNaming);
  add(Limit::recovery, shares.ratio(Limit::recovery) >= kWorthNaming);
  add(Limit::timeout, shares.ratio(Limit::timeout) >= kWorthNaming || mayHideTimeouts(shares, window, signs));
  add(Limit::idle, shares.ratio(Limit::idle) >= kWorthNaming);
  return candidates;
}

CauseFound causeOfSilence(const SocketObservation& socket, const WindowStatistics& window) {
  constexpr std::uint64_t kLargeSegment = 1000;
  constexpr std::uint64_t kAgainAndAgain = 2;
  const auto mss = socket.info.sndMss();
  if (!mss) return {};
  // All that ever arrived fits into less than one segment: small packets pass, full ones do not.
  const bool nothingLargePasses = window.timeouts >= kAgainAndAgain && window.ackedBytes < mss->value();
  if (!nothingLargePasses || mss->value() < kLargeSegment) return {Cause::loss, 1.0};
  return window.ackedBytes > 0 ? CauseFound{Cause::mtu, 1.0} : CauseFound{};
}

CauseFound causeOf(Limit limit, const SocketObservation& socket, const WindowStatistics& window,
                   const WireSigns& signs) {
  switch (limit) {
    case Limit::receiver:
      return causeOfReceiverLimit(socket, window);
    case Limit::network:
    case Limit::recovery:
      return causeOfNetworkLimit(socket, window, slowsDownForLoss(signs));
    case Limit::timeout:
      return causeOfSilence(socket, window);
    case Limit::application:
      return {Cause::slowWriter, 1.0};
    default:
      return {};
  }
}

}  // namespace

bool streamHasQueue(const SocketObservation& socket, const RoundTrip& trip, double inFlightBytes) {
  // With few packets under way each may wait for a delayed acknowledgment, which looks like a queue.
  constexpr double kManySegments = 10.0;
  const auto mss = socket.info.sndMss();
  return mss && inFlightBytes >= kManySegments * static_cast<double>(mss->value()) && pathHasQueue(trip);
}

bool pathShowsItself(const SocketObservation& socket, const WindowStatistics& window, const WireSigns& signs) {
  const auto trip = roundTrip(socket, window);
  if (trip && streamHasQueue(socket, *trip, window.inFlightBytes.mean().value_or(0.0))) return true;
  if (window.markedSegments > 0 || retransmissionsWereSpurious(window)) return true;
  return neededRetransmissions(window) > 0 && slowsDownForLoss(signs);
}

LimitShares limitsOf(const SenderWaits& waits, bool pathShowsItself) {
  LimitShares shares;
  shares.add(Limit::receiver, waits.span(SenderWait::receiver));
  shares.add(pathShowsItself ? Limit::network : Limit::unknown, waits.span(SenderWait::clock));
  shares.add(Limit::unknown, waits.span(SenderWait::own) + waits.span(SenderWait::unknown));
  shares.add(Limit::recovery, waits.span(SenderWait::recovery));
  shares.add(Limit::timeout, waits.span(SenderWait::timeout));
  shares.add(Limit::application, waits.span(SenderWait::pause));
  shares.add(Limit::idle, waits.span(SenderWait::idle));
  return shares;
}

WireAnswer wireAnswer(const LimitShares& shares, const WindowStatistics& window, const WireSigns& signs) {
  constexpr double kSmallestLead = 0.15;
  const auto answers = answersOf(shares);
  WireAnswer answer;
  answer.lead = answers[0].share - answers[1].share;
  Limit limit = answers[0].limit;
  // What arrives out of order is repaired without need: the time that this takes recovers nothing.
  const bool nothingWasLost = limit == Limit::network && retransmissionsWereSpurious(window);
  // A sender that goes its own way for so long has a small buffer or a slow program, of which the acknowledgments that
  // it answers are a part.
  constexpr double kOwnWay = 0.3;
  if (limit == Limit::network && shares.ratio(Limit::unknown) >= kOwnWay) limit = Limit::unknown;
  if (limit == Limit::network && !nothingWasLost) limit = clearPartOfPath(shares);
  if ((limit == Limit::idle || limit == Limit::application) && mayHideTimeouts(shares, window, signs)) {
    limit = Limit::unknown;
  }
  if (limit == Limit::unknown || answer.lead < kSmallestLead) {
    answer.candidates = candidatesOf(shares, window, signs);
  } else {
    answer.limit = limit;
  }
  return answer;
}

Verdict wireVerdict(const SocketObservation& socket, const WindowStatistics& window, const WireSigns& signs) {
  Verdict verdict;
  if (window.sending.observed() <= Nanoseconds::zero()) return verdict;
  WireAnswer answer = wireAnswer(window.sending, window, signs);
  if (answer.limit == Limit::unknown) {
    verdict.candidates = std::move(answer.candidates);
    return verdict;
  }
  CauseFound found = causeOf(answer.limit, socket, window, signs);
  // Where a socket's verdict would name a cause in doubt, packets alone name none, unless the pattern of the losses
  // says the same on other grounds.
  const bool isSeconded = found.cause != Cause::unknown && found.cause == signs.lossPattern;
  if (found.confidence < 1.0 && !isSeconded) found.cause = Cause::unknown;
  verdict.limit = answer.limit;
  verdict.cause = found.cause;
  constexpr double kDoubt = 0.75;
  verdict.confidenceRatio = confidenceFromLead(answer.lead) * confidenceInData(window) * found.confidence *
                            (signs.isIncomplete ? kDoubt : 1.0);
  verdict.evidence = sendingEvidence(socket, window, verdict);
  return verdict;
}

}  // namespace tcpscope
