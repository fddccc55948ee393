#include "ui/views/scope/usual_traces.h"

#include "core/diagnosis/evidence/confidence.h"

namespace tcpscope {

namespace {

using enum Metric;

std::vector<Metric> ofReceiver(const Verdict& verdict) {
  if (verdict.limit == Limit::network) return {receiveGoodput, rcvOoopack, rcvWnd, rcvRtt};
  return {receiveGoodput, rcvWnd, receiveQueue, memoryReceiveBuffer};
}

std::vector<Metric> ofPath(Cause cause) {
  if (cause == Cause::queue) return {rtt, minRtt, sendGoodput, inFlightBytes};
  if (cause == Cause::ecn) return {sendGoodput, deliveredCe, congestionWindowBytes, rtt};
  if (cause == Cause::pacing) return {sendGoodput, pacingRate, inFlightBytes, rtt};
  return {sendGoodput, retransmissionsPerSecond, congestionWindowBytes, rtt};
}

std::vector<Metric> ofSender(const Verdict& verdict) {
  switch (verdict.limit) {
    case Limit::receiver:
      return {sendGoodput, inFlightBytes, sndWnd, congestionWindowBytes};
    case Limit::sendBuffer:
      return {sendGoodput, inFlightBytes, memorySendQueued, memorySendBuffer};
    case Limit::application:
      return {sendGoodput, notsentBytes, inFlightBytes, congestionWindowBytes};
    case Limit::network:
    case Limit::recovery:
    case Limit::timeout:
      return ofPath(verdict.cause);
    default:
      return usualTraces();
  }
}

}  // namespace

std::vector<Metric> usualTraces() {
  // A receive window that limits nothing is often far larger than all of them.
  return {sendGoodput, retransmissionsPerSecond, congestionWindowBytes, inFlightBytes};
}

UsualTraces usualTraces(const ConnectionDetail& detail) {
  const bool sends = detail.diagnosis.bulk == Side::sending;
  const auto& side = sends ? detail.diagnosis.sending : detail.diagnosis.receiving;
  const bool isSure = side && side->verdict.confidenceRatio >= kConfident;
  const Verdict verdict = isSure ? side->verdict : Verdict();
  return {sends ? ofSender(verdict) : ofReceiver(verdict), isSure && verdict.limit != Limit::unknown};
}

}  // namespace tcpscope
