#include "app/remote/ustar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/invariant.h"

namespace tcpscope {

namespace {

constexpr std::size_t kTarBlock = 512;

struct TarField {
  std::size_t offset;
  std::size_t size;
};
constexpr TarField kTarName{0, 100};
constexpr TarField kTarMode{100, 8};
constexpr TarField kTarUser{108, 8};
constexpr TarField kTarGroup{116, 8};
constexpr TarField kTarSize{124, 12};
constexpr TarField kTarTime{136, 12};
constexpr TarField kTarSum{148, 8};
constexpr TarField kTarType{156, 1};
constexpr TarField kTarMagic{257, 8};

using TarHeader = std::array<char, kTarBlock>;

void setText(TarHeader& header, TarField field, std::string_view text) {
  std::copy_n(text.begin(), std::min(text.size(), field.size),
              header.begin() + static_cast<std::ptrdiff_t>(field.offset));
}

/// Octal digits that fill the field up to its last byte.
void setNumber(TarHeader& header, TarField field, std::uint64_t value) {
  setText(header, field, fmt::format("{:0{}o}", value, field.size - 1));
}

void appendBytes(std::vector<std::byte>& archive, std::span<const std::byte> bytes) {
  archive.insert(archive.end(), bytes.begin(), bytes.end());
}

constexpr std::array<std::uint32_t, 256> crcTable() {
  constexpr std::uint32_t kPolynomial = 0x04c11db7U;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t index = 0; index < table.size(); ++index) {
    std::uint32_t value = index << 24U;
    for (int bit = 0; bit < 8; ++bit) value = value << 1U ^ ((value & 0x80000000U) != 0 ? kPolynomial : 0U);
    table[index] = value;
  }
  return table;
}

}  // namespace

void appendToTar(std::vector<std::byte>& archive, std::string_view name, std::span<const std::byte> content) {
  TCPSCOPE_INVARIANT(name.size() < kTarName.size);
  TarHeader header{};
  setText(header, kTarName, name);
  setNumber(header, kTarMode, 0700);
  setNumber(header, kTarUser, 0);
  setNumber(header, kTarGroup, 0);
  setNumber(header, kTarSize, content.size());
  setNumber(header, kTarTime, 0);
  setText(header, kTarSum, "        ");
  setText(header, kTarType, "0");
  setText(header, kTarMagic, std::string_view("ustar\00000", 8));
  std::uint64_t sum = 0;
  for (const char octet : header) sum += static_cast<unsigned char>(octet);
  setText(header, kTarSum, fmt::format("{:06o}", sum));
  header[kTarSum.offset + 6] = 0;
  appendBytes(archive, std::as_bytes(std::span(header)));
  appendBytes(archive, content);
  archive.resize((archive.size() + kTarBlock - 1) / kTarBlock * kTarBlock);
}

void endTar(std::vector<std::byte>& archive) {
  archive.resize(archive.size() + 2 * kTarBlock);
}

std::uint32_t posixChecksum(std::span<const std::byte> bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crcTable();
  std::uint32_t sum = 0;
  const auto add = [&sum](std::uint32_t octet) { sum = sum << 8U ^ kTable[(sum >> 24U ^ octet) & 0xffU]; };
  for (const std::byte octet : bytes) add(std::to_integer<std::uint32_t>(octet));
  for (std::size_t length = bytes.size(); length != 0; length >>= 8U) add(static_cast<std::uint32_t>(length & 0xffU));
  return ~sum;
}

}  // namespace tcpscope
