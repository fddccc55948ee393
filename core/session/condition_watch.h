// Which connections begin to match a filter: a trigger for all of them at once.
//
// Follows the rows as they are remade: one that is not remade matches as before.
#pragma once

#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

class ConditionWatch {
public:
  /// A request with another number starts again, none waits for nothing. True where every row has to be seen before the
  /// next takeBegun().
  bool arm(const std::optional<TriggerRequest>& request);
  /// Null while it waits for nothing.
  [[nodiscard]] const ConnectionFilter* filter() const { return m_request ? &m_request->filter : nullptr; }

  /// The row in this slot was remade: its connection matches the filter, or does not.
  void see(std::uint32_t slot, ConnectionId connection, bool matches, Moment now);
  /// The slot has no connection any more.
  void clear(std::uint32_t slot);
  /// Those that began since the last call, behind the kMostTriggered before them.
  std::vector<TriggeredConnection> takeBegun();

private:
  struct Seen {
    ConnectionId connection;
    bool matches = false;
    std::optional<Moment> triggeredAt{};
  };

  std::optional<TriggerRequest> m_request;
  /// By slot.
  std::vector<Seen> m_seen;
  /// What is seen is from before it was armed.
  bool m_isFirstRound = false;
  std::uint64_t m_count = 0;
  std::vector<TriggeredConnection> m_begun;
};

}  // namespace tcpscope
