// Losses grouped into loss events: those within one RTT of an event's first loss are one event, to which a
// sender reacts once (RFC 5348, section 5.2). Rate equations speak of events, not of lost packets.
#pragma once

#include <span>
#include <vector>

#include "core/base/sample_summary.h"
#include "core/wire/loss/loss.h"

namespace tcpscope {

struct LossEvent {
  /// Of its first loss.
  Moment start;
  std::uint64_t position = 0;
  std::optional<Nanoseconds> rttBefore;
  std::uint64_t losses = 0;
};

/// `rtt` above zero.
std::vector<LossEvent> lossEventsOf(std::span<const Loss> losses, Nanoseconds rtt);

/// Loss events per packet.
struct LossEventRatio {
  double ratio = 0.0;
  /// Exact binomial; without any event from 0 to about 3 / packets: "below 3 / n" and not "none".
  Interval interval95;
};

/// Nothing without packets.
std::optional<LossEventRatio> lossEventRatio(std::uint64_t events, std::uint64_t packets);

}  // namespace tcpscope
