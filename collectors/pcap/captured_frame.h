// One frame as a capture holds it: its bytes as far as they were kept, and what the capture says about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/moment.h"
#include "core/model/packet_place.h"

namespace tcpscope {

/// What a frame begins with: the numbers that files use (LINKTYPE_ in the tcpdump project's list). Any other number may
/// stand in a file, too.
enum class LinkType : std::uint16_t {
  bsdLoopback = 0,
  ethernet = 1,
  ppp = 9,
  /// What systems write for raw IP into files that are not made for others: LINKTYPE_RAW is 101.
  bsdRawIp = 12,
  openBsdRawIp = 14,
  pppInHdlc = 50,
  pppoeSession = 51,
  rawIp = 101,
  ciscoHdlc = 104,
  openBsdLoopback = 108,
  linuxCooked = 113,
  pppWithDirection = 166,
  ppi = 192,
  ipv4 = 228,
  ipv6 = 229,
  nflog = 239,
  linuxCooked2 = 276,
};

struct CapturedFrame {
  LinkType linkType = LinkType::ethernet;
  /// Interface of the capture that saw it, in the order of the file, over all its sections.
  std::uint32_t interface = 0;
  /// Position among the packets of the file, from 0.
  std::uint64_t number = 0;
  /// Of its record, in bytes from the beginning of the file, unpacked.
  std::uint64_t offset = 0;
  /// Not known where the capture has none (simple packets of pcapng), or one that no clock shows.
  std::optional<WallTime> time;
  /// Length of the frame on the wire.
  std::uint32_t wireBytes = 0;
  /// What was kept of it.
  std::span<const std::byte> bytes;

  [[nodiscard]] PacketPlace place() const { return {offset, number}; }
};

}  // namespace tcpscope
