// The checksum of frames: CRC-32C (Castagnoli), as RFC 3720 defines it for iSCSI. Finds damage, not forgery.
#pragma once

#include <cstdint>
#include <span>

namespace tcpscope {

/// Of all of `bytes`; `before` is the checksum of what came before them.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace tcpscope
