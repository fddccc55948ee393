// A recording's segments: each a frame of zstd that is unpacked on its own, behind a header of ours in one of zstd's
// skippable frames (RFC 8878, 3.1.2), so that whatever unpacks zstd unpacks a recording.
//
// Headers are the recording's index: seeking to a moment goes from one to the next. After damage the next one is found
// by its magic and its checksum.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "core/base/moment.h"

namespace tcpscope {

struct SegmentHeader {
  /// When its first and its last frame were written, by the clock of the recording.
  Moment begin;
  Moment end;
  /// It says again what was said before: one can begin to read here.
  bool isKey = false;
  std::uint32_t packedBytes = 0;

  bool operator==(const SegmentHeader&) const = default;
};

inline constexpr std::size_t kSegmentHeaderBytes = 34;
/// Its first four bytes.
inline constexpr std::array<std::byte, 4> kSegmentMagic = {std::byte{0x5C}, std::byte{0x2A}, std::byte{0x4D},
                                                           std::byte{0x18}};

std::array<std::byte, kSegmentHeaderBytes> segmentHeaderBytes(const SegmentHeader& header);
/// Nothing where the bytes do not begin with a whole header.
std::optional<SegmentHeader> readSegmentHeader(std::span<const std::byte> bytes);

}  // namespace tcpscope
