#include "app/lab/path/internet_checksum.h"

namespace tcpscope::lab {

std::uint32_t checksumSum(std::span<const std::uint8_t> bytes) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    sum += at % 2 == 0 ? static_cast<std::uint32_t>(bytes[at]) << 8U : bytes[at];
  }
  return sum;
}

std::uint16_t foldedChecksum(std::uint32_t sum) {
  while (sum >> 16U != 0) sum = (sum & 0xffffU) + (sum >> 16U);
  return static_cast<std::uint16_t>(~sum & 0xffffU);
}

std::uint16_t updatedChecksum(std::uint16_t checksum, std::uint16_t before, std::uint16_t after) {
  const auto inverse = [](std::uint16_t word) { return static_cast<std::uint32_t>(~word & 0xffff); };
  return foldedChecksum(inverse(checksum) + inverse(before) + after);
}

}  // namespace tcpscope::lab
