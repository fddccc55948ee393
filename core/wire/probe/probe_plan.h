// What a probe of a path sends: packets of one size at a constant rate, and after them as many of another size, as in
// the Internet measurement of "Packet Loss Burstiness" (Wei, Cao, Low 2007), which holds the two against each other.
//
// Both runs send as many packets a second: if what a probe adds to the path's load mattered, the larger ones would be
// lost more often.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/units.h"

namespace tcpscope {

/// Of an IPv4 packet; over IPv6 packets are 20 bytes larger. Old routers may split what is larger than 500 bytes.
inline constexpr std::array kProbePacketSizes = {Bytes(48), Bytes(400)};
/// Headers of IPv4 and UDP.
inline constexpr Bytes kProbeHeaders{28};

inline constexpr BitsPerSecond kDefaultProbeRate(1e6);
inline constexpr BitsPerSecond kLeastProbeRate(1e4);
inline constexpr BitsPerSecond kMostProbeRate(1e7);
/// Of both runs together.
inline constexpr Nanoseconds kDefaultProbeTime = std::chrono::minutes(5);
inline constexpr Nanoseconds kLeastProbeTime = std::chrono::seconds(2);
inline constexpr Nanoseconds kMostProbeTime = std::chrono::minutes(10);

/// From one packet that is sent back to the next, at the least half of it.
inline constexpr Nanoseconds kBetweenEchoes = Milliseconds(200);

struct ProbeRunPlan {
  Bytes packetSize;
  std::uint32_t packets = 0;
  /// From one packet to the next.
  Nanoseconds interval{0};

  [[nodiscard]] Nanoseconds time() const { return interval * packets; }
  [[nodiscard]] BitsPerSecond rate() const;
  /// One that this program would make: nothing else is sent, and nothing else is received.
  [[nodiscard]] bool isWithinLimits() const;
  bool operator==(const ProbeRunPlan&) const = default;
};

/// `rate` is that of the larger packets. Nothing outside of the limits above.
std::optional<std::array<ProbeRunPlan, 2>> probePlan(BitsPerSecond rate, Nanoseconds time);

}  // namespace tcpscope
