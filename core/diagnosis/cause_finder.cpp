#include "core/diagnosis/cause_finder.h"

#include <algorithm>

#include "core/diagnosis/bounds/loss_bound.h"
#include "core/diagnosis/evidence/application_window.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/slow_start.h"
#include "core/diagnosis/evidence/wait_limits.h"
#include "core/diagnosis/limits/socket_state.h"

namespace tcpscope {

namespace {

bool pacingLimitIsReached(const ConnectionEvidence& evidence) {
  constexpr double kReached = 0.85;
  const auto& limit = evidence.maxPacingRate;
  const auto rate = goodputOf(evidence);
  return limit && rate && !limit->isUnlimited() && rate->value() >= kReached * limit->value();
}

bool marksSetTheRate(const ConnectionEvidence& evidence) {
  return evidence.ceMarkedSegments > 0U && evidence.ceMarkedSegments > neededRetransmissions(evidence);
}

/// Recovery takes most of the time, whatever the congestion control.
bool repairTakesMostOfTheTime(const ConnectionEvidence& evidence) {
  const LimitShares& shares = evidence.limits;
  return neededRetransmissions(evidence) > 0U &&
         shares.ratio(Limit::recovery) + shares.ratio(Limit::timeout) > shares.ratio(Limit::network);
}

/// So much is lost that it sets the rate of a loss-based control whatever the queue.
bool lossComesBeforeTheQueue(const ConnectionEvidence& evidence, bool slowsDownForLoss, bool hasQueue) {
  // A queue that overflows drops many packets at once, most of all in slow start, and seldom; loss on the way goes on.
  constexpr double kMoreThanOverflow = 0.005;
  constexpr double kOftenerThanOverflow = 0.002;
  constexpr std::uint64_t kGoesOn = 3;
  if (!slowsDownForLoss || !evidence.lossEvents || *evidence.lossEvents < kGoesOn) return false;
  const auto events = static_cast<double>(*evidence.lossEvents);
  const bool isSeldom =
      evidence.dataSegments && events < kOftenerThanOverflow * static_cast<double>(*evidence.dataSegments);
  return lossRatio(evidence) > kMoreThanOverflow && !(hasQueue && isSeldom);
}

constexpr double kAsGoodAsAGuess = 0.75;

/// By how much the window at a loss varies. Where something drops what exceeds a rate, loss comes at the same window
/// again and again: seen on Linux, 0.02 to 0.22, the more the busier the machine. Loss at random comes at any window:
/// seen, 0.27 to 0.42; simulated, 0.35 for Reno and 0.23 for CUBIC over twelve events, in one run of a hundred 0.20 and
/// 0.12.
constexpr double kSameWindow = 0.10;
constexpr double kSureAnyWindow = 0.26;
/// How evenly the losses lie apart, in segments. A window that grows to the same size each time takes about as many
/// segments to get there: seen with a policer, 0.07 to 0.81. Chance has no memory: seen, 0.49 to 1.26.
constexpr double kSureAnyTime = 0.85;

CauseFound lossByItsPattern(const EventSpread& thresholds, const EventSpread& distances) {
  constexpr std::uint32_t kFewEvents = 3;
  constexpr std::uint32_t kManyEvents = 8;
  const auto variation = thresholds.variation();
  if (!variation || thresholds.count() < kFewEvents) return {Cause::loss, kAsGoodAsAGuess};
  if (*variation >= kSureAnyWindow) return {Cause::loss, 1.0};
  // Three windows out of any are as close together as a policer's once in four times, five once in fifty: in a
  // transfer that is judged again and again that happens.
  if (thresholds.count() < kManyEvents) return {Cause::loss, kAsGoodAsAGuess};
  // In doubt it is a loss, which what a policer drops is, too.
  if (*variation > kSameWindow) {
    const bool atAnyTime = distances.count() >= kManyEvents && distances.variation() >= kSureAnyTime;
    return {Cause::loss, atAnyTime ? 1.0 : kAsGoodAsAGuess};
  }
  return {Cause::policer, 1.0};
}

/// The receive window ends the growth of the flight, so that each loss finds it at the same size, whatever drops.
bool receiveWindowEndsGrowth(const ConnectionEvidence& evidence) {
  constexpr double kNearly = 0.9;
  const auto window = evidence.receiveWindowBytes.smallest();
  const auto inFlight = evidence.inFlightBytes.largest();
  return window && inFlight && *inFlight >= kNearly * *window;
}

/// The losses are found where the RTT is about as long as it ever gets: a queue overflows, though it is mostly empty,
/// as that of a few flows that halve their windows.
bool lossesComeAtTheLongestRtt(const ConnectionEvidence& evidence, const Rtt& trip) {
  constexpr double kNearlyFull = 0.7;
  const auto atLoss = evidence.rttAtLossUs.mean();
  const auto longest = evidence.rttUs.largest();
  return atLoss && longest && *atLoss - trip.smallestUs >= kNearlyFull * (*longest - trip.smallestUs);
}

/// Loss at random, or a policer; a short queue, or one that is mostly empty, drops at the same window, too, and still
/// shows in the RTT.
CauseFound lossWithoutQueue(const ConnectionEvidence& evidence, const std::optional<Rtt>& trip) {
  // Busy hosts delay packets, too: between no queue and some nothing is sure.
  constexpr double kNoQueue = 1.05;
  constexpr double kSomeQueue = 1.12;
  const bool hasSomeQueue = trip && trip->inflation() >= kSomeQueue;
  if (hasSomeQueue && queueFillsBeforeLoss(evidence) && lossesComeAtTheLongestRtt(evidence, *trip)) {
    return {Cause::pathFull, kAsGoodAsAGuess};
  }
  const CauseFound found = lossByItsPattern(evidence.windowsAfterLoss, evidence.segmentsBetweenLosses);
  if (found.cause != Cause::policer) return found;
  if (receiveWindowEndsGrowth(evidence)) return {Cause::loss, kAsGoodAsAGuess};
  if (queueFillsBeforeLoss(evidence)) return {Cause::loss, kAsGoodAsAGuess};
  if (!trip || hasSomeQueue) return {Cause::loss, kAsGoodAsAGuess};
  return {Cause::policer, trip->inflation() < kNoQueue ? found.confidence : kAsGoodAsAGuess};
}

/// A path that is kept full, or one whose queue is too long; between them in doubt.
CauseFound causeOfQueue(const Rtt& trip) {
  const double excess = excessOfQueue(trip);
  constexpr double kClear = 0.34;
  const bool isDoubtful = excess > kClear && excess < 1.0 - kClear;
  return {excess >= 0.5 ? Cause::queue : Cause::pathFull, isDoubtful ? 0.75 : 1.0};
}

/// The congestion window stands at the top of its range and that range is wide: it still grows.
bool congestionWindowGrows(const ConnectionEvidence& evidence) {
  const auto smallest = evidence.congestionWindowBytes.smallest();
  const auto largest = evidence.congestionWindowBytes.largest();
  const auto& segments = evidence.congestionWindow;
  const auto& mss = evidence.mss;
  if (!smallest || !segments || !mss) return false;
  const double now = static_cast<double>(segments->value()) * static_cast<double>(mss->value());
  return now >= 0.98 * *largest && *largest >= 1.3 * *smallest;
}

/// Always as much in flight as the congestion window allows. Where the host's own link is saturated, less is: its queue
/// holds the sender back before the window does (TCP Small Queues).
bool congestionWindowIsUsedUp(const ConnectionEvidence& evidence) {
  constexpr double kUsedUp = 0.9;
  const auto inFlight = evidence.inFlightBytes.mean();
  const auto window = evidence.congestionWindowBytes.mean();
  return inFlight && window && *inFlight >= kUsedUp * *window;
}

/// A window that is used up without loss, queue or marks grows by a segment per RTT at least, unless something clamps
/// it.
CauseFound causeOfUsedUpWindow(const ConnectionEvidence& evidence) {
  constexpr double kHardlyAnyQueue = 1.1;
  const auto trip = rtt(evidence);
  if (!trip || trip->inflation() >= kHardlyAnyQueue) return {Cause::pathFull, kAsGoodAsAGuess};
  const bool standsStill = evidence.congestionWindowBytes.smallest() == evidence.congestionWindowBytes.largest();
  if (!standsStill) return {Cause::unknown, kAsGoodAsAGuess};
  constexpr std::uint32_t kEnoughSamples = 8;
  constexpr double kEnoughRtts = 8.0;
  const bool couldHaveGrown =
      evidence.samples >= kEnoughSamples && toSeconds(evidence.span()) * 1e6 >= kEnoughRtts * trip->meanUs;
  return {Cause::cwndClamp, couldHaveGrown ? 0.95 : kAsGoodAsAGuess};
}

/// No loss, no queue, no marks in the span: what keeps the window from growing?
CauseFound causeOfSteadyRate(const ConnectionEvidence& evidence, bool slowsDownForLoss) {
  // BBR and its kind measure the path's rate and hold it; loss-based controls go on until something gives.
  if (!slowsDownForLoss) return {Cause::pathFull, 1.0};
  if (congestionWindowGrows(evidence)) {
    // Slow start after a timeout is a matter of what was lost.
    const bool isUndisturbed = evidence.isInSlowStart == true && evidence.totalRetransmissions == Segments(0);
    return isUndisturbed ? CauseFound{Cause::slowStart, 0.9} : CauseFound{Cause::unknown, 0.75};
  }
  // An earlier loss may have set the window from which it still grows; in the span nothing is lost.
  if (evidence.totalRetransmissions > Segments(0)) return {Cause::unknown, kAsGoodAsAGuess};
  return congestionWindowIsUsedUp(evidence) ? causeOfUsedUpWindow(evidence) : CauseFound{Cause::pathFull, 0.9};
}

/// Of the receive window, seen from the sending end.
CauseFound causeOfPeerWindow(const ConnectionEvidence& evidence) {
  const auto smallest = evidence.receiveWindowBytes.smallest();
  const auto largest = evidence.receiveWindowBytes.largest();
  if (!smallest || !evidence.mss) return {Cause::unknown, 1.0};
  // A Linux receiver whose application reads at once advertises the same window to the byte. One that reads slowly lets
  // it vary with every read, often by less than the two segments of the guide; autotuning only increases it. Measured
  // over some fifty samples: 3 to 22 times with a slow reader, never with a small buffer.
  constexpr double kShrinksOften = 0.05;
  constexpr double kClosesOften = 0.05;
  const double samples = std::max(1U, evidence.samples);
  const double shrinks = evidence.windowShrunkSamples.value_or(0) / samples;
  if (shrinks >= kShrinksOften || evidence.windowClosedSamples.value_or(0) / samples >= kClosesOften) {
    return {Cause::slowReader, 1.0};
  }
  const double ceiling = windowCeilingBytes(evidence.windowScale.value_or(Count(0)));
  if (windowStandsAtCeiling(evidence)) return {Cause::windowScale, 1.0};
  // The scale follows from the largest buffer allowed at the start: a window near its ceiling is a buffer fixed then.
  const bool fitsScale = *largest * 4.0 >= ceiling;
  constexpr std::uint32_t kEnoughSamples = 8;
  const double twoSegments = 2.0 * static_cast<double>(evidence.mss->value());
  const bool isConstant = *largest - *smallest <= twoSegments && evidence.windowShrunkSamples == 0U;
  const double doubt = (isConstant ? 1.0 : 0.75) * (fitsScale || evidence.samples >= kEnoughSamples ? 1.0 : 0.75);
  return {Cause::bufferLimit, doubt};
}

double bytesOrZero(const std::optional<Bytes>& bytes) {
  return bytes ? static_cast<double>(bytes->value()) : 0.0;
}

/// The advertised window is far smaller than the receive buffer and the scale allow. Kernels advertise a half of the
/// buffer, and more once they know the packets.
bool ownWindowIsClamped(const ConnectionEvidence& evidence) {
  constexpr double kFarBelow = 0.3;
  // A window that the scale limits stands right below its ceiling.
  constexpr double kBelowCeiling = 0.6;
  constexpr std::uint32_t kEnoughSamples = 8;
  const auto mean = evidence.receiveWindowBytes.mean();
  if (!evidence.memory || !mean || evidence.receiveWindowBytes.count() < kEnoughSamples) return false;
  // What was advertised before a clamp is not taken back: the window ends at it once that is used up. One that grows is
  // larger at the end than in the mean.
  const double window = std::max(*mean, bytesOrZero(evidence.receiveWindow));
  const auto buffer = static_cast<double>(evidence.memory->receiveBuffer.value());
  const bool isBelowScale = !evidence.windowScale || window < kBelowCeiling * windowCeilingBytes(*evidence.windowScale);
  return window > 0.0 && window < kFarBelow * buffer && isBelowScale;
}

/// Of the receive window, seen from the receiving end.
CauseFound causeOfOwnWindow(const ConnectionEvidence& evidence) {
  if (ownWindowIsClamped(evidence)) return {Cause::windowClamp, 1.0};
  if (evidence.hasLockedBuffer()) return {Cause::bufferLocked, 1.0};
  return {windowStandsAtCeiling(evidence) ? Cause::windowScale : Cause::bufferLimit, 1.0};
}

/// What was delivered came in segments far smaller than the MSS: messages passed, and what waits now is larger.
bool onlySmallSegmentsArrived(const ConnectionEvidence& evidence) {
  constexpr double kFarBelowMss = 0.5;
  const auto& delivered = evidence.totalDelivered;
  if (!evidence.totalBytes || !delivered || delivered->value() == 0) return false;
  const double each = static_cast<double>(evidence.totalBytes->value()) / static_cast<double>(delivered->value());
  // Of small segments that are lost every path that is down would say the same.
  const bool fullSegmentsWait =
      evidence.fullSegmentsWait.value_or(!evidence.sendQueue || *evidence.sendQueue >= *evidence.mss);
  return fullSegmentsWait && each < kFarBelowMss * static_cast<double>(evidence.mss->value());
}

/// Packets are lost, or none of full size arrives.
CauseFound causeOfTimeouts(const ConnectionEvidence& evidence) {
  constexpr Count kRepeatedly{2};
  // A capture spans the whole connection, so that its few bytes may have been acknowledged in the span.
  const bool isStalled = evidence.consecutiveTimeouts >= kRepeatedly && (evidence.bytes == 0U || evidence.waits);
  // Acknowledgments were late, and nothing was lost.
  if (evidence.waits && neededRetransmissions(evidence) == 0U) return {};
  if (!evidence.mss && evidence.waits) return {};
  if (!isStalled) return {Cause::loss, 1.0};
  const auto confidence = confidenceInBlackHole(evidence);
  if (!confidence) return {Cause::loss, 1.0};
  // Not even small packets passed: the path may as well be down, and packets alone name no cause.
  return *confidence < kConfident && evidence.waits ? CauseFound{} : CauseFound{Cause::mtu, *confidence};
}

/// The losses of the span would let the connection be several times as fast as it is.
bool lossWouldAllowMore(const ConnectionEvidence& evidence) {
  constexpr double kSeveralTimes = 4.0;
  const auto allowed = rateThatLossAllows(evidence);
  const auto rate = goodputOf(evidence);
  return allowed && rate && allowed->value() >= kSeveralTimes * rate->value();
}

CauseFound causeOfWriter(const ConnectionEvidence& evidence) {
  if (const auto window = applicationWindow(evidence)) return {Cause::applicationWindow, window->confidenceRatio};
  return {Cause::slowWriter, 1.0};
}

/// Of a path with a queue: it overflows at each loss, however much that drops at a start. Packets show that the RTT
/// grows before each; or the queue is present most of the time, and longer where something is lost.
bool lossesAreItsOverflow(const ConnectionEvidence& evidence, const Rtt& trip) {
  constexpr double kMostlyThere = 1.5;
  if (evidence.waits && evidence.waits->lossPattern == Cause::pathFull) return true;
  return trip.inflation() >= kMostlyThere && queueFillsBeforeLoss(evidence);
}

/// Loss, a queue, CE marks, reordering, the application's own pacing limit; else the bottleneck is saturated.
CauseFound causeOfNetworkLimit(const ConnectionEvidence& evidence) {
  const bool slowsDownForLoss = evidence.slowsDownForLoss.value_or(false);
  if (pacingLimitIsReached(evidence)) return {Cause::pacing, 1.0};
  if (keepsToAPace(evidence)) return {Cause::pacing, kAsGoodAsAGuess};
  if (retransmissionsWereSpurious(evidence)) return {Cause::reordering, 1.0};
  if (repairTakesMostOfTheTime(evidence)) return {Cause::loss, 1.0};
  const auto trip = rttOfDataPath(evidence);
  const bool hasQueue = trip && pathHasQueue(*trip);
  // The flights of slow start come in bursts, which wait for each other at the bottleneck without filling it.
  constexpr double kBurstsAlone = 1.6;
  if (isInOpeningSlowStart(evidence) && (!trip || trip->inflation() < kBurstsAlone)) return {Cause::slowStart, 1.0};
  if (!hasQueue && lossWouldAllowMore(evidence)) {
    return {queueIsOnReturnPath(evidence) ? Cause::queue : Cause::unknown, kAsGoodAsAGuess};
  }
  const bool isOverflow = hasQueue && lossesAreItsOverflow(evidence, *trip);
  if (!isOverflow && lossComesBeforeTheQueue(evidence, slowsDownForLoss, hasQueue)) {
    return hasQueue ? CauseFound{Cause::loss, 1.0} : lossWithoutQueue(evidence, trip);
  }
  if (marksSetTheRate(evidence) && !(hasQueue && causeOfQueue(*trip).cause == Cause::queue)) return {Cause::ecn, 1.0};
  if (hasQueue) return causeOfQueue(*trip);
  // Loss does not steer BBR and its kind until a fifth is lost (BBR's start-up gain of 1.25 outweighs less).
  constexpr double kTolerated = 0.2;
  const bool lossSteers = slowsDownForLoss || lossRatio(evidence) > kTolerated;
  if (neededRetransmissions(evidence) > 0U && lossSteers) return lossWithoutQueue(evidence, trip);
  // Nothing fills the data's own path, but RTTs are long by others' traffic on the way back.
  if (queueIsOnReturnPath(evidence)) return {Cause::queue, kAsGoodAsAGuess};
  return causeOfSteadyRate(evidence, slowsDownForLoss);
}

}  // namespace

std::optional<double> confidenceInBlackHole(const ConnectionEvidence& evidence) {
  constexpr Bytes kLargeSegment{1000};
  const auto& mss = evidence.mss;
  const auto& acked = evidence.totalBytes;
  if (!mss || !acked || *mss < kLargeSegment) return std::nullopt;
  // A FIN alone, or a short message, fits into every packet.
  if (evidence.sendQueue && *evidence.sendQueue < kLargeSegment) return std::nullopt;
  if (*acked >= *mss) {
    if (!onlySmallSegmentsArrived(evidence)) return std::nullopt;
    return evidence.fullSegmentsWait == true ? 1.0 : 0.9;
  }
  // All that ever arrived fits into less than one segment; the SYN counts as one byte.
  return *acked > Bytes(1) ? 1.0 : kAsGoodAsAGuess;
}

CauseFound findCause(Limit limit, const ConnectionEvidence& evidence) {
  const bool sends = evidence.side == Side::sending;
  switch (limit) {
    case Limit::receiver:
      return sends ? causeOfPeerWindow(evidence) : causeOfOwnWindow(evidence);
    case Limit::sendBuffer:
      return {evidence.hasLockedBuffer() ? Cause::bufferLocked : Cause::bufferLimit, 1.0};
    case Limit::network:
    case Limit::recovery:
      return causeOfNetworkLimit(evidence);
    case Limit::timeout:
      return causeOfTimeouts(evidence);
    case Limit::application:
      return sends ? causeOfWriter(evidence) : CauseFound{Cause::slowReader, 1.0};
    case Limit::idle:
    case Limit::unknown:
    case Limit::opening:
    case Limit::stalled:
      break;
  }
  return {};
}

}  // namespace tcpscope
