// The payload of a probe's packet: which measurement it belongs to, which packet it is, and when it was sent. Twenty
// bytes, the rest of the packet is zeros.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/units.h"

namespace tcpscope {

inline constexpr std::size_t kProbePayloadBytes = 20;

struct ProbePacket {
  /// Drawn for each run; what comes with another one is no packet of it.
  std::uint64_t token = 0;
  std::uint32_t sequence = 0;
  /// The receiver sends this one back, so that the RTT is known.
  bool requestsEcho = false;
  /// Since the run began, by the sender's clock.
  Nanoseconds sentAt{0};
  bool operator==(const ProbePacket&) const = default;
};

std::array<std::byte, kProbePayloadBytes> encoded(const ProbePacket& packet);
/// Nothing where it is too short.
std::optional<ProbePacket> parseProbePacket(std::span<const std::byte> payload);

}  // namespace tcpscope
