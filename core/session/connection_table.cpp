#include "core/session/connection_table.h"

#include "core/base/invariant.h"

namespace tcpscope {

TrackedConnection* ConnectionTable::find(ConnectionId id) {
  const auto found = m_slotById.find(id);
  return found == m_slotById.end() ? nullptr : m_bySlot[found->second].get();
}

const TrackedConnection* ConnectionTable::find(ConnectionId id) const {
  const auto found = m_slotById.find(id);
  return found == m_slotById.end() ? nullptr : m_bySlot[found->second].get();
}

TrackedConnection& ConnectionTable::insert(const SocketObservation& first, std::uint32_t slot) {
  if (slot >= m_bySlot.size()) m_bySlot.resize(slot + 1);
  TCPSCOPE_INVARIANT(m_bySlot[slot] == nullptr);
  m_bySlot[slot] = std::make_unique<TrackedConnection>();
  m_slotById.emplace(first.id, slot);
  TrackedConnection& tracked = *m_bySlot[slot];
  tracked.last = first;
  tracked.firstSeen = first.takenAt;
  tracked.slot = slot;
  return tracked;
}

void ConnectionTable::erase(ConnectionId id) {
  const auto found = m_slotById.find(id);
  if (found == m_slotById.end()) return;
  m_bySlot[found->second].reset();
  m_slotById.erase(found);
}

}  // namespace tcpscope
