#include "core/diagnosis/bounds/window_bound.h"

#include "core/diagnosis/limits/socket_signs.h"

#include <algorithm>

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

Bound perRoundTrip(BoundModel model, std::optional<double> bytes, const DiagnosisInput& input) {
  if (!bytes) return unknownBound(model, WhyNoBound::notReported);
  const auto seconds = boundRoundTripSeconds(input);
  if (!seconds) return unknownBound(model, WhyNoBound::noRttYet);
  // Means over the span, of windows that come and go, may say less than what went through them.
  const bool sends = input.side == Side::sending;
  const auto reached = spanRate(sends ? input.window.ackedBytes : input.window.receivedBytes, input.window);
  const auto rate = BitsPerSecond::fromBytesPerSecond(*bytes / *seconds);
  return {model, std::max(rate, reached.value_or(rate)), true, WhyNoBound::none};
}

std::optional<double> bytesOf(const std::optional<Bytes>& bytes) {
  if (!bytes) return std::nullopt;
  return static_cast<double>(bytes->value());
}

}  // namespace

std::optional<double> boundRoundTripSeconds(const DiagnosisInput& input) {
  // A receiver sends little, so that its smoothed time is old: the shortest is the one that bounds.
  if (input.side == Side::receiving) {
    const auto shortest = input.socket.info.minRtt();
    if (shortest && shortest->count() > 0) return toSeconds(*shortest);
  }
  if (const auto mean = input.window.rttUs.mean()) return *mean * 1e-6;
  const auto last = input.socket.info.rtt();
  if (last && last->count() > 0) return toSeconds(*last);
  return std::nullopt;
}

double usableSendBufferRatio(const SocketObservation& socket) {
  constexpr double kHalf = 0.5;
  // Written and not acknowledged, in bytes of data and in bytes of memory.
  const double written = static_cast<double>(socket.sendQueue.value());
  if (!socket.memory || written <= 0.0) return kHalf;
  const auto inMemory = static_cast<double>(socket.memory->sendQueued.value());
  const auto whole = static_cast<double>(socket.memory->sendBuffer.value());
  // A few packets say little about the rest of the buffer.
  if (inMemory < whole / 2.0) return kHalf;
  return std::clamp(written / inMemory, 0.1, 1.0);
}

Bound receiverWindowBound(const DiagnosisInput& input) {
  const bool sends = input.side == Side::sending;
  const SpanFigure& seen = sends ? input.window.peerWindowBytes : input.window.advertisedWindowBytes;
  auto window = seen.mean();
  if (!window) window = bytesOf(sends ? input.socket.info.sndWnd() : input.socket.info.rcvWnd());
  if (window && *window <= 0.0) return unknownBound(BoundModel::receiverWindow, WhyNoBound::windowClosed);
  return perRoundTrip(BoundModel::receiverWindow, window, input);
}

Bound congestionWindowBound(const DiagnosisInput& input) {
  auto window = input.window.congestionWindowBytes.mean();
  const auto segments = input.socket.info.sndCwnd();
  const auto mss = input.socket.info.sndMss();
  if (!window && segments && mss) {
    window = static_cast<double>(segments->value()) * static_cast<double>(mss->value());
  }
  return perRoundTrip(BoundModel::congestionWindow, window, input);
}

Bound sendBufferBound(const DiagnosisInput& input) {
  std::optional<double> usable;
  if (input.socket.memory) {
    usable = static_cast<double>(input.socket.memory->sendBuffer.value()) * usableSendBufferRatio(input.socket);
    // The kernel lets the last write exceed the limit: what was in flight did fit.
    usable = std::max(*usable, input.window.inFlightBytes.largest().value_or(0.0));
    // The last packet may overshoot a small buffer by its whole size: what is in it now is what it takes.
    const bool isFull = input.socket.memory->sendQueued >= input.socket.memory->sendBuffer;
    if (isFull) usable = std::max(*usable, static_cast<double>(input.socket.sendQueue.value()));
  }
  return perRoundTrip(BoundModel::sendBuffer, usable, input);
}

Bound windowScaleBound(const DiagnosisInput& input) {
  const bool sends = input.side == Side::sending;
  const auto shift = sends ? input.socket.info.sndWscale() : input.socket.info.rcvWscale();
  if (!shift) return unknownBound(BoundModel::windowScale, WhyNoBound::notReported);
  return perRoundTrip(BoundModel::windowScale, windowCeilingBytes(*shift), input);
}

Bound pacingBound(const DiagnosisInput& input) {
  const auto limit = input.socket.info.maxPacingRate();
  if (!limit) return unknownBound(BoundModel::pacing, WhyNoBound::notReported);
  if (limit->isUnlimited()) return {BoundModel::pacing, BitsPerSecond::unlimited(), false, WhyNoBound::unlimited};
  return {BoundModel::pacing, *limit, true, WhyNoBound::none};
}

}  // namespace tcpscope
