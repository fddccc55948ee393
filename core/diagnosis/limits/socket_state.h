// What a single sample of a socket shows about its limit: evidence that limits, verdict and rules share.
//
// Each is true only where the kernel reports what it needs.
#pragma once

#include <algorithm>

#include "core/model/socket_observation.h"

namespace tcpscope {

/// The program's data fills the send buffer, all of it is in flight, and the congestion window and the peer's receive
/// window have room for more: the buffer bounds what is in flight. The kernel wakes a waiting writer when a third of
/// the buffer is free (sk_stream_is_writeable in include/net/sock.h), so that the fill swings between two thirds and
/// the whole.
bool sendBufferUsedUp(const SocketObservation& socket);

/// The sender is flagged app-limited, has room in the congestion window and less than a segment waits to be sent.
bool hasNothingToSend(const SocketObservation& socket);

/// Less than a segment waits although the congestion window and the peer's receive window have room for it: for the
/// acknowledgment of a small segment in flight (Nagle's algorithm, RFC 9293 §3.7.4; tcp_nagle_check in
/// net/ipv4/tcp_output.c), or, with nothing in flight, for more data (TCP_CORK).
bool smallWriteWaits(const SocketObservation& socket);

/// Largest window that can be advertised with a shift, in bytes.
constexpr double windowCeilingBytes(Count shift) {
  return static_cast<double>(std::uint64_t{65535} << shift.value());
}

/// The window this end advertises. The kernel reports what it would like to advertise, which may be more than the
/// window scale can express (tcp_select_window in net/ipv4/tcp_output.c cuts it after noting it). Always inline as the
/// fields are.
[[gnu::always_inline]] inline std::optional<Bytes> advertisedWindow(const TcpInfoSample& info) {
  const auto window = info.rcvWnd();
  const auto shift = info.rcvWscale();
  if (!window) return std::nullopt;
  return shift ? std::min(*window, Bytes(std::uint64_t{65535} << shift->value())) : *window;
}

/// The window this end advertises is closed, or more of it is filled by unread data than is free: the program here
/// does not read what has arrived.
bool unreadDataFillsWindow(const SocketObservation& socket);

}  // namespace tcpscope
