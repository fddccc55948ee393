// Which connection, or which group's heading, stands in which row of the list: the snapshot's order with a heading
// before each group.
#pragma once

#include <optional>
#include <vector>

#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

class ConnectionRows {
public:
  ConnectionRows() = default;
  explicit ConnectionRows(SnapshotPointer snapshot);

  [[nodiscard]] int count() const { return m_count; }
  /// Nothing for a heading and outside of the list.
  [[nodiscard]] std::optional<ConnectionRow> connection(int row) const;
  /// Null for a connection.
  [[nodiscard]] const RowGroup* heading(int row) const;
  /// Row of a connection; `guess` is looked at first.
  [[nodiscard]] std::optional<int> find(ConnectionId id, int guess) const;
  [[nodiscard]] const SnapshotPointer& snapshot() const { return m_snapshot; }

private:
  [[nodiscard]] std::optional<std::uint32_t> slot(int row) const;
  /// Number of headings at or above the row.
  [[nodiscard]] std::size_t headingsUpTo(int row) const;

  SnapshotPointer m_snapshot;
  /// Row of each group's heading.
  std::vector<int> m_headings;
  int m_count = 0;
};

}  // namespace tcpscope
