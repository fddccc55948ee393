#include "core/diagnosis/bounds/window_bound.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_rate.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/limits/socket_state.h"

namespace tcpscope {

namespace {

Bound perRtt(BoundModel model, std::optional<double> bytes, const ConnectionEvidence& evidence) {
  if (!bytes) return unknownBound(model, WhyNoBound::notReported);
  const auto seconds = boundRttSeconds(evidence);
  if (!seconds) return unknownBound(model, evidence.waits ? WhyNoBound::pathRttUnknown : WhyNoBound::noRttYet);
  // Means over the span, of windows that come and go, may be less than what went through them.
  const auto reached = goodputOf(evidence);
  const BitsPerSecond rate = rateOfWindow(*bytes, *seconds);
  return {model, std::max(rate, reached.value_or(rate)), true, WhyNoBound::none};
}

std::optional<double> bytesOf(const std::optional<Bytes>& bytes) {
  if (!bytes) return std::nullopt;
  return static_cast<double>(bytes->value());
}

}  // namespace

std::optional<double> boundRttSeconds(const ConnectionEvidence& evidence) {
  // A receiver sends little, so that its smoothed RTT is old: the minimum is the one that bounds.
  if (evidence.side == Side::receiving && evidence.minRtt) return toSeconds(*evidence.minRtt);
  if (const auto mean = evidence.rttUs.mean()) return *mean * 1e-6;
  return evidence.rtt ? std::optional(toSeconds(*evidence.rtt)) : std::nullopt;
}

double usableSendBufferRatio(const ConnectionEvidence& evidence) {
  constexpr double kHalf = 0.5;
  if (!evidence.memory || !evidence.sendQueue || evidence.sendQueue->value() == 0) return kHalf;
  // Written and not acknowledged, in bytes of data and in bytes of memory.
  const auto written = static_cast<double>(evidence.sendQueue->value());
  const auto inMemory = static_cast<double>(evidence.memory->sendQueued.value());
  const auto whole = static_cast<double>(evidence.memory->sendBuffer.value());
  // A few packets say little about the rest of the buffer.
  if (inMemory < whole / 2.0) return kHalf;
  return std::clamp(written / inMemory, 0.1, 1.0);
}

Bound receiverWindowBound(const ConnectionEvidence& evidence) {
  auto window = evidence.receiveWindowBytes.mean();
  if (!window) window = bytesOf(evidence.receiveWindow);
  if (window && *window <= 0.0) return unknownBound(BoundModel::receiverWindow, WhyNoBound::windowClosed);
  return perRtt(BoundModel::receiverWindow, window, evidence);
}

Bound congestionWindowBound(const ConnectionEvidence& evidence) {
  auto window = evidence.congestionWindowBytes.mean();
  const auto& segments = evidence.congestionWindow;
  const auto& mss = evidence.mss;
  if (!window && segments && mss) {
    window = static_cast<double>(segments->value()) * static_cast<double>(mss->value());
  }
  return perRtt(BoundModel::congestionWindow, window, evidence);
}

Bound sendBufferBound(const ConnectionEvidence& evidence) {
  std::optional<double> usable;
  if (const auto& memory = evidence.memory) {
    usable = static_cast<double>(memory->sendBuffer.value()) * usableSendBufferRatio(evidence);
    // The kernel lets the last write exceed the limit: what was in flight did fit.
    if (const auto inFlight = evidence.inFlightBytes.largest()) usable = std::max(*usable, *inFlight);
    // The last packet may overshoot a small buffer by its whole size: what is in it now is what it takes.
    const bool isFull = memory->sendQueued >= memory->sendBuffer;
    if (isFull && evidence.sendQueue) usable = std::max(*usable, static_cast<double>(evidence.sendQueue->value()));
  }
  return perRtt(BoundModel::sendBuffer, usable, evidence);
}

Bound windowScaleBound(const ConnectionEvidence& evidence) {
  if (!evidence.windowScale) return unknownBound(BoundModel::windowScale, WhyNoBound::notReported);
  return perRtt(BoundModel::windowScale, windowCeilingBytes(*evidence.windowScale), evidence);
}

Bound pacingBound(const ConnectionEvidence& evidence) {
  const auto& limit = evidence.maxPacingRate;
  if (!limit) return unknownBound(BoundModel::pacing, WhyNoBound::notReported);
  if (limit->isUnlimited()) return {BoundModel::pacing, BitsPerSecond::unlimited(), false, WhyNoBound::unlimited};
  return {BoundModel::pacing, *limit, true, WhyNoBound::none};
}

}  // namespace tcpscope
