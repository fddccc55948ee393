#include "collectors/trace/crc32c.h"

#include <array>

namespace tcpscope {

namespace {

constexpr std::uint32_t kReflectedPolynomial = 0x82F63B78U;
constexpr std::size_t kSlices = 8;

using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

/// Row n: what a byte does to the checksum when n more bytes follow it, so that eight bytes need no order among them.
constexpr Tables makeTables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1U) != 0 ? kReflectedPolynomial : 0U);
    tables[0][byte] = value;
  }
  for (std::size_t slice = 1; slice < kSlices; ++slice) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[slice - 1][byte];
      tables[slice][byte] = (shorter >> 8) ^ tables[0][shorter & 0xffU];
    }
  }
  return tables;
}

constexpr Tables kTables = makeTables();

constexpr std::uint32_t octet(std::byte value) {
  return std::to_integer<std::uint32_t>(value);
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kSlices; at += kSlices, left -= kSlices) {
    const std::uint32_t low = crc ^ (octet(at[0]) | octet(at[1]) << 8 | octet(at[2]) << 16 | octet(at[3]) << 24);
    crc = kTables[7][low & 0xffU] ^ kTables[6][low >> 8 & 0xffU] ^ kTables[5][low >> 16 & 0xffU] ^
          kTables[4][low >> 24] ^ kTables[3][octet(at[4])] ^ kTables[2][octet(at[5])] ^ kTables[1][octet(at[6])] ^
          kTables[0][octet(at[7])];
  }
  for (; left > 0; ++at, --left) crc = (crc >> 8) ^ kTables[0][(crc ^ octet(*at)) & 0xffU];
  return ~crc;
}

}  // namespace tcpscope
