// Where along the path a capture was taken, from what it shows of one bulk direction.
//
// Delays first: an end that answers within a small part of the RTT is where the capture was taken. Losses
// second: a sender's own capture sees every segment go out, and what a receiver's own capture has seen arrives. Where
// delays or losses do not decide, the vantage point is unknown.
#pragma once

#include <optional>

#include "core/base/units.h"
#include "core/wire/flow/direction_summary.h"

namespace tcpscope {

struct VantageEvidence {
  /// Shortest way from the capture point to the end and back; nothing where it answered nothing.
  std::optional<Nanoseconds> toSender;
  std::optional<Nanoseconds> toReceiver;
  /// Segments that came again because the first did not reach the capture point.
  std::uint64_t lossesBefore = 0;
  /// Segments that passed the capture point, were reported missing and came again.
  std::uint64_t lossesBehind = 0;
};

Vantage vantageOf(const VantageEvidence& evidence);

}  // namespace tcpscope
