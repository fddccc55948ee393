#include "core/diagnosis/evidence/small_writes.h"

namespace tcpscope {

namespace {

/// In the few samples of a list that is polled once a second, one may catch a write that waits for a moment.
bool isOften(std::uint32_t waiting, std::uint32_t samples) {
  constexpr std::uint32_t kFewSamples = 6;
  constexpr double kMostly = 0.6;
  return waiting >= 2 && waiting >= (samples < kFewSamples ? kMostly : kSmallWritesLimit) * samples;
}

bool isSwitchedOff(const std::optional<NagleOptions>& options) {
  return options && options->noDelay && !options->cork;
}

}  // namespace

std::optional<double> smallWriteWaitRatio(const ConnectionEvidence& sending) {
  if (sending.delayedPieceRatio) return sending.delayedPieceRatio;
  if (!sending.nagleSamples || sending.samples == 0 || isSwitchedOff(sending.nagle)) return std::nullopt;
  if (!isOften(*sending.nagleSamples, sending.samples)) return std::nullopt;
  const bool alternates = sending.bytes > 0U && sending.oppositeBytes > 0U;
  if (!alternates) return std::nullopt;
  return static_cast<double>(*sending.nagleSamples) / static_cast<double>(sending.samples);
}

bool mayHoldSmallWrites(const SocketObservation& socket, const WindowStatistics& window) {
  const auto waiting = window.samplesWithSmallWriteWaiting;
  return waiting && isOften(*waiting, window.samples) && window.ackedBytes > 0U && window.receivedBytes > 0U &&
         !isSwitchedOff(socket.nagle);
}

}  // namespace tcpscope
