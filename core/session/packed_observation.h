// Stores a socket observation compactly: each of its 32-bit words that is zero takes one bit.
//
// Most of TCP_INFO is zero for most sockets, as are the upper halves of counters, so that 570 bytes take about 230.
// One is kept for every connection and unpacked only while it is used.
#pragma once

#include <memory>

#include "core/model/socket_observation.h"

namespace tcpscope {

class PackedObservation {
public:
  PackedObservation() = default;
  PackedObservation(const PackedObservation& other) { pack(other.unpack()); }
  PackedObservation(PackedObservation&&) noexcept = default;
  PackedObservation& operator=(const PackedObservation& other) { return *this = PackedObservation(other); }
  PackedObservation& operator=(PackedObservation&&) noexcept = default;
  ~PackedObservation() = default;

  void pack(const SocketObservation& observation);
  /// An empty observation before the first pack().
  [[nodiscard]] SocketObservation unpack() const;

  /// What the record takes beside this object, and what that of an observation would take.
  [[nodiscard]] std::size_t bytes() const { return m_room * sizeof(std::uint32_t); }
  static std::size_t bytesFor(const SocketObservation& observation);

  /// Has the record loaded into the cache for an unpack() soon after.
  void prefetch() const;

  // Read often, hence not packed.
  [[nodiscard]] ConnectionId id() const { return m_id; }
  [[nodiscard]] Moment takenAt() const { return m_takenAt; }

private:
  static_assert(std::is_trivially_copyable_v<SocketObservation>);
  static constexpr std::size_t kBlocks = (sizeof(SocketObservation) + 127) / 128;
  /// The observation in words, and zeros up to a whole number of blocks of 32.
  using Image = std::array<std::uint32_t, kBlocks * 32>;

  static Image imageOf(const SocketObservation& observation);
  void makeRoomFor(std::size_t words);

  ConnectionId m_id;
  Moment m_takenAt;
  /// A bit for each word: is it other than zero?
  std::array<std::uint32_t, kBlocks> m_present{};
  std::uint32_t m_room = 0;
  /// The words that are, in order.
  std::unique_ptr<std::uint32_t[]> m_words;
};

}  // namespace tcpscope
