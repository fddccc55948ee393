// What of a snapshot needs attention: connections that do not open, are stalled, wait for small writes or are left
// open, listeners whose accept queue is full, destinations whose ports run out. Worst first, and what belongs together
// once.
//
// Limits of transfers that work are not among them: how fast a transfer should be only its user knows.
#pragma once

#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

enum class ProblemKind : std::uint8_t {
  /// Nothing answers at this endpoint.
  unansweredOpening,
  /// Nothing is acknowledged by this peer any more, or its receive window stays closed.
  stalled,
  /// The accept queue of a listener is full.
  acceptQueueOverflow,
  /// Nearly every local port is used up towards this endpoint.
  portsUsedUp,
  /// A program does not close what its peers have closed.
  closeWait,
  /// Small writes wait for acknowledgments.
  smallWrites,
  /// A program has closed its side only, and the peer has not.
  finWait,
  /// Many connections to one peer are closed at this end, and their last data or FIN is not acknowledged.
  unfinishedClose,
  /// Connections of a program were silent for so long that firewalls forget them, and send no keep-alives.
  noKeepAlive,
};
inline constexpr std::size_t kProblemKinds = static_cast<std::size_t>(ProblemKind::noKeepAlive) + 1;
/// snake_case, as in the JSON document.
std::string_view name(ProblemKind kind);

struct Problem {
  ProblemKind kind = ProblemKind::unansweredOpening;
  FindingSeverity severity = FindingSeverity::problem;
  Cause cause = Cause::unknown;
  double confidenceRatio = 0.0;
  PlaceId place;
  /// The local end of listeners; else the peer, whose port is 0 where the problem is not one of a port. Meaningless of
  /// what belongs to a program.
  Endpoint endpoint;
  /// Of a peer without a port: the one that all its connections share, else 0.
  std::uint16_t sharedPort = 0;
  /// Null where it is unknown.
  std::shared_ptr<const Owner> owner;
  /// The connections of it, the first kMostNamed in the snapshot's order; empty of a listener.
  std::vector<ConnectionId> connections;
  std::size_t count = 0;
  /// How long it has lasted for the oldest of them; absent where it is unknown.
  std::optional<Nanoseconds> oldest;
  /// Of portsUsedUp: how many ports there are. Of acceptQueueOverflow: how many the queue holds.
  std::optional<std::uint64_t> capacity;
};
inline constexpr std::size_t kMostNamed = 1000;

/// Of the connections that passed the snapshot's filter, and of the listeners that pass `filter`: the same one.
std::vector<Problem> problemsOf(const SessionSnapshot& snapshot, const ConnectionFilter& filter = {});

}  // namespace tcpscope
