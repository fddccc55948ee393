#include "core/diagnosis/evidence/wait_limits.h"

#include "core/diagnosis/evidence/slow_start.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

bool streamHasQueue(const ConnectionEvidence& evidence, const Rtt& trip, double inFlightBytes) {
  // With few packets in flight each may wait for a delayed acknowledgment, which looks like a queue.
  constexpr double kManySegments = 10.0;
  const auto& mss = evidence.mss;
  return mss && inFlightBytes >= kManySegments * static_cast<double>(mss->value()) && pathHasQueue(trip);
}

bool pathLimitsRate(const ConnectionEvidence& evidence) {
  const auto trip = rtt(evidence);
  const auto inFlight = evidence.inFlightBytes.mean();
  if (trip && inFlight && streamHasQueue(evidence, *trip, *inFlight)) return true;
  if (evidence.ceMarkedSegments > 0U || retransmissionsWereSpurious(evidence)) return true;
  if (isInOpeningSlowStart(evidence)) return true;
  return neededRetransmissions(evidence) > 0U && evidence.slowsDownForLoss.value_or(false);
}

bool sendsOnThroughLoss(const ConnectionEvidence& evidence) {
  return evidence.slowsDownForLoss == false && lossRatio(evidence).value_or(1.0) <= kMostLossSentThrough;
}

LimitShares limitsOf(const SenderWaits& waits, bool pathLimitsRate, bool sendsOnThroughLoss) {
  const Limit ofWindow = pathLimitsRate ? Limit::network : Limit::unknown;
  LimitShares shares;
  shares.add(Limit::receiver, waits.span(SenderWait::receiver));
  shares.add(ofWindow, waits.span(SenderWait::clock));
  shares.add(Limit::unknown, waits.span(SenderWait::own) + waits.span(SenderWait::unknown));
  shares.add(sendsOnThroughLoss ? ofWindow : Limit::recovery, waits.span(SenderWait::recovery));
  shares.add(Limit::timeout, waits.span(SenderWait::timeout));
  shares.add(Limit::application, waits.span(SenderWait::pause));
  shares.add(Limit::idle, waits.span(SenderWait::idle));
  return shares;
}

}  // namespace tcpscope
