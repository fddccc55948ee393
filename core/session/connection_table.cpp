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

TrackedConnection& ConnectionTable::insert(const SocketObservation& first) {
  if (m_freeSlots.empty()) {
    m_freeSlots.push_back(static_cast<std::uint32_t>(m_bySlot.size()));
    m_bySlot.emplace_back();
  }
  const std::uint32_t slot = m_freeSlots.back();
  const bool isNew = m_slotById.emplace(first.id, slot).second;
  TCPSCOPE_INVARIANT(isNew);
  m_freeSlots.pop_back();
  m_bySlot[slot] = std::make_unique<TrackedConnection>();
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
  m_freeSlots.push_back(found->second);
  m_slotById.erase(found);
}

}  // namespace tcpscope
