#include "core/diagnosis/evidence/small_writes.h"

namespace tcpscope {

namespace {

bool isSwitchedOff(const std::optional<NagleOptions>& options) {
  return options && options->noDelay && !options->cork;
}

/// In the few samples of a list that is polled once a second, one may catch a write that waits for a moment.
bool isOften(std::uint32_t waiting, std::uint32_t samples) {
  constexpr std::uint32_t kFewSamples = 6;
  constexpr double kMostly = 0.6;
  return waiting >= 2 && waiting >= (samples < kFewSamples ? kMostly : kSmallWritesLimit) * samples;
}

std::optional<double> waitRatio(const std::optional<NagleOptions>& options, std::optional<std::uint32_t> waiting,
                                std::uint32_t samples, bool alternates) {
  if (!waiting || samples == 0 || !alternates || isSwitchedOff(options)) return std::nullopt;
  if (!isOften(*waiting, samples)) return std::nullopt;
  return static_cast<double>(*waiting) / static_cast<double>(samples);
}

}  // namespace

std::optional<double> smallWriteWaitRatio(const ConnectionEvidence& sending) {
  if (sending.delayedPieceRatio) return sending.delayedPieceRatio;
  const bool alternates = sending.bytes > 0U && sending.oppositeBytes > 0U;
  return waitRatio(sending.nagle, sending.nagleSamples, sending.samples, alternates);
}

std::optional<double> smallWriteWaitRatio(const SocketObservation& socket, const WindowStatistics& window) {
  const bool alternates = window.ackedBytes > 0U && window.receivedBytes > 0U;
  return waitRatio(socket.nagle, window.samplesWithSmallWriteWaiting, window.samples, alternates);
}

}  // namespace tcpscope
