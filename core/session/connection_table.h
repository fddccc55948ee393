// Every connection the session knows, by identity and by slot, with what the next sample is compared with.
//
// The lean part: a socket that nobody looks at and that does nothing costs one entry and one row. Activity and the
// full record come and go on their own. A slot is the connection's number while it lives; later ones use it again.
#pragma once

#include <memory>
#include <unordered_map>

#include "core/session/connection_activity.h"
#include "core/session/watched_connection.h"

namespace tcpscope {

struct TrackedConnection {
  SocketObservation last;
  Moment firstSeen;
  std::optional<Moment> closedAt;
  std::uint32_t slot = 0;
  /// Index into the session's owners; kNoOwner until the owner is known.
  std::uint32_t ownerIndex = kNoOwner;
  std::unique_ptr<ConnectionActivity> activity;
  std::unique_ptr<WatchedConnection> watched;
};

class ConnectionTable {
public:
  [[nodiscard]] TrackedConnection* find(ConnectionId id);
  [[nodiscard]] const TrackedConnection* find(ConnectionId id) const;
  /// `first.id` must not be in the table.
  TrackedConnection& insert(const SocketObservation& first);
  void erase(ConnectionId id);
  [[nodiscard]] std::size_t size() const { return m_slotById.size(); }

  /// The connection in this slot; null for an empty one.
  [[nodiscard]] TrackedConnection* inSlot(std::uint32_t slot) const {
    return slot < m_bySlot.size() ? m_bySlot[slot].get() : nullptr;
  }
  [[nodiscard]] std::size_t slots() const { return m_bySlot.size(); }

private:
  std::unordered_map<ConnectionId, std::uint32_t> m_slotById;
  std::vector<std::unique_ptr<TrackedConnection>> m_bySlot;
  std::vector<std::uint32_t> m_freeSlots;
};

}  // namespace tcpscope
