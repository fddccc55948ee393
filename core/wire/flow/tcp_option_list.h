// Parses the options of one TCP header from untrusted bytes.
//
// A length that lies (0, 1, beyond the end, wrong for its kind) marks the list as damaged; what came before it is
// kept. Where a short snap length took the rest, the list is cut instead, which is no fault of the packet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace tcpscope {

/// One block of RFC 2018: sequence numbers as on the wire, `end` not included.
struct SackBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const SackBlock&) const = default;
};

/// RFC 7323 §3.2, in ticks of the sender's own clock.
struct TcpTimestamps {
  std::uint32_t value = 0;
  std::uint32_t echo = 0;
  bool operator==(const TcpTimestamps&) const = default;
};

struct TcpOptionList {
  static constexpr std::size_t kMaxSackBlocks = 4;

  /// Never fails: options that cannot be read are absent.
  /// `isCut`: the bytes end before the options do.
  static TcpOptionList parse(std::span<const std::byte> bytes, bool isCut);

  [[nodiscard]] std::span<const SackBlock> sackBlocks() const { return std::span(sack).first(sackBlockCount); }

  std::optional<std::uint16_t> mssBytes;
  /// As offered; values above 14 are used as 14 (RFC 7323 §2.3).
  std::optional<std::uint8_t> windowScale;
  std::optional<TcpTimestamps> timestamps;
  /// Length of the cookie, 0 for a request (RFC 7413, and its experimental form of RFC 6994).
  std::optional<std::uint8_t> fastOpenCookieBytes;
  std::array<SackBlock, kMaxSackBlocks> sack{};
  std::uint8_t sackBlockCount = 0;
  bool sackPermitted = false;
  /// RFC 8684.
  bool multipath = false;
  /// Kinds 172 and 174 (AccECN), or their experimental form.
  bool accurateEcn = false;
  /// Options of another kind.
  std::uint8_t others = 0;
  bool isDamaged = false;
  bool isCut = false;
};

/// What a header has space for (RFC 9293 §3.1: 15 words, five of them fixed).
inline constexpr std::size_t kMostOptionBytes = 40;

/// NOP NOP timestamps, whose two words follow.
inline constexpr std::array<std::byte, 4> kLoneTimestampsStart{std::byte{1}, std::byte{1}, std::byte{8}, std::byte{10}};
inline constexpr std::size_t kLoneTimestampsBytes = 12;

/// In network byte order, like writeWord().
[[gnu::always_inline]] inline std::uint32_t wordAt(std::span<const std::byte> bytes, std::size_t at) {
  return std::to_integer<std::uint32_t>(bytes[at]) << 24 | std::to_integer<std::uint32_t>(bytes[at + 1]) << 16 |
         std::to_integer<std::uint32_t>(bytes[at + 2]) << 8 | std::to_integer<std::uint32_t>(bytes[at + 3]);
}

inline void writeWord(std::span<std::byte> bytes, std::size_t at, std::uint32_t word) {
  for (std::size_t index = 0; index < sizeof word; ++index) {
    bytes[at + index] = static_cast<std::byte>(word >> (8 * (sizeof word - 1 - index)));
  }
}

/// The options of nearly every segment of a connection with timestamps: NOP NOP timestamps and nothing else (RFC 7323,
/// appendix A). Nothing where they are not that; then `parse` knows.
/// Inline: an optional that a function returns is put together in memory and read back in another width, for which the
/// processor waits.
[[gnu::always_inline]] inline std::optional<TcpTimestamps> loneTimestamps(std::span<const std::byte> bytes) {
  constexpr auto& kStart = kLoneTimestampsStart;
  const bool areLone =
      bytes.size() == kLoneTimestampsBytes && std::memcmp(bytes.data(), kStart.data(), kStart.size()) == 0;
  if (!areLone) return std::nullopt;
  return TcpTimestamps{wordAt(bytes, 4), wordAt(bytes, 8)};
}

/// The other way around.
inline void writeLoneTimestamps(std::span<std::byte, kLoneTimestampsBytes> bytes, const TcpTimestamps& timestamps) {
  std::memcpy(bytes.data(), kLoneTimestampsStart.data(), kLoneTimestampsStart.size());
  writeWord(bytes, 4, timestamps.value);
  writeWord(bytes, 8, timestamps.echo);
}

}  // namespace tcpscope
