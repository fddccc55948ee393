// What is left of a frame from some header on: the bytes that were kept, and how long it was on the wire.
//
// Numbers are read in network order. Call has() before reading: nothing here checks again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/no_segment.h"

namespace tcpscope {

class FrameRest {
public:
  /// More bytes than there were on the wire cannot be: the wire length then follows the bytes.
  FrameRest(std::span<const std::byte> bytes, std::size_t wireBytes)
      : m_at(bytes.data()), m_captured(bytes.size()), m_wire(std::max(bytes.size(), wireBytes)) {}

  [[nodiscard]] bool has(std::size_t bytes) const { return m_captured >= bytes; }
  /// Why not, where has() says no: the capture kept too little, or there never was so much.
  [[nodiscard]] NoSegment missing(std::size_t bytes) const {
    return m_wire >= bytes ? NoSegment::cut : NoSegment::malformed;
  }
  [[nodiscard]] std::size_t captured() const { return m_captured; }
  [[nodiscard]] std::size_t onWire() const { return m_wire; }

  [[nodiscard]] std::uint8_t u8(std::size_t offset) const { return std::to_integer<std::uint8_t>(m_at[offset]); }
  [[nodiscard]] std::uint16_t u16(std::size_t offset) const {
    return static_cast<std::uint16_t>(u8(offset) << 8 | u8(offset + 1));
  }
  [[nodiscard]] std::uint32_t u32(std::size_t offset) const {
    return std::uint32_t{u8(offset)} << 24 | std::uint32_t{u8(offset + 1)} << 16 | std::uint32_t{u8(offset + 2)} << 8 |
           u8(offset + 3);
  }
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t offset, std::size_t size) const {
    return {m_at + offset, size};
  }

  /// What follows a header of `bytes`, all of which was captured.
  [[nodiscard]] FrameRest behind(std::size_t bytes) const { return {m_at + bytes, m_captured - bytes, m_wire - bytes}; }
  /// As long as the header in front says: what follows is padding, what is missing was cut.
  [[nodiscard]] FrameRest ofLength(std::size_t wireBytes) const {
    return {m_at, std::min(m_captured, wireBytes), wireBytes};
  }

private:
  FrameRest(const std::byte* at, std::size_t captured, std::size_t wire)
      : m_at(at), m_captured(captured), m_wire(wire) {}

  const std::byte* m_at;
  std::size_t m_captured;
  std::size_t m_wire;
};

}  // namespace tcpscope
