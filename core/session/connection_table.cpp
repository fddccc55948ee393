#include "core/session/connection_table.h"

#include "core/base/invariant.h"
#include "core/base/prefetch.h"
#include "core/session/four_tuple.h"

namespace tcpscope {

std::uint32_t ConnectionTable::slotOf(ConnectionId id) const {
  return m_index.find(id, [this](std::uint32_t slot) { return idAt(slot); });
}

TrackedConnection* ConnectionTable::find(ConnectionId id) {
  return inSlot(slotOf(id));
}

const TrackedConnection* ConnectionTable::find(ConnectionId id) const {
  return inSlot(slotOf(id));
}

void ConnectionTable::prefetchEntry(std::uint32_t slot) const {
  if (slot < m_slots) tcpscope::prefetch(&at(slot), sizeof(TrackedConnection));
}

void ConnectionTable::prefetchPrevious(std::uint32_t slot) const {
  const TrackedConnection* tracked = inSlot(slot);
  if (tracked != nullptr && tracked->activity) tracked->activity->prefetchPrevious();
}

void ConnectionTable::prefetchData(std::uint32_t slot) const {
  const TrackedConnection* tracked = inSlot(slot);
  if (tracked == nullptr) return;
  tracked->last.prefetch();
  if (tracked->activity) tcpscope::prefetch(&*tracked->activity, sizeof(ConnectionActivity));
}

void ConnectionTable::prefetchState(std::uint32_t slot) const {
  const TrackedConnection* tracked = inSlot(slot);
  if (tracked != nullptr && tracked->activity) tcpscope::prefetch(&*tracked->activity, 1);
}

TrackedConnection& ConnectionTable::insert(const SocketObservation& first) {
  TCPSCOPE_INVARIANT(slotOf(first.id) == kNoSlot);
  if (m_freeSlots.empty()) {
    if (m_slots % kBlock == 0) m_blocks.emplace_back().emplace();
    m_freeSlots.push_back(static_cast<std::uint32_t>(m_slots++));
  }
  const std::uint32_t slot = m_freeSlots.back();
  m_freeSlots.pop_back();
  m_index.insert(first.id, slot, [this](std::uint32_t other) { return idAt(other); });
  TrackedConnection& tracked = at(slot);
  tracked.last.pack(first);
  tracked.addressHash = std::hash<FourTuple>()(FourTuple::of(first));
  tracked.firstSeen = first.takenAt;
  tracked.slot = slot;
  return tracked;
}

void ConnectionTable::erase(ConnectionId id) {
  const std::uint32_t slot = m_index.erase(id, [this](std::uint32_t other) { return idAt(other); });
  if (slot == kNoSlot) return;
  at(slot) = TrackedConnection{};
  m_freeSlots.push_back(slot);
}

}  // namespace tcpscope
