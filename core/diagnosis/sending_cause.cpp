#include "core/diagnosis/sending_cause.h"

#include <algorithm>

#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

bool pacingLimitIsReached(const SocketObservation& socket, const WindowStatistics& window) {
  constexpr double kReached = 0.85;
  const auto limit = socket.info.maxPacingRate();
  const auto rate = spanRate(window.ackedBytes, window);
  return limit && rate && !limit->isUnlimited() && rate->value() >= kReached * limit->value();
}

bool marksSetTheRate(const WindowStatistics& window) {
  return window.markedSegments > 0 && window.markedSegments > neededRetransmissions(window);
}

/// Sending again takes most of the time, whatever the control.
bool repairTakesMostOfTheTime(const WindowStatistics& window) {
  const LimitShares& shares = window.sending;
  return neededRetransmissions(window) > 0 &&
         shares.ratio(Limit::recovery) + shares.ratio(Limit::timeout) > shares.ratio(Limit::network);
}

/// So much is lost that it sets the rate of a loss-based control whatever the queue.
bool lossComesBeforeTheQueue(const WindowStatistics& window, bool slowsDownForLoss) {
  // A queue that overflows drops many packets at once and seldom; loss on the way goes on.
  constexpr double kMoreThanOverflow = 0.005;
  constexpr std::uint32_t kGoesOn = 3;
  return slowsDownForLoss && window.lossEvents >= kGoesOn && lossRatio(window).value_or(0.0) > kMoreThanOverflow;
}

constexpr double kAsGoodAsAGuess = 0.75;

/// By how much the window at a loss varies. Where something drops what exceeds a rate, loss comes at the same window
/// again and again: seen on Linux, 0.02 to 0.22, the more the busier the machine. Loss at random comes at any window:
/// seen, 0.27 to 0.42; simulated, 0.35 for Reno and 0.23 for CUBIC over twelve events, in one run of a hundred 0.20 and
/// 0.12.
constexpr double kSureSameWindow = 0.10;
constexpr double kSameWindow = 0.17;
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
  if (*variation > kSameWindow) {
    const bool atAnyTime = distances.count() >= kManyEvents && distances.variation() >= kSureAnyTime;
    return {Cause::loss, atAnyTime ? 1.0 : kAsGoodAsAGuess};
  }
  const bool isSure = *variation <= kSureSameWindow && thresholds.count() >= kManyEvents;
  return {Cause::policer, isSure ? 1.0 : kAsGoodAsAGuess};
}

/// Loss at random, or a policer; a short queue drops at the same window, too, and still shows in the round trips.
CauseFound lossWithoutQueue(const WindowStatistics& window, const std::optional<RoundTrip>& trip) {
  const CauseFound found = lossByItsPattern(window.thresholdsAfterLoss, window.segmentsBetweenLosses.distances());
  if (found.cause != Cause::policer) return found;
  if (queueFillsBeforeLoss(window)) return {Cause::loss, kAsGoodAsAGuess};
  // Busy hosts delay packets, too: between no queue and some nothing is sure.
  constexpr double kNoQueue = 1.05;
  constexpr double kSomeQueue = 1.12;
  if (!trip || trip->inflation() >= kSomeQueue) return {Cause::loss, kAsGoodAsAGuess};
  return {Cause::policer, trip->inflation() < kNoQueue ? found.confidence : kAsGoodAsAGuess};
}

/// A path that is kept full, or one whose queue is too long; between them in doubt.
CauseFound causeOfQueue(const RoundTrip& trip) {
  const double excess = excessOfQueue(trip);
  constexpr double kClear = 0.34;
  const bool isDoubtful = excess > kClear && excess < 1.0 - kClear;
  return {excess >= 0.5 ? Cause::queue : Cause::pathFull, isDoubtful ? 0.75 : 1.0};
}

/// The congestion window stands at the top of its range and that range is wide: it still grows.
bool congestionWindowGrows(const SocketObservation& socket, const WindowStatistics& window) {
  const auto smallest = window.congestionWindowBytes.smallest();
  const auto largest = window.congestionWindowBytes.largest();
  const auto segments = socket.info.sndCwnd();
  const auto mss = socket.info.sndMss();
  if (!smallest || !segments || !mss) return false;
  const double now = static_cast<double>(segments->value()) * static_cast<double>(mss->value());
  return now >= 0.98 * *largest && *largest >= 1.3 * *smallest;
}

/// No loss, no queue, no marks in the span: what keeps the window from growing?
CauseFound causeWithoutSigns(const SocketObservation& socket, const WindowStatistics& window, bool slowsDownForLoss) {
  // BBR and its kind measure the path's rate and hold it; loss-based controls go on until something gives.
  if (!slowsDownForLoss) return {Cause::pathFull, 1.0};
  if (congestionWindowGrows(socket, window)) return {Cause::unknown, 0.75};
  // An earlier loss may have set the window from which it still grows.
  if (socket.info.totalRetrans().value_or(Segments(0)).value() > 0) return {Cause::loss, 0.75};
  return {Cause::pathFull, 0.9};
}

}  // namespace

CauseFound causeOfReceiverLimit(const SocketObservation& socket, const WindowStatistics& window) {
  const auto smallest = window.peerWindowBytes.smallest();
  const auto largest = window.peerWindowBytes.largest();
  const auto mss = socket.info.sndMss();
  if (!smallest || !mss) return {Cause::unknown, 1.0};
  // A Linux receiver whose program reads at once advertises the same window to the byte. One that reads slowly lets it
  // breathe with every read, often by less than the two segments of the guide; auto-tuning only makes it grow. Seen
  // over some fifty looks: 3 to 22 times with a slow reader, never with a small buffer.
  constexpr double kShrinksOften = 0.05;
  constexpr double kClosesOften = 0.05;
  const double samples = std::max(1U, window.samples);
  const double shrinks = window.samplesWithPeerWindowShrunk / samples;
  if (shrinks >= kShrinksOften || window.samplesWithPeerWindowClosed / samples >= kClosesOften) {
    return {Cause::slowReader, 1.0};
  }
  const double ceiling = windowCeilingBytes(socket.info.sndWscale().value_or(Count(0)));
  constexpr double kAtCeiling = 0.95;
  if (socket.info.sndWscale() && *largest >= kAtCeiling * ceiling) return {Cause::windowScale, 1.0};
  // The scale follows from the largest buffer allowed at the start: a window near its ceiling is a buffer fixed then.
  const bool fitsScale = *largest * 4.0 >= ceiling;
  constexpr std::uint32_t kEnoughSamples = 8;
  const double twoSegments = 2.0 * static_cast<double>(mss->value());
  const bool isStill = *largest - *smallest <= twoSegments && shrinks == 0.0;
  const double doubt = (isStill ? 1.0 : 0.75) * (fitsScale || window.samples >= kEnoughSamples ? 1.0 : 0.75);
  return {Cause::bufferLimit, doubt};
}

CauseFound causeOfSendBufferLimit(const SocketObservation& socket) {
  const bool locked = socket.bufferLocks && socket.bufferLocks->sendBuffer;
  return {locked ? Cause::bufferLocked : Cause::bufferLimit, 1.0};
}

CauseFound causeOfTimeouts(const SocketObservation& socket, const WindowStatistics& window) {
  constexpr Bytes kLargeSegment{1000};
  constexpr Count kAgainAndAgain{2};
  const auto mss = socket.info.sndMss();
  const auto acked = socket.info.bytesAcked();
  const bool nothingMoves = window.ackedBytes == 0 && socket.info.retransmits() >= kAgainAndAgain;
  // All that ever arrived fits into less than one segment: small packets pass, full ones do not. Where not even that
  // arrived (the SYN counts as one byte), the path may as well be dead.
  if (!mss || !acked || !nothingMoves || *mss < kLargeSegment || *acked >= *mss) return {Cause::loss, 1.0};
  return {Cause::mtu, *acked > Bytes(1) ? 1.0 : 0.75};
}

CauseFound causeOfNetworkLimit(const SocketObservation& socket, const WindowStatistics& window) {
  return causeOfNetworkLimit(socket, window, mathisAppliesTo(socket.congestionControl.text()));
}

CauseFound causeOfNetworkLimit(const SocketObservation& socket, const WindowStatistics& window, bool slowsDownForLoss) {
  if (pacingLimitIsReached(socket, window)) return {Cause::pacing, 1.0};
  if (retransmissionsWereSpurious(window)) return {Cause::reordering, 1.0};
  if (repairTakesMostOfTheTime(window)) return {Cause::loss, 1.0};
  const auto trip = roundTrip(socket, window);
  const bool hasQueue = trip && pathHasQueue(*trip);
  if (lossComesBeforeTheQueue(window, slowsDownForLoss)) {
    return hasQueue ? CauseFound{Cause::loss, 1.0} : lossWithoutQueue(window, trip);
  }
  if (marksSetTheRate(window) && !(hasQueue && causeOfQueue(*trip).cause == Cause::queue)) return {Cause::ecn, 1.0};
  if (hasQueue) return causeOfQueue(*trip);
  // Loss does not steer BBR and its kind until a fifth is lost (BBR's start-up gain of 1.25 outweighs less).
  constexpr double kTolerated = 0.2;
  const bool lossSteers = slowsDownForLoss || lossRatio(window).value_or(0) > kTolerated;
  if (neededRetransmissions(window) > 0 && lossSteers) return lossWithoutQueue(window, trip);
  return causeWithoutSigns(socket, window, slowsDownForLoss);
}

}  // namespace tcpscope
