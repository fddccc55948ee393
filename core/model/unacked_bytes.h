// Data that was sent and is not acknowledged yet, with what the peer holds out of order and what is lost.
//
// What waits in the send queue less what was not sent: exact where segments are not full, as those of small writes, or
// of loopback with its MSS of 64 KiB. The kernel reads the two a moment apart.
#pragma once

#include <algorithm>

#include "core/model/socket_observation.h"

namespace tcpscope {

/// By the number of segments where the unsent data is not reported; nothing where the segments are
/// not either. Not of a listener.
[[gnu::always_inline]] inline std::optional<Bytes> unackedBytes(const SocketObservation& socket) {
  const auto segments = socket.info.unacked();
  const auto mss = socket.info.sndMss();
  if (!segments || !mss) return std::nullopt;
  const Bytes full(segments->value() * mss->value());
  const auto notSent = socket.info.notsentBytes();
  // Less than a byte a segment is of two moments.
  const bool agree = notSent && socket.sendQueue >= *notSent + Bytes(segments->value());
  return agree ? std::min(socket.sendQueue - *notSent, full) : full;
}

}  // namespace tcpscope
