// Numbers in as few bytes as they need: seven bits a byte, the lowest first; all but the last have the highest bit set.
//
// For what the program itself has written: reading trusts the bytes.
#pragma once

#include <cstdint>
#include <span>

namespace tcpscope {

inline constexpr unsigned kBitsAByte = 7;
inline constexpr std::uint8_t kMoreFollows = 0x80;

/// Hands the bytes of the number to `put`, one after the other.
template <class Put>
void writeNumber(std::uint64_t number, const Put& put) {
  while (number >= kMoreFollows) {
    put(static_cast<std::uint8_t>(number | kMoreFollows));
    number >>= kBitsAByte;
  }
  put(static_cast<std::uint8_t>(number));
}

inline std::uint8_t takeByte(std::span<const std::uint8_t>& bytes) {
  const std::uint8_t byte = bytes.front();
  bytes = bytes.subspan(1);
  return byte;
}

inline std::uint64_t takeNumber(std::span<const std::uint8_t>& bytes) {
  std::uint64_t number = 0;
  unsigned shift = 0;
  while (true) {
    const std::uint8_t byte = takeByte(bytes);
    number |= std::uint64_t{static_cast<std::uint8_t>(byte & ~kMoreFollows)} << shift;
    if ((byte & kMoreFollows) == 0) return number;
    shift += kBitsAByte;
  }
}

/// The lowest bit is the sign, so that small numbers of either sign are short.
constexpr std::uint64_t unsignedOf(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
}
constexpr std::int64_t signedOf(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1 ^ (~(number & 1) + 1));
}

}  // namespace tcpscope
