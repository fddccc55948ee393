// One lost packet, and the two scales on which losses are measured: a hundredth of an RTT, at which "Packet Loss
// Burstiness: Measurements and Implications for Distributed Applications" (Wei, Cao, Low 2007) finds them clustered,
// and a whole one, within which a sender cannot react.
//
// Everything in this folder takes losses in the order of their times, which is that of their positions.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

inline constexpr double kHundredthRtt = 0.01;
inline constexpr double kWholeRtt = 1.0;

struct Loss {
  /// In a capture when the packet was sent, in a drop log when it was dropped.
  Moment time;
  /// Among all packets sent, from 0, each transmission counted; 0 in a log that does not know.
  std::uint64_t position = 0;
  /// RTT of a packet that was sent shortly before it and arrived: what the queue was like.
  std::optional<Nanoseconds> rttBefore;
};

}  // namespace tcpscope
