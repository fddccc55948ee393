// Whose the segments of a network namespace are: where those sockets that were asked for account for every one that the
// namespace counted, the others have neither sent nor received, and need not be asked for.
//
// The kernel counts a segment that leaves for its socket (tcpi_segs_out) and for the namespace (OutSegs, RetransSegs)
// in one place, so that equal sums leave nothing for another socket. Of arriving segments it counts several that came
// merged (GRO) as one for the namespace and each for the socket: there the sum can only show that one is missing. A
// socket that took data and has not acknowledged them yet may be missed until it does, a fifth of a second later.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "collectors/sock_diag/namespace_counters.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

class SegmentAccount {
public:
  /// `before` are the counters of the namespace before the first socket is asked for; nothing where they are unknown.
  void beginPoll(std::optional<SegmentCounts> before);
  /// A socket that has changed since it was seen last.
  void take(const SocketObservation& socket);
  void forget(std::uint64_t cookie) { m_sockets.erase(cookie); }

  /// It changed in one of the last polls: it is the one to be asked for first.
  [[nodiscard]] bool isActive(std::uint64_t cookie) const;
  /// Those taken in this poll account for all that was counted until `now`, and nothing was counted meanwhile.
  [[nodiscard]] bool isWhole(std::optional<SegmentCounts> now) const;
  /// Every socket is known as it is `now`, from the kernel or by the account; nothing where that is not known.
  void endPoll(std::optional<SegmentCounts> now);

private:
  struct Socket {
    std::uint32_t sent = 0;
    std::uint32_t received = 0;
    /// The poll in which it changed last.
    std::uint64_t changedIn = 0;
  };

  std::unordered_map<std::uint64_t, Socket> m_sockets;
  std::uint64_t m_poll = 0;
  /// As the last poll that was sure of all sockets left them.
  std::optional<SegmentCounts> m_last;
  std::optional<SegmentCounts> m_before;
  /// Of those taken in this poll, since they were taken before.
  SegmentCounts m_taken;
};

}  // namespace tcpscope
