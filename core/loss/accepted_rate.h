// Does something on the path let through a steady rate and drop what exceeds it? Both a policer and a full queue do:
// from one loss event to the next as much has passed as the rate allows. After Flach et al., "An Internet-Wide Analysis
// of Traffic Policing" (2016), who replay the packets through a token bucket that is empty at the first loss.
//
// The packets are counted as equal: a bulk transfer in full segments. Where the sender rests until the bucket is full,
// the rate comes out too low.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

struct AcceptedRate {
  double packetsPerSecond = 0.0;
  /// From one loss event to the next, and how many of these spans passed this rate.
  std::uint64_t spans = 0;
  std::uint64_t spansAtRate = 0;
  /// What was sent in the round trip before a loss event over what the rate allows; median.
  double excessRatio = 0.0;
  /// How much the bucket held at its fullest between two events, as time at the rate: a queue of this length would
  /// have made the round trip so much longer. Median.
  Nanoseconds depth{0};

  /// Lower end of the share of spans at the rate, at 95 %, and nothing where the sender did not exceed it.
  [[nodiscard]] double sureness() const;
};

/// `sent`: when each packet was sent, none left out; `lost`: ascending indices into it. Nothing for fewer than four
/// spans, or without a round trip. Looks at the first 200 spans.
std::optional<AcceptedRate> findAcceptedRate(std::span<const Moment> sent, std::span<const std::size_t> lost,
                                             Nanoseconds roundTrip);

}  // namespace tcpscope
