// What a file is, by its first bytes: captures, and what people take for one.
#pragma once

#include <cstddef>
#include <span>

#include "core/model/capture_fault.h"

namespace tcpscope {

/// Enough bytes to recognize every format here; pcap, pcapng, gzip and zstd need only 4.
inline constexpr std::size_t kFormatBytes = 512;

/// `begin` are the first bytes of the file, all of them where it is shorter than kFormatBytes.
FileFormat fileFormatOf(std::span<const std::byte> begin);

}  // namespace tcpscope
