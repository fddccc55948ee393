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

/// Of which connection a packet is, and whether that takes it.
struct JudgedPacket {
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  /// Null where the table had no room for another, and where the connection has no object yet.
  CaptureConnection* connection = nullptr;
  /// Position in FlowTable::connections(); kNowhere where the table had no room.
  std::uint32_t index = kNowhere;
  FlowSide side = 0;
  /// To a packet that was seen before: a copy is left out of everything.
  PacketLikeness likeness = PacketLikeness::none;
  /// Not taken yet: it has to wait for the data that it acknowledges. See EarlyAcknowledgments.
  bool isEarly = false;

  [[nodiscard]] bool isCopy() const { return likeness == PacketLikeness::copy; }
};

/// What it was, where the connection has taken it.
struct FlowPacket : JudgedPacket {
  PacketRole role;
};

class FlowTable {
public:
  /// About one and a half kilobyte each where they are not taken out.
  static constexpr std::size_t kMaxConnections = 1'000'000;

  explicit FlowTable(std::size_t maxConnections = kMaxConnections) : m_maxConnections(maxConnections) {}

  FlowPacket take(const PacketSample& packet);

  // The steps of take(), for who keeps connections in another form as well. Each but locate() is about the packet that
  // was located last.

  /// Finds the connection of the packet, which begins with it where there is none: without an object. False where there
  /// is no room for another.
  bool locate(const PacketSample& packet);
  [[nodiscard]] std::uint32_t index() const { return m_lastIndex; }
  [[nodiscard]] FlowSide side() const { return m_side; }
  /// Does this SYN use the ports of its connection, which has an object, for another one?
  [[nodiscard]] bool isForSuccessor(const PacketSample& packet) const {
    return packet.flags.syn() && m_connections[m_lastIndex]->isForSuccessor(packet, m_side);
  }
  /// Begins that, without an object; it is what was located now. False where there is no room.
  bool beginSuccessor();
  /// Is it a copy, or early? If neither, its connection, which has an object, takes it next. What is recorded too
  /// early, and what follows it from the same end, is left to `waiting`, which has to give it back; null where nothing
  /// waits.
  JudgedPacket judge(const PacketSample& packet, const EarlyAcknowledgments* waiting);
  /// Copies of it that come soon will be known. judge() does it as well.
  void remember(const PacketSample& packet) {
    if (m_packetsToWatch == 0) [[likely]]
      return;
    --m_packetsToWatch;
    m_recent.add(packet, m_lastIndex << 1 | m_side);
  }
  /// Gives a connection its object, or takes it.
  void place(std::uint32_t index, std::unique_ptr<CaptureConnection> connection) {
    m_connections[index] = std::move(connection);
  }
  std::unique_ptr<CaptureConnection> release(std::uint32_t index) { return std::move(m_connections[index]); }

  /// In the order in which they began; they keep their place. Null where one has no object.
  [[nodiscard]] std::span<const std::unique_ptr<CaptureConnection>> connections() const { return m_connections; }
  /// Packets of connections beyond the limit.
  [[nodiscard]] std::uint64_t refusedPackets() const { return m_refused; }

private:
  using Slots = SlotIndex<FlowKey>;
  static constexpr std::uint32_t kPacketsToWatch = 4096;

  /// The slot of the key's connection, made where there is none; kNoSlot where there is no room.
  Slots::Slot slotOf(const FlowKey& key, bool isFromFirst);
  /// The next connection, whose first packet comes from the first end of its key or not.
  void begin(Slots::Slot slot, bool isFromFirst);
  PacketLikeness likenessOf(const PacketSample& packet);

  std::size_t m_maxConnections;
  std::vector<std::unique_ptr<CaptureConnection>> m_connections;
  /// One a connection: its side 0 is the first end of its key.
  std::vector<bool> m_firstIsSide0;
  /// One a pair of ends: the key, and its newest connection.
  std::vector<FlowKey> m_keys;
  std::vector<std::uint32_t> m_newest;
  Slots m_slots;
  std::uint64_t m_refused = 0;

  FlowKey m_lastKey;
  bool m_hasLast = false;
  std::uint32_t m_lastIndex = 0;
  Slots::Slot m_lastSlot = 0;
  bool m_lastFirstIsSide0 = true;
  /// Of the packet that was located.
  FlowSide m_side = 0;
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
