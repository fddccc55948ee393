// Does something on the path let through a rate and drop what exceeds it? Both a policer and a full queue do: as a
// token bucket that is empty whenever a packet is dropped. After Flach et al., "An Internet-Wide Analysis of Traffic
// Policing" (2016), who replay the packets through such a bucket; here the bucket's depth is found, too.
//
// For any rate there is a smallest bucket that lets through all that arrived. If the right rate is among those tried,
// the losses find this bucket empty and the other packets do not. The packets are counted as equal: a bulk transfer in
// full segments. Where others share the bucket, no rate fits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

struct BucketFit {
  double packetsPerSecond = 0.0;
  double depthPackets = 0.0;
  /// Loss events, and those whose first loss found the bucket empty.
  std::uint64_t events = 0;
  std::uint64_t eventsAtEmpty = 0;
  /// Of all packets sent, those that found it empty.
  double packetsAtEmptyRatio = 0.0;

  /// A queue of this depth would have increased the RTT by so much.
  [[nodiscard]] Nanoseconds depth() const;
  /// Lower end of the share of events at an empty bucket, at 95 %; 0 where the bucket is too small or too often empty
  /// to be conclusive.
  [[nodiscard]] double sureness() const;
};

/// `sent`: when each packet was sent, none left out; `lost`: ascending indices into it. The best over a grid of rates.
/// Nothing without a loss, an RTT or an observed time. Uses the first 65,536 packets.
std::optional<BucketFit> fitBucket(std::span<const Moment> sent, std::span<const std::size_t> lost, Nanoseconds rtt);

}  // namespace tcpscope
