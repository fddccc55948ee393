// One TCP segment as a capture point saw it: what its headers say, whatever carried it there.
//
// Fields stand as on the wire: sequence numbers wrap, the window has no scale yet. The options are a view into the
// bytes of the frame and live as long as those; a short snap length may have cut them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/moment.h"
#include "core/model/endpoint.h"

namespace tcpscope {

/// The control bits of RFC 9293 §3.1 with those of RFC 3168.
struct TcpFlags {
  std::uint8_t bits = 0;
  [[nodiscard]] constexpr bool fin() const { return (bits & 0x01) != 0; }
  [[nodiscard]] constexpr bool syn() const { return (bits & 0x02) != 0; }
  [[nodiscard]] constexpr bool rst() const { return (bits & 0x04) != 0; }
  [[nodiscard]] constexpr bool psh() const { return (bits & 0x08) != 0; }
  [[nodiscard]] constexpr bool ack() const { return (bits & 0x10) != 0; }
  [[nodiscard]] constexpr bool ece() const { return (bits & 0x40) != 0; }
  [[nodiscard]] constexpr bool cwr() const { return (bits & 0x80) != 0; }
};

/// The two ECN bits of the IP header (RFC 3168 §5).
enum class EcnCodepoint : std::uint8_t { notCapable, capable1, capable0, congestionExperienced };

struct PacketSample {
  WallTime time;
  Endpoint source;
  Endpoint destination;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  /// What the IP header says, however much of it was captured; more than the MSS where an adapter cuts or joins
  /// packets.
  std::uint32_t payloadBytes = 0;
  /// Not scaled yet.
  std::uint16_t window = 0;
  TcpFlags flags;
  EcnCodepoint ecn = EcnCodepoint::notCapable;
  std::uint8_t hopLimit = 0;
  /// Position of the packet in its file or capture, from 0.
  std::uint64_t number = 0;
  /// Interface of the capture that saw it, in the order of the file.
  std::uint32_t interface = 0;
  bool optionsAreCut = false;
  /// Of IPv4, where it says something: 0 of what must not be fragmented is none, and IPv6 has none.
  std::uint16_t identification = 0;
  /// The first of several fragments: what the others carry of the payload is not counted.
  bool isFirstFragment = false;
  std::span<const std::byte> options;
};

}  // namespace tcpscope
