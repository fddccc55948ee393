// What connections take of the budget of their tables, and whether it has space for more.
//
// The tables are what every connection has, watched or not: its entry, its row, its last sample, its activity. A host
// that joins has a smaller part of the budget, in which what snapshots keep of its rows counts, too: it may say that
// all of them changed.
#pragma once

#include "core/session/connection_table.h"
#include "core/session/session_budget.h"

namespace tcpscope {

class TableUse {
public:
  explicit TableUse(const SessionBudget& budget) : m_budget(budget) {}

  [[nodiscard]] bool hasSpaceForConnection(const SocketObservation& first, bool isJoined) const;
  /// May the last sample of the connection be this one? Only hosts that join are asked: another host can send samples
  /// of any size.
  [[nodiscard]] bool hasSpaceForSample(const SocketObservation& sample, const TrackedConnection& tracked) const;
  [[nodiscard]] bool hasSpaceForActivity(bool isJoined) const { return hasSpaceFor(kMostActivityBytes, isJoined); }

  /// With its last sample, without activity.
  void addConnection(const TrackedConnection& tracked);
  /// With its last sample and its activity.
  void removeConnection(const TrackedConnection& tracked);
  /// The last sample took `before` and takes what it takes now.
  void replaceSample(const TrackedConnection& tracked, std::size_t before);
  void addActivity(bool isJoined);
  void removeActivity(bool isJoined);

  [[nodiscard]] std::size_t connections() const { return m_all.connections; }
  /// Of the last samples.
  [[nodiscard]] std::size_t sampleBytes() const { return m_all.sampleBytes; }

private:
  struct Count {
    std::size_t connections = 0;
    /// Connections with activity.
    std::size_t activities = 0;
    /// Of their last samples.
    std::size_t sampleBytes = 0;

    [[nodiscard]] std::size_t bytes() const;
  };

  [[nodiscard]] bool hasSpaceFor(std::size_t bytes, bool isJoined) const;
  /// Calls `change` with each count that the connection is part of.
  template <class Change>
  void countEach(bool isJoined, Change&& change) {
    change(m_all);
    if (isJoined) change(m_ofJoined);
  }

  SessionBudget m_budget;
  Count m_all;
  Count m_ofJoined;
};

}  // namespace tcpscope
