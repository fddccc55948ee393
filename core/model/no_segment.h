// Why a captured packet gives no TCP segment. Such packets are counted by reason and said, never guessed at.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tcpscope {

enum class NoSegment : std::uint8_t {
  /// ARP, UDP, ICMP, IPsec and all else that is not TCP.
  otherProtocol,
  /// A tunnel that may hold TCP; looked into only on request.
  tunnel,
  /// A fragment of a TCP segment: what it holds counts once all fragments have been captured.
  fragment,
  /// The snap length of the capture ended before the TCP header's fixed part did.
  cut,
  /// Lengths or versions that contradict each other.
  malformed,
  /// The capture says a link type that is not known here.
  unknownLinkType,
  /// The capture has no time for this packet.
  withoutTime,
  /// The capture was appended to itself, and has had this packet.
  repeated,
};

inline constexpr std::size_t kNoSegmentReasons = 8;

}  // namespace tcpscope
