// Finds a connection by its place and addresses: TIME-WAIT sockets and retransmission events name no cookie of it.
//
// A probe compares the hash that the table keeps with each connection; an observation is unpacked only where the hashes
// are equal. The connections stay in the table, which must still hold one when it is removed here.
#pragma once

#include "core/session/connection_table.h"
#include "core/session/four_tuple.h"

namespace tcpscope {

class AddressIndex {
public:
  /// Null where no connection of the index has these addresses.
  [[nodiscard]] const TrackedConnection* find(const FourTuple& addresses, const ConnectionTable& table) const;
  /// Replaces an earlier connection with the same addresses.
  void set(const TrackedConnection& tracked, const ConnectionTable& table);
  /// Does nothing where a later connection has replaced this one.
  void remove(const TrackedConnection& tracked, const ConnectionTable& table);

private:
  /// Addresses that are given, or those of a connection, which are unpacked only to confirm an equal hash.
  class Key {
  public:
    explicit Key(const FourTuple& addresses)
        : m_hash(std::hash<FourTuple>()(addresses)), m_addresses(&addresses), m_tracked(nullptr) {}
    explicit Key(const TrackedConnection& tracked)
        : m_hash(tracked.addressHash), m_addresses(nullptr), m_tracked(&tracked) {}

    [[nodiscard]] std::size_t hash() const { return m_hash; }
    bool operator==(const Key& other) const;

  private:
    [[nodiscard]] FourTuple addresses() const;

    std::size_t m_hash;
    const FourTuple* m_addresses;
    const TrackedConnection* m_tracked;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const { return key.hash(); }
  };

  static auto keysOf(const ConnectionTable& table) {
    return [&table](std::uint32_t slot) { return Key(table.at(slot)); };
  }

  SlotIndex<Key, HashOfKey> m_slots;
};

}  // namespace tcpscope
