// The blocks of pcapng as bytes: numbers in the byte order of their section, options, times.
//
// A view of existing bytes; what lies outside of them reads as nothing. Follows the IETF draft "PCAP Next Generation
// Capture File Format".
#pragma once

#include <cstring>
#include <optional>
#include <span>

#include "core/base/moment.h"

namespace tcpscope {

inline constexpr std::uint32_t kSectionHeaderBlock = 0x0a0d0d0a;
inline constexpr std::uint32_t kInterfaceDescriptionBlock = 1;
inline constexpr std::uint32_t kObsoletePacketBlock = 2;
inline constexpr std::uint32_t kSimplePacketBlock = 3;
inline constexpr std::uint32_t kInterfaceStatisticsBlock = 5;
inline constexpr std::uint32_t kEnhancedPacketBlock = 6;
/// In a section's header, in the byte order of all its numbers.
inline constexpr std::uint32_t kByteOrderMagic = 0x1a2b3c4d;
/// Behind the last option of a block.
inline constexpr std::uint16_t kEndOfOptions = 0;
/// Of any block: for people.
inline constexpr std::uint16_t kCommentOption = 1;
/// Options of an interface's description.
inline constexpr std::uint16_t kInterfaceNameOption = 2;
inline constexpr std::uint16_t kTimeResolutionOption = 9;
inline constexpr std::uint16_t kTimeOffsetOption = 14;
/// Options of an interface's statistics.
inline constexpr std::uint16_t kReceivedOption = 4;
inline constexpr std::uint16_t kDroppedByInterfaceOption = 5;
inline constexpr std::uint16_t kDroppedBySystemOption = 7;
/// An option of an enhanced packet: lost between it and the one before.
inline constexpr std::uint16_t kDropCountOption = 4;

/// Reads numbers at offsets that are known to be inside.
class SectionBytes {
public:
  SectionBytes(std::span<const std::byte> bytes, bool isSwapped) : m_bytes(bytes), m_isSwapped(isSwapped) {}

  [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
  [[nodiscard]] std::span<const std::byte> all() const { return m_bytes; }
  [[nodiscard]] std::uint8_t u8(std::size_t at) const { return std::to_integer<std::uint8_t>(m_bytes[at]); }
  [[nodiscard]] std::uint16_t u16(std::size_t at) const {
    const auto value = raw<std::uint16_t>(at);
    return m_isSwapped ? __builtin_bswap16(value) : value;
  }
  [[nodiscard]] std::uint32_t u32(std::size_t at) const {
    const auto value = raw<std::uint32_t>(at);
    return m_isSwapped ? __builtin_bswap32(value) : value;
  }
  [[nodiscard]] std::uint64_t u64(std::size_t at) const {
    const auto value = raw<std::uint64_t>(at);
    return m_isSwapped ? __builtin_bswap64(value) : value;
  }
  [[nodiscard]] SectionBytes from(std::size_t at) const {
    return {m_bytes.subspan(at < m_bytes.size() ? at : m_bytes.size()), m_isSwapped};
  }
  [[nodiscard]] SectionBytes first(std::size_t size) const { return {m_bytes.first(size), m_isSwapped}; }

private:
  template <class Number>
  [[nodiscard]] Number raw(std::size_t at) const {
    Number value;
    std::memcpy(&value, m_bytes.data() + at, sizeof value);
    return value;
  }

  std::span<const std::byte> m_bytes;
  bool m_isSwapped;
};

/// The value of the first option of this code in a list of options, if it has `size` bytes at least.
std::optional<SectionBytes> findOption(SectionBytes options, std::uint16_t code, std::size_t size);

/// How an interface counts time.
struct InterfaceClock {
  /// if_tsresol: a negative power of 10, or of 2 where the highest bit is set.
  std::uint8_t resolution = 6;
  /// if_tsoffset.
  std::int64_t offsetSeconds = 0;
};

/// Nothing for a time that is further than a century from 1970, which no clock showed.
std::optional<WallTime> interfaceTime(std::uint64_t units, InterfaceClock clock);

}  // namespace tcpscope
