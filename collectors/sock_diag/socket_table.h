// What is remembered of every socket between two dumps: its digest, when it was last seen, and the address that an
// exact request needs. 40 bytes a socket and 4 to 8 for the index; IPv6 and interface-bound sockets 40 more.
//
// The kernel walks its hash table in the same order each time, so that the next socket is nearly always the one behind
// the last: entries lie in the order of the first dump and are read in sequence; the hash index serves the rest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectors/source/collector.h"
#include "core/model/slot_index.h"

namespace tcpscope {

class SocketTable {
public:
  using Slot = SlotIndex<std::uint64_t>::Slot;
  static constexpr Slot kNoSlot = SlotIndex<std::uint64_t>::kNoSlot;

  struct Sighting {
    Slot slot = kNoSlot;
    /// Not known before this sighting.
    bool isNew = false;
    /// Already seen in this dump.
    bool repeated = false;
    bool changed = false;
    /// New, and the table holds as many as it may: not remembered.
    bool refused = false;
    /// When it was last seen before this; empty where it is new.
    std::optional<Moment> before;
  };

  SocketTable(PlaceId place, std::size_t maxSockets) : m_place(place), m_maxSockets(maxSockets) {}

  /// Starts a new generation: from here every sighting is the first of its socket again.
  void beginDump();
  /// Records that the socket `cookie` (never 0) was seen with `digest`. The slot stays valid until the socket is
  /// removed. A new one needs setAddress() before the table can ask for it.
  Sighting see(std::uint64_t cookie, std::uint64_t digest, Moment at);
  /// Every socket as it was seen last, once more.
  void seeAllUnchanged(Moment at);
  void setAddress(Slot slot, const SocketAddress& address);
  /// Makes the next sighting a change, because this one did not arrive.
  void forgetDigest(Slot slot);
  /// False when it was not known.
  bool remove(std::uint64_t cookie);
  [[nodiscard]] bool contains(std::uint64_t cookie) const { return find(cookie) != kNoSlot; }

  [[nodiscard]] std::size_t size() const { return m_index.size(); }
  [[nodiscard]] std::size_t seenInThisDump() const { return m_seen; }
  /// The next socket from `from` on that this dump did not show, and where to go on; kNoSlot at the end.
  [[nodiscard]] Slot nextMissing(Slot from) const;
  [[nodiscard]] SocketAddress address(Slot slot) const;
  /// Bytes held.
  [[nodiscard]] std::size_t memoryBytes() const;

private:
  struct Entry {
    std::uint64_t cookie = 0;  // 0: free
    std::uint64_t digest = 0;
    std::int64_t lastSeenNs = 0;
    std::uint32_t localAddress = 0;
    std::uint32_t remoteAddress = 0;
    std::uint16_t localPort = 0;
    std::uint16_t remotePort = 0;
    /// Dump of the last sighting, with kWide where `localAddress` is an index into m_wide.
    std::uint32_t generation = 0;
  };
  static_assert(sizeof(Entry) == 40);
  struct WideAddress {
    std::array<std::uint8_t, 16> local{};
    std::array<std::uint8_t, 16> remote{};
    std::uint32_t interfaceIndex = 0;
    AddressFamily family = AddressFamily::ipv6;
  };
  static constexpr std::uint32_t kWide = 0x80000000U;

  [[nodiscard]] Slot find(std::uint64_t cookie) const;
  Slot findFromCursor(std::uint64_t cookie);
  Slot insert(std::uint64_t cookie);
  void releaseWide(const Entry& entry);
  [[nodiscard]] bool seenNow(const Entry& entry) const { return (entry.generation & ~kWide) == m_generation; }

  PlaceId m_place;
  std::size_t m_maxSockets;
  std::vector<Entry> m_entries;
  std::vector<Slot> m_freeSlots;
  SlotIndex<std::uint64_t> m_index;
  std::vector<WideAddress> m_wide;
  std::vector<std::uint32_t> m_freeWide;
  std::size_t m_seen = 0;
  std::uint32_t m_generation = 0;
  Slot m_expected = 0;
  Slot m_alternative = 0;
};

}  // namespace tcpscope
