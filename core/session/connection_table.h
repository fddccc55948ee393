// Every connection the session knows, by identity and by slot, with what the next sample is compared with.
//
// The lean part: a socket that is idle and not in focus costs one entry and one row. Activity and the
// full record come and go on their own. A slot is the connection's number while it lives; later ones use it again.
#pragma once

#include <array>
#include <vector>

#include "core/base/value_pointer.h"
#include "core/model/slot_index.h"
#include "core/session/connection_activity.h"
#include "core/session/packed_observation.h"
#include "core/session/watched_connection.h"

namespace tcpscope {

inline constexpr std::uint32_t kNoSlot = SlotIndex<ConnectionId>::kNoSlot;

/// Two cache lines; the first holds what decides whether there is anything to do.
struct alignas(64) TrackedConnection {
  PackedObservation last;
  std::uint32_t slot = kNoSlot;
  /// A later poll found it unchanged, or it was idle for a whole window.
  bool seenSilent = false;
  /// Its place was lost, and it has not been seen since.
  bool unheard = false;
  /// Polls of its place were missed since its last sample: it may have changed meanwhile.
  bool missedPolls = false;
  /// Of a host that joined: such connections have a smaller budget.
  bool isJoined = false;
  /// Of the place and addresses of `last`, for AddressIndex.
  std::size_t addressHash = 0;
  Moment firstSeen;
  std::optional<Moment> closedAt;
  /// Index into the session's owners; kNoOwner until the owner is known.
  std::uint32_t ownerIndex = kNoOwner;
  ValuePointer<ConnectionActivity> activity;
  ValuePointer<WatchedConnection> watched;
};
static_assert(sizeof(TrackedConnection) == 128);

class ConnectionTable {
public:
  /// Null for one that is not known. The address stays while the connection is in the table.
  [[nodiscard]] TrackedConnection* find(ConnectionId id);
  [[nodiscard]] const TrackedConnection* find(ConnectionId id) const;
  /// `first.id` must not be in the table.
  TrackedConnection& insert(const SocketObservation& first);
  void erase(ConnectionId id);
  [[nodiscard]] std::size_t size() const { return m_index.size(); }

  /// Of a slot below slots().
  [[nodiscard]] TrackedConnection& at(std::uint32_t slot) { return (*m_blocks[slot / kBlock])[slot % kBlock]; }
  [[nodiscard]] const TrackedConnection& at(std::uint32_t slot) const {
    return (*m_blocks[slot / kBlock])[slot % kBlock];
  }
  /// The connection in this slot; null for an empty one.
  [[nodiscard]] TrackedConnection* inSlot(std::uint32_t slot) {
    return slot < m_slots && at(slot).slot == slot ? &at(slot) : nullptr;
  }
  [[nodiscard]] const TrackedConnection* inSlot(std::uint32_t slot) const {
    return slot < m_slots && at(slot).slot == slot ? &at(slot) : nullptr;
  }
  // Stages of loading a connection into the cache, each of which reads what the one before it has loaded; nothing for
  // an empty slot. By identity the index comes before the first.
  void prefetchIndex(ConnectionId id) const { m_index.prefetch(id); }
  void prefetchEntry(ConnectionId id) const { prefetchEntry(m_index.likelySlot(id)); }
  void prefetchEntry(std::uint32_t slot) const;
  /// Its last sample and its activity.
  void prefetchData(std::uint32_t slot) const;
  void prefetchData(ConnectionId id) const { prefetchData(slotOf(id)); }
  /// The earlier half of its window.
  void prefetchPrevious(std::uint32_t slot) const;
  /// In place of its data: of its activity only what shows whether there is anything to do.
  void prefetchState(std::uint32_t slot) const;
  /// One more than the highest slot ever used.
  [[nodiscard]] std::size_t slots() const { return m_slots; }

private:
  static constexpr std::uint32_t kBlock = 64;
  using Block = std::array<TrackedConnection, kBlock>;

  [[nodiscard]] ConnectionId idAt(std::uint32_t slot) const { return at(slot).last.id(); }
  [[nodiscard]] std::uint32_t slotOf(ConnectionId id) const;

  SlotIndex<ConnectionId> m_index;
  /// Growing moves nothing.
  std::vector<ValuePointer<Block>> m_blocks;
  std::size_t m_slots = 0;
  std::vector<std::uint32_t> m_freeSlots;
};

}  // namespace tcpscope
