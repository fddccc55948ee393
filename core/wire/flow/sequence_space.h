// Sequence numbers without their wrap: 64-bit offsets of one direction of one connection.
//
// The low 32 bits of an offset are the number on the wire. The first number seen lies one wrap above zero, so that
// what was sent before it has an offset, too. A number is taken for the one that lies nearest to what was seen, which
// is right as long as it is less than 2 GiB away; a window is at most 1 GiB (RFC 7323 §2.3).
#pragma once

#include <cstdint>

namespace tcpscope {

using StreamOffset = std::uint64_t;

/// Farthest that a segment of the same connection can lie from what was seen: the largest window there is.
inline constexpr std::uint64_t kLargestWindowBytes = std::uint64_t{1} << 30;

constexpr StreamOffset firstOffset(std::uint32_t sequence) {
  return (StreamOffset{1} << 32) + sequence;
}

constexpr StreamOffset unwrap(std::uint32_t sequence, StreamOffset near) {
  const auto step = static_cast<std::int32_t>(sequence - static_cast<std::uint32_t>(near));
  return near + static_cast<StreamOffset>(static_cast<std::int64_t>(step));
}

constexpr std::uint32_t onTheWire(StreamOffset offset) {
  return static_cast<std::uint32_t>(offset);
}

/// Does `a` come before `b` among numbers that wrap (sequence numbers, ticks of timestamps)?
constexpr bool isBefore(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a - b) < 0;
}

/// `end` is not included.
struct SequenceRange {
  StreamOffset begin = 0;
  StreamOffset end = 0;

  [[nodiscard]] constexpr bool isEmpty() const { return begin >= end; }
  [[nodiscard]] constexpr std::uint64_t bytes() const { return isEmpty() ? 0 : end - begin; }
  [[nodiscard]] constexpr bool overlaps(const SequenceRange& other) const {
    return begin < other.end && other.begin < end;
  }
  bool operator==(const SequenceRange&) const = default;
};

}  // namespace tcpscope
