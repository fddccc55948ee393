// Where the packets of each connection lie in a capture file: one connection can be read again without all the others.
//
// A place is kept as its distance from the one before, in 2 to 5 bytes mostly. Memory is bounded: beyond the limit all
// places are forgotten, because a part of a connection's packets would be no use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/packet_place.h"

namespace tcpscope {

class PacketPlaces {
public:
  explicit PacketPlaces(std::size_t mostBytes) : m_mostBytes(mostBytes) {}

  /// The next packet of this connection; its place lies behind those that were added before.
  void add(std::uint32_t connection, PacketPlace place);
  /// From now on nothing is kept.
  void giveUp();

  /// All places were kept.
  [[nodiscard]] bool areKnown() const { return !m_isGivenUp; }
  /// What they take.
  [[nodiscard]] std::size_t residentBytes() const { return m_bytes + m_lists.capacity() * sizeof(List); }

  /// The places of one connection, in the order of the file.
  class Walk {
  public:
    /// False behind the last.
    [[nodiscard]] bool next(PacketPlace& place);

  private:
    friend class PacketPlaces;
    explicit Walk(std::span<const std::uint8_t> rest) : m_rest(rest) {}

    std::span<const std::uint8_t> m_rest;
    PacketPlace m_last;
  };
  [[nodiscard]] Walk of(std::uint32_t connection) const;

private:
  struct List {
    PacketPlace last;
    std::vector<std::uint8_t> bytes;
  };

  std::size_t m_mostBytes;
  /// Of the lists' contents.
  std::size_t m_bytes = 0;
  bool m_isGivenUp = false;
  /// By connection.
  std::vector<List> m_lists;
};

}  // namespace tcpscope
