#include "core/diagnosis/evidence/small_writes.h"

namespace tcpscope {

namespace {

constexpr std::uint32_t kEnoughSamples = 4;

bool isSwitchedOff(const std::optional<NagleOptions>& options) {
  return options && options->noDelay && !options->cork;
}

}  // namespace

std::optional<double> smallWriteWaitRatio(const ConnectionEvidence& sending) {
  if (sending.delayedPieceRatio) return sending.delayedPieceRatio;
  if (!sending.nagleSamples || sending.samples < kEnoughSamples || isSwitchedOff(sending.nagle)) return std::nullopt;
  const bool alternates = sending.bytes > 0U && sending.oppositeBytes > 0U;
  if (!alternates) return std::nullopt;
  return static_cast<double>(*sending.nagleSamples) / static_cast<double>(sending.samples);
}

bool mayHoldSmallWrites(const SocketObservation& socket, const WindowStatistics& window) {
  const auto waiting = window.samplesWithSmallWriteWaiting;
  return waiting && window.samples >= kEnoughSamples && *waiting >= kSmallWritesLimit * window.samples &&
         window.ackedBytes > 0U && window.receivedBytes > 0U && !isSwitchedOff(socket.nagle);
}

}  // namespace tcpscope
