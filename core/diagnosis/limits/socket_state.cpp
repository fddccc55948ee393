#include "core/diagnosis/limits/socket_state.h"

#include <algorithm>

namespace tcpscope {

namespace {

bool congestionWindowHasRoom(const TcpInfoSample& info) {
  const auto inFlight = info.unacked();
  const auto window = info.sndCwnd();
  return inFlight && window && *inFlight < *window;
}

bool peerWindowHasRoom(const TcpInfoSample& info) {
  const auto inFlight = info.unacked();
  const auto mss = info.sndMss();
  const auto window = info.sndWnd();
  if (!inFlight || !mss) return false;
  // Before Linux 5.4 the peer's receive window is not reported: the chronograph has taken its part already.
  return !window || (inFlight->value() + 1) * mss->value() < window->value();
}

/// Less than a segment may wait although nothing limits it: Nagle's algorithm gathers small writes.
bool lessThanASegmentWaits(const TcpInfoSample& info) {
  const auto waiting = info.notsentBytes();
  const auto mss = info.sndMss();
  return waiting && mss && *waiting < *mss;
}

/// After each write some data waits for its pacing slot. Where the network is the limit, most of the buffer waits.
bool fewerWaitThanAreInFlight(const TcpInfoSample& info) {
  const auto waiting = info.notsentBytes();
  const auto inFlight = info.unacked();
  const auto mss = info.sndMss();
  return waiting && inFlight && mss && waiting->value() * 2 < inFlight->value() * mss->value();
}

/// Autotuning keeps the buffer at twice the congestion window: a smaller one cannot keep the window filled. The last
/// write may exceed the limit and fill the window for a moment all the same.
bool bufferIsSmallerThanWindow(const SocketObservation& socket) {
  const auto window = socket.info.sndCwnd();
  const auto mss = socket.info.sndMss();
  return window && mss && socket.memory->sendBuffer.value() < window->value() * mss->value();
}

}  // namespace

bool sendBufferUsedUp(const SocketObservation& socket) {
  if (!socket.memory || socket.memory->sendBuffer.value() == 0) return false;
  constexpr double kFilled = 0.6;
  const double fill = socket.memory->sendQueued / socket.memory->sendBuffer;
  if (fill < kFilled || !peerWindowHasRoom(socket.info)) return false;
  if (bufferIsSmallerThanWindow(socket)) return true;
  return fewerWaitThanAreInFlight(socket.info) && congestionWindowHasRoom(socket.info);
}

bool hasNothingToSend(const SocketObservation& socket) {
  const TcpInfoSample& info = socket.info;
  return info.deliveryRateAppLimited().value_or(false) && congestionWindowHasRoom(info) && lessThanASegmentWaits(info);
}

bool smallWriteWaits(const SocketObservation& socket) {
  const TcpInfoSample& info = socket.info;
  const auto waiting = info.notsentBytes();
  const auto mss = info.sndMss();
  const auto inFlight = info.unacked();
  if (!waiting || !mss || !inFlight || *waiting == Bytes(0) || *waiting >= *mss) return false;
  if (!congestionWindowHasRoom(info) || info.sndWnd().value_or(socket.sendQueue) < socket.sendQueue) return false;
  // The send queue holds what is in flight, too. Full segments alone do not make a small one wait.
  if (socket.sendQueue < *waiting) return false;
  return (socket.sendQueue - *waiting).value() < inFlight->value() * mss->value() || *inFlight == Segments(0);
}

bool unreadDataFillsWindow(const SocketObservation& socket) {
  const std::uint64_t unread = socket.receiveQueue.value();
  if (unread == 0) return false;
  if (const auto window = advertisedWindow(socket.info)) return unread >= window->value();
  // Before Linux 6.2 the window is not reported: memory in use stands for it.
  return socket.memory && socket.memory->receiveAllocated.value() * 2 >= socket.memory->receiveBuffer.value();
}

}  // namespace tcpscope
