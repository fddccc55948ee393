// Where a packet lies in its capture file.
#pragma once

#include <compare>
#include <cstdint>

namespace tcpscope {

struct PacketPlace {
  /// Of its record, in bytes from the beginning of the file.
  std::uint64_t offset = 0;
  /// Position among the packets of the file, from 0.
  std::uint64_t number = 0;

  auto operator<=>(const PacketPlace&) const = default;
};

}  // namespace tcpscope
