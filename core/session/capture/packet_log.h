// The packets of one connection as its analysis takes them, some 15 to 20 bytes each, so that the analysis can be made
// later, or again: all that is kept of a connection as long as its packets are few and carry on from one another, and
// while it is at rest.
//
// A packet is written as its difference from what its end sent before. Everything that CaptureConnection or its
// followers read of a packet is kept; the interface and the hop limit, which only distinguish copies, are not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "core/model/packet_sample.h"
#include "core/session/capture/compact_number.h"
#include "core/wire/flow/capture_connection.h"
#include "core/wire/flow/tcp_option_list.h"

namespace tcpscope {

/// What stands for a packet in the log, or comes with it.
enum class LoggedKind : std::uint8_t {
  packet,
  /// A packet that may be a copy.
  undecidedCopy,
  /// Without the packet: it was a copy.
  copy,
  /// Without the packet, which may be a copy and waits.
  undecidedEarly,
  /// The next packet waited in vain.
  vainWait,
  /// The last packet had waited.
  early,
};

class PacketLog {
public:
  /// `ends` of the first packet: who sent it, and the other one.
  explicit PacketLog(const std::array<Endpoint, 2>& ends) : m_ends(ends) {}
  /// Goes on behind what was written.
  PacketLog(const std::array<Endpoint, 2>& ends, std::span<const std::uint8_t> bytes);

  /// Does this packet begin the connection with its SYN, or carry it on: the next number of its end, no more
  /// acknowledged than the other end has sent? Then it is not a copy, not early, and of this connection. To be asked
  /// only as long as that held for every packet before.
  [[nodiscard]] bool carriesOn(const PacketSample& packet, FlowSide side) const;

  void add(const PacketSample& packet, FlowSide side, LoggedKind kind);
  void note(LoggedKind kind, FlowSide side) { m_bytes[m_size++] = headOf(kind, side); }

  [[nodiscard]] const std::array<Endpoint, 2>& ends() const { return m_ends; }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {m_bytes.get(), m_size}; }
  [[nodiscard]] bool isEmpty() const { return m_size == 0; }
  /// The packets are not few any more: nothing else may be added.
  [[nodiscard]] bool isFull() const { return m_size > kMostBytes; }
  /// With the object itself.
  static constexpr std::size_t residentBytes() { return sizeof(PacketLog) + kSpaceBytes; }

private:
  friend class LoggedPackets;
  static constexpr std::size_t kMostBytes = 900;
  /// With one entry more, which takes 86 bytes at most.
  static constexpr std::size_t kSpaceBytes = 1024;

  /// What the next packet is compared with.
  struct End {
    std::uint32_t nextSequence = 0;
    std::uint32_t acknowledgment = 0;
    std::uint32_t timestamp = 0;
    std::uint32_t echo = 0;
    std::uint16_t window = 0;
    std::uint16_t identification = 0;
    bool isStarted = false;
    /// With more than its SYN.
    bool hasAcknowledged = false;
  };
  struct Before {
    std::array<End, 2> ends;
    WallTime time;
    std::uint64_t number = 0;

    void remember(const PacketSample& packet, FlowSide side);
  };

  static std::uint8_t headOf(LoggedKind kind, FlowSide side);

  std::array<Endpoint, 2> m_ends;
  Before m_before;
  std::size_t m_size = 0;
  std::unique_ptr<std::uint8_t[]> m_bytes = std::make_unique_for_overwrite<std::uint8_t[]>(kSpaceBytes);
};

/// Reads a log from its start.
class LoggedPackets {
public:
  /// The bytes have to live as long as this does.
  LoggedPackets(std::span<const std::uint8_t> bytes, const std::array<Endpoint, 2>& ends)
      : m_rest(bytes), m_ends(ends) {}

  /// False behind the last.
  bool next();
  [[nodiscard]] LoggedKind kind() const { return m_kind; }
  [[nodiscard]] FlowSide side() const { return m_side; }
  /// Valid for kinds with a packet, until the next is read.
  [[nodiscard]] const PacketSample& packet() const { return m_packet; }

private:
  friend class PacketLog;
  void readPacket(std::uint8_t head);
  void readOptions(std::span<const std::uint8_t>& rest, std::uint8_t head, PacketLog::End& end);

  std::span<const std::uint8_t> m_rest;
  std::array<Endpoint, 2> m_ends;
  PacketLog::Before m_before;
  PacketSample m_packet;
  std::array<std::byte, kMostOptionBytes> m_options{};
  LoggedKind m_kind = LoggedKind::packet;
  FlowSide m_side = 0;
};

}  // namespace tcpscope
