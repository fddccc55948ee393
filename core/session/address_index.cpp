#include "core/session/address_index.h"

namespace tcpscope {

FourTuple AddressIndex::Key::addresses() const {
  return m_tracked == nullptr ? *m_addresses : FourTuple::of(m_tracked->last.unpack());
}

bool AddressIndex::Key::operator==(const Key& other) const {
  if (m_hash != other.m_hash) return false;
  if (m_tracked != nullptr && m_tracked == other.m_tracked) return true;
  return addresses() == other.addresses();
}

const TrackedConnection* AddressIndex::find(const FourTuple& addresses, const ConnectionTable& table) const {
  return table.inSlot(m_slots.find(Key(addresses), keysOf(table)));
}

void AddressIndex::set(const TrackedConnection& tracked, const ConnectionTable& table) {
  const Key key(tracked);
  m_slots.erase(key, keysOf(table));
  m_slots.insert(key, tracked.slot, keysOf(table));
}

void AddressIndex::remove(const TrackedConnection& tracked, const ConnectionTable& table) {
  const Key key(tracked);
  if (m_slots.find(key, keysOf(table)) == tracked.slot) m_slots.erase(key, keysOf(table));
}

}  // namespace tcpscope
