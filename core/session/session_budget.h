// What a session may keep, in numbers: all in one place.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/base/units.h"

namespace tcpscope {

struct SessionBudget {
  /// Connections, closed ones included.
  std::size_t sockets = 500'000;
  /// Of the tables of connections: last samples, statistics of active ones, rows.
  std::size_t connectionBytes = 512U << 20;
  // Of these, what the connections of hosts that join may take together: a few bytes there can stand for a socket here.
  std::size_t joinedSockets = 200'000;
  std::size_t joinedConnectionBytes = 144U << 20;
  std::size_t listeners = 16'384;
  /// Of all owners, each counted once.
  std::size_t ownerBytes = 64U << 20;
  /// Once the owners take this much, those of hosts that join are left out.
  std::size_t joinedOwnerBytes = 16U << 20;
  std::size_t closedRows = 2'000;
  std::size_t historyBytesPerConnection = 64U << 20;
  /// Of the full records of all connections. Those that are in focus, pinned or followed have their own budgets only.
  std::size_t recordBytes = 512U << 20;
  std::size_t eventsPerConnection = 10'000;
  std::size_t limitIntervals = 1'200;
  /// Length of the span that verdicts look back over: between one and two halves of it.
  Nanoseconds verdictWindow = std::chrono::seconds(5);
  /// Full history for every connection, in focus or not: for recordings, which are inspected later.
  bool keepsEveryHistory = false;
  /// The recording determines the sampling interval, not the current control.
  bool isReplay = false;
  /// Connections are looked at for what they show of their paths.
  bool watchesPaths = false;
};

/// For what a file or another host says alone.
[[nodiscard]] inline SessionBudget forUntrustedPlace(SessionBudget budget) {
  budget.sockets = std::min(budget.sockets, budget.joinedSockets);
  budget.connectionBytes = std::min(budget.connectionBytes, budget.joinedConnectionBytes);
  budget.ownerBytes = std::min(budget.ownerBytes, budget.joinedOwnerBytes);
  return budget;
}

/// For a command that looks at another host: less than the window keeps, because `list` and `diagnose` hold each socket
/// once more while they write. What a host invents takes less than 300 MB in all.
[[nodiscard]] inline SessionBudget forCommandOverHost(SessionBudget budget) {
  budget.joinedSockets = 100'000;
  budget.joinedConnectionBytes = 80U << 20;
  return forUntrustedPlace(budget);
}

/// What a copy of a session, or of a part of it, takes.
struct CopyBytes {
  std::size_t own = 0;
  /// With what it is a copy of: it stays as long as either exists.
  std::size_t shared = 0;

  CopyBytes& operator+=(const CopyBytes& other) {
    own += other.own;
    shared += other.shared;
    return *this;
  }
};

}  // namespace tcpscope
