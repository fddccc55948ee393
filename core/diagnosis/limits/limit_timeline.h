// From two looks at a socket to the limits that held in between: the sender's side and the receiver's side, each
// judged on its own.
//
// Sender: the kernel's chronographs (tcp_info busy, rwnd_limited, sndbuf_limited; kernel commit 05b055e8) over the
// interval. Busy includes the other two; it also runs while a program that writes rarely waits for an acknowledgment,
// so that part goes to the application when the sample says app-limited, the window is not used up and nothing waits to
// be sent. Timeout is split off by total_rto_time (Linux 6.7), recovery by the state of congestion avoidance.
// Chronographs tick in jiffies and may step back a little: negative differences count as zero, and no share exceeds the
// interval.
//
// Receiver: the kernel keeps no chronograph. What can be said: data waiting unread or a closed window is the
// application; a window that is constant, small and drained at once while data streams is the receive buffer; silence
// is idle; anything else is unknown.
#pragma once

#include <vector>

#include "core/diagnosis/limits/limit.h"
#include "core/model/chronograph.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// Shares of the time between two samples of the same socket, for the data this end sends.
/// All `unknown` where the kernel reports no chronographs, or `now` is not after `before`. `carry` goes from sample
/// to sample of the socket.
LimitShares sendingLimits(const SocketObservation& before, const SocketObservation& now, ChronographCarry& carry);
/// For samples that are far apart.
LimitShares sendingLimits(const SocketObservation& before, const SocketObservation& now);

/// The same for the data this end receives.
LimitShares receivingLimits(const SocketObservation& before, const SocketObservation& now);

/// What the two above give for a span in which nothing of the socket changed.
Limit sendingLimitOfSilence(const SocketObservation& socket);
Limit receivingLimitOfSilence(const SocketObservation& socket);

struct LimitInterval {
  Moment from;
  Moment to;
  LimitShares sending;
  LimitShares receiving;
};

/// The intervals of one connection in order of time, newest last, bounded in number (oldest are merged in pairs, never
/// lost, so that a long history gets coarser).
class LimitTimeline {
public:
  explicit LimitTimeline(std::size_t capacity) : m_capacity(capacity) {}

  void append(const LimitInterval& interval);
  [[nodiscard]] const std::vector<LimitInterval>& intervals() const { return m_intervals; }
  /// Sum over the intervals that overlap [from, to], each weighted by its overlap.
  [[nodiscard]] LimitInterval sum(Moment from, Moment to) const;

private:
  std::size_t m_capacity;
  std::vector<LimitInterval> m_intervals;
};

}  // namespace tcpscope
