#include "core/diagnosis/sending_cause.h"

#include <algorithm>

#include "core/diagnosis/path_figures.h"

namespace tcpscope {

namespace {

bool pacingLimitIsReached(const SocketObservation& socket, const WindowStatistics& window) {
  constexpr double kReached = 0.85;
  const auto limit = socket.info.maxPacingRate();
  const auto rate = spanRate(window.ackedBytes, window);
  return limit && rate && !limit->isUnlimited() && rate->value() >= kReached * limit->value();
}

bool marksSetTheRate(const WindowStatistics& window) {
  return window.markedSegments > neededRetransmissions(window) && window.markedSegments > 0;
}

}  // namespace

CauseFound causeOfReceiverLimit(const SocketObservation& socket, const WindowStatistics& window) {
  const auto smallest = window.peerWindowBytes.smallest();
  const auto largest = window.peerWindowBytes.largest();
  const auto mss = socket.info.sndMss();
  if (!smallest || !mss) return {Cause::unknown, 1.0};
  const double twoSegments = 2.0 * static_cast<double>(mss->value());
  if (window.samplesWithPeerWindowClosed > 0 || *largest - *smallest > twoSegments) return {Cause::slowReader, 1.0};
  constexpr double kAtCeiling = 0.95;
  const auto shift = socket.info.sndWscale();
  if (shift && *largest >= kAtCeiling * windowCeilingBytes(*shift)) return {Cause::windowScale, 1.0};
  return {Cause::bufferLimit, 1.0};
}

CauseFound causeOfSendBufferLimit(const SocketObservation& socket) {
  const bool locked = socket.bufferLocks && socket.bufferLocks->sendBuffer;
  return {locked ? Cause::bufferLocked : Cause::bufferLimit, 1.0};
}

CauseFound causeOfNetworkLimit(const SocketObservation& socket, const WindowStatistics& window) {
  if (pacingLimitIsReached(socket, window)) return {Cause::pacing, 1.0};
  if (retransmissionsWereSpurious(window)) return {Cause::reordering, 1.0};
  const auto trip = roundTrip(socket, window);
  if (trip && pathHasQueue(*trip)) return {Cause::queue, 1.0};
  if (marksSetTheRate(window)) return {Cause::ecn, 1.0};
  if (neededRetransmissions(window) > 0) return {Cause::loss, 1.0};
  return {Cause::pathFull, 1.0};
}

}  // namespace tcpscope
