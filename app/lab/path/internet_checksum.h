// The checksum of IP, ICMP, TCP and UDP (RFC 1071), whole and by difference (RFC 1624).
#pragma once

#include <cstdint>
#include <span>

namespace tcpscope::lab {

/// Sum of the 16-bit words in network order, not yet folded; an odd last byte counts as if a zero followed it. Sums add
/// up, so that a pseudo header can come first.
std::uint32_t checksumSum(std::span<const std::uint8_t> bytes);

/// What goes into the packet.
std::uint16_t foldedChecksum(std::uint32_t sum);

/// The checksum after one 16-bit word changed (RFC 1624, equation 3).
std::uint16_t updatedChecksum(std::uint16_t checksum, std::uint16_t before, std::uint16_t after);

}  // namespace tcpscope::lab
