// Memory for packets that is used again: after the first moments of a transfer nothing is allocated for a packet.
//
// A packet gives its memory back when it ends, so the pool must outlive its packets. Grows with what is in flight and
// never shrinks: rate × delay and the queues bound it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tcpscope::lab {

class PacketPool;

/// One IP packet, held in one place.
class Packet {
public:
  Packet() = default;
  Packet(const Packet&) = delete;
  Packet& operator=(const Packet&) = delete;
  Packet(Packet&& other) noexcept;
  Packet& operator=(Packet&& other) noexcept;
  ~Packet();

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return m_bytes; }
  [[nodiscard]] std::span<std::uint8_t> bytes() { return m_bytes; }
  [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
  /// The same bytes in memory of their own.
  [[nodiscard]] Packet copy() const;

private:
  friend class PacketPool;
  Packet(std::vector<std::uint8_t>&& bytes, PacketPool& pool) : m_bytes(std::move(bytes)), m_pool(&pool) {}
  void giveBack();

  std::vector<std::uint8_t> m_bytes;
  PacketPool* m_pool = nullptr;
};

class PacketPool {
public:
  PacketPool() = default;
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  Packet make(std::span<const std::uint8_t> bytes);
  /// Packets whose memory waits to be used again.
  [[nodiscard]] std::size_t idle() const { return m_idle.size(); }

private:
  friend class Packet;
  std::vector<std::vector<std::uint8_t>> m_idle;
};

}  // namespace tcpscope::lab
