// What the packet graphs keep of a packet: at most one point as a piece of the stream and one as an acknowledgment,
// 32 bytes each.
#pragma once

#include <limits>

#include "core/base/moment.h"
#include "core/model/packet_sample.h"
#include "core/wire/flow/transmission_tracker.h"

namespace tcpscope {

inline constexpr std::uint32_t kUnknownFlight = std::numeric_limits<std::uint32_t>::max();

/// A packet with payload, SYN, FIN or RST.
struct SegmentPoint {
  Moment time;
  StreamOffset begin = 0;
  /// Sequence numbers that it takes, SYN and FIN included.
  std::uint32_t bytes = 0;
  /// Position in the capture, from 0; the largest number for those beyond.
  std::uint32_t packet = 0;
  /// Sent and neither acknowledged nor SACKed, this packet included; kUnknownFlight without an acknowledgment.
  std::uint32_t inFlightBytes = kUnknownFlight;
  SegmentKind kind = SegmentKind::none;
  TcpFlags flags;
  /// Of its sender, as on the wire: without scale.
  std::uint16_t window = 0;

  [[nodiscard]] StreamOffset end() const { return begin + bytes; }
};
static_assert(sizeof(SegmentPoint) == 32);

/// A packet that acknowledges something new, repeats itself, reports a block, or moves the window.
struct AcknowledgmentPoint {
  Moment time;
  /// First number that is not acknowledged.
  StreamOffset number = 0;
  /// From the data to this acknowledgment of it; NaN where that is ambiguous.
  float rttUs = std::numeric_limits<float>::quiet_NaN();
  std::uint32_t packet = 0;
  std::uint32_t inFlightBytes = kUnknownFlight;
  /// As on the wire, without scale.
  std::uint16_t window = 0;
  bool isDuplicate : 1 = false;
  /// A SYN's window means something else.
  bool hasWindow : 1 = true;
  TcpFlags flags;

  [[nodiscard]] bool isZeroWindow() const { return hasWindow && window == 0; }
};
static_assert(sizeof(AcknowledgmentPoint) == 32);

/// A block that the receiver reported for the first time.
struct SackPoint {
  Moment time;
  StreamOffset begin = 0;
  StreamOffset end = 0;
};

/// A segment that is more than new data in its place.
struct SegmentMark {
  /// Of its point.
  std::uint32_t index = 0;
  /// Valid for a retransmission.
  RetransmissionCause cause = RetransmissionCause::unknown;
};

}  // namespace tcpscope
