// From packets to connections: finds the connection of each packet, and begins another where a SYN with a new initial
// sequence number uses the same ports again.
//
// A packet of the connection that the last one belonged to costs two comparisons, any other a lookup. The number of
// connections is limited; packets of those beyond are counted, not analysed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/model/slot_index.h"
#include "core/wire/flow/capture_connection.h"
#include "core/wire/flow/early_acknowledgments.h"

namespace tcpscope {

/// Addresses and ports of both ends, the lower end first, in words that compare quickly.
struct FlowKey {
  struct End {
    std::uint64_t upper = 0;
    std::uint64_t lower = 0;
    /// Port and family.
    std::uint64_t port = 0;
    auto operator<=>(const End&) const = default;
  };
  End first;
  End second;
  bool operator==(const FlowKey&) const = default;
};

/// What a packet was, and of which connection. Null where the table had no room for another connection.
struct FlowPacket {
  CaptureConnection* connection = nullptr;
  /// Position in FlowTable::connections().
  std::uint32_t index = 0;
  FlowSide side = 0;
  PacketRole role;
};

class FlowTable {
public:
  /// About one and a half kilobyte each.
  static constexpr std::size_t kMaxConnections = 1'000'000;

  explicit FlowTable(std::size_t maxConnections = kMaxConnections) : m_maxConnections(maxConnections) {}

  FlowPacket take(const PacketSample& packet) { return take(packet, nullptr); }
  /// The same, but what is recorded too early, and what follows it from the same end, is left to `waiting`, which has
  /// to give it back: `role.isEarly`.
  FlowPacket take(const PacketSample& packet, const EarlyAcknowledgments* waiting);
  /// In the order in which they began; they keep their place.
  [[nodiscard]] std::span<const std::unique_ptr<CaptureConnection>> connections() const { return m_connections; }
  /// Packets of connections beyond the limit.
  [[nodiscard]] std::uint64_t refusedPackets() const { return m_refused; }
  /// Newest between these two ends; null where there is none.
  [[nodiscard]] CaptureConnection* find(const Endpoint& one, const Endpoint& other) const;

private:
  using Slots = SlotIndex<FlowKey>;
  static constexpr std::uint32_t kPacketsToWatch = 4096;

  /// The slot of the key's connection, made where there is none; kNoSlot where there is no room.
  Slots::Slot slotOf(const FlowKey& key, const PacketSample& packet);
  void begin(Slots::Slot slot, const PacketSample& packet);
  bool isCopy(const PacketSample& packet, FlowSide side);

  std::size_t m_maxConnections;
  std::vector<std::unique_ptr<CaptureConnection>> m_connections;
  /// One a pair of ends: the key, and its newest connection.
  std::vector<FlowKey> m_keys;
  std::vector<std::uint32_t> m_newest;
  Slots m_slots;
  std::uint64_t m_refused = 0;

  FlowKey m_lastKey;
  CaptureConnection* m_last = nullptr;
  std::uint32_t m_lastIndex = 0;
  Slots::Slot m_lastSlot = 0;
  bool m_lastFirstIsSide0 = true;
  /// So many more are remembered.
  std::uint32_t m_packetsToWatch = kPacketsToWatch;
  RecentPackets m_recent;
};

}  // namespace tcpscope

template <>
struct std::hash<tcpscope::FlowKey> {
  std::size_t operator()(const tcpscope::FlowKey& key) const noexcept {
    std::uint64_t mixed = 0;
    const auto mix = [&mixed](std::uint64_t value) { mixed = (mixed ^ mixed >> 29 ^ value) * 0xD6E8FEB86659FD93ULL; };
    for (const auto* end : {&key.first, &key.second}) {
      mix(end->upper);
      mix(end->lower);
      mix(end->port);
    }
    return static_cast<std::size_t>(mixed);
  }
};
