#include "core/diagnosis/evidence/wait_limits.h"

#include "core/diagnosis/evidence/application_window.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/slow_start.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

bool streamHasQueue(const ConnectionEvidence& evidence, const Rtt& trip, double inFlightBytes) {
  // With few packets in flight each may wait for a delayed acknowledgment, which looks like a queue.
  constexpr double kManySegments = 10.0;
  const auto& mss = evidence.mss;
  return mss && inFlightBytes >= kManySegments * static_cast<double>(mss->value()) && pathHasQueue(trip);
}

namespace {

/// The path carries clearly more, and drops nothing: what queues there is of others, and leaves room.
bool hasRoomBesideOthers(const ConnectionEvidence& evidence) {
  constexpr double kClearlyLess = 0.7;
  const auto rate = goodputOf(evidence);
  if (!rate || !evidence.pathCapacity) return false;
  const BitsPerSecond least = evidence.pathCapacity->low.value_or(evidence.pathCapacity->rate);
  return rate->value() < kClearlyLess * least.value() && neededRetransmissions(evidence).value_or(0) == 0;
}

}  // namespace

bool pathLimitsRate(const ConnectionEvidence& evidence) {
  const auto trip = rtt(evidence);
  const auto inFlight = evidence.inFlightBytes.mean();
  if (trip && inFlight && streamHasQueue(evidence, *trip, *inFlight) && !hasRoomBesideOthers(evidence)) return true;
  if (evidence.ceMarkedSegments > 0U || retransmissionsWereSpurious(evidence)) return true;
  if (isInOpeningSlowStart(evidence)) return true;
  return neededRetransmissions(evidence) > 0U && evidence.slowsDownForLoss.value_or(false) &&
         !lossesAllowMore(evidence);
}

bool sendsOnThroughLoss(const ConnectionEvidence& evidence) {
  if (lossRatio(evidence).value_or(1.0) > kMostLossSentThrough) return false;
  return evidence.slowsDownForLoss == false || lossesAllowMore(evidence);
}

bool windowOnlyFillsQueue(const ConnectionEvidence& evidence) {
  constexpr double kSteady = 0.75;
  constexpr double kMostlyQueue = 2.0;
  constexpr double kLongQueueUs = 20'000.0;
  const auto smallest = evidence.receiveWindowBytes.smallest();
  const auto largest = evidence.receiveWindowBytes.largest();
  const auto trip = rttOfDataPath(evidence);
  const auto inFlight = evidence.inFlightBytes.mean();
  if (!smallest || !largest || !trip || !inFlight || evidence.windowClosedSamples > 0U) return false;
  return *smallest >= kSteady * *largest && trip->inflation() >= kMostlyQueue && trip->queueUs() >= kLongQueueUs &&
         streamHasQueue(evidence, *trip, *inFlight);
}

bool writerIsSlow(const WaitEvidence& waits) {
  constexpr std::uint32_t kAFewTimes = 8;
  constexpr double kGoodPartOfTheTime = 0.3;
  // Measured on Linux, whose Nagle algorithm holds most of them back: 0.15 and more; paced senders with data, 0.
  constexpr double kAgainAndAgain = 0.08;
  const Nanoseconds observed = waits.waits.observed();
  const SenderHabits::Unprompted& unprompted = waits.habits.unprompted;
  if (unprompted.afterShort < kAFewTimes || observed <= Nanoseconds::zero()) return false;
  const double share = toSeconds(unprompted.span) / toSeconds(observed);
  return share >= kGoodPartOfTheTime && unprompted.afterShort >= kAgainAndAgain * unprompted.count;
}

bool pausesMayHoldData(const ConnectionEvidence& evidence) {
  constexpr std::uint32_t kAFewTimes = 8;
  // Measured: all of them of a sender with SO_MAX_PACING_RATE, and of writes of any other size one in 1,448.
  constexpr double kNearlyAll = 0.95;
  constexpr double kMuchLoss = 0.01;
  const auto& waits = evidence.waits;
  if (!waits || lossRatio(evidence).value_or(0.0) >= kMuchLoss) return false;
  const SenderHabits::Pauses& pauses = waits->habits.pauses;
  return pauses.count >= kAFewTimes && pauses.afterFull >= kNearlyAll * pauses.count;
}

bool refillsSendBuffer(const ConnectionEvidence& evidence) {
  constexpr std::uint32_t kAFewTimes = 8;
  constexpr double kMostOfTheData = 0.7;
  constexpr double kMuchLoss = 0.01;
  const auto& waits = evidence.waits;
  return waits && waits->habits.refills.count >= kAFewTimes && waits->refilledRatio >= kMostOfTheData &&
         lossRatio(evidence).value_or(0.0) < kMuchLoss;
}

bool keepsToAPace(const ConnectionEvidence& evidence) {
  // Measured over eight bursts in a row: at least 0.83 with SO_MAX_PACING_RATE, at most 0.66 with BBR, which spends a
  // quarter of its time on probes.
  constexpr double kMostAlike = 0.8;
  constexpr double kMostUnprompted = 0.8;
  constexpr std::uint32_t kManyGroups = 8;
  // Otherwise the path may set the pace, or something else a part of the time.
  constexpr double kBelowThePath = 0.8;
  constexpr double kAllTheTime = 0.9;
  const auto rate = goodputOf(evidence);
  if (!evidence.waits || !evidence.pathCapacity || !rate) return false;
  const BurstPace& pace = evidence.waits->habits.pace;
  if (pace.groups() < kManyGroups || pace.steadyGroups() < kMostAlike * pace.groups()) return false;
  if (pace.unprompted() < kMostUnprompted * pace.bursts()) return false;
  const BitsPerSecond least = evidence.pathCapacity->low.value_or(evidence.pathCapacity->rate);
  const auto paceRate = pace.rate();
  return paceRate && paceRate->value() < kBelowThePath * least.value() &&
         rate->value() >= kAllTheTime * paceRate->value();
}

namespace {

bool stopsAtItsOwnWindow(const ConnectionEvidence& evidence) {
  const auto window = applicationWindow(evidence);
  return window && window->confidenceRatio >= kConfident;
}

}  // namespace

WaitMeaning waitMeaning(const ConnectionEvidence& evidence) {
  return {pathLimitsRate(evidence),
          sendsOnThroughLoss(evidence),
          windowOnlyFillsQueue(evidence),
          (evidence.waits && writerIsSlow(*evidence.waits)) || stopsAtItsOwnWindow(evidence),
          pausesMayHoldData(evidence),
          refillsSendBuffer(evidence),
          keepsToAPace(evidence)};
}

LimitShares limitsOf(const SenderWaits& waits, const WaitMeaning& meaning) {
  Limit ofOwn = meaning.refillsSendBuffer ? Limit::sendBuffer : Limit::unknown;
  if (meaning.writerIsSlow) ofOwn = Limit::application;
  // The pace is counted with the network, as its limit of the sending rate is live.
  if (meaning.keepsToAPace) ofOwn = Limit::network;
  const Limit ofWindow = meaning.pathLimitsRate ? Limit::network : ofOwn;
  const Limit ofPause = meaning.pausesMayHoldData ? Limit::unknown : Limit::application;
  LimitShares shares;
  shares.add(meaning.windowOnlyFillsQueue ? Limit::network : Limit::receiver, waits.span(SenderWait::receiver));
  shares.add(ofWindow, waits.span(SenderWait::clock));
  shares.add(ofOwn, waits.span(SenderWait::own));
  shares.add(Limit::unknown, waits.span(SenderWait::unknown));
  shares.add(meaning.sendsOnThroughLoss ? ofWindow : Limit::recovery, waits.span(SenderWait::recovery));
  shares.add(Limit::timeout, waits.span(SenderWait::timeout));
  shares.add(meaning.keepsToAPace ? Limit::network : ofPause, waits.span(SenderWait::pause));
  shares.add(Limit::idle, waits.span(SenderWait::idle));
  return shares;
}

}  // namespace tcpscope
