// The rate of the narrowest link of a path, from how far it spreads packets that were sent close together.
//
// What leaves a link that is busy leaves at that link's rate, so that the most frequent rate at which trains of packets
// arrive is the link's, where the sender's own spacing does not explain it: packet dispersion (Dovrolis, Ramanathan,
// Moore: "What Do Packet Dispersion Techniques Measure?", 2001) in the packets of a transfer that goes on anyway, as in
// multiQ (Katti, Katabi, Blake, Kohler, Strauss, 2004). Short trains show the rate even between packets of others, long
// ones where adapters and schedulers pass several packets at a time: the length whose rates agree best is taken.
#pragma once

#include <optional>
#include <span>

#include "core/base/units.h"
#include "core/wire/capacity/arrival_log.h"

namespace tcpscope {

/// Payload of TCP a second, as goodput is: headers are not part of it.
struct CapacityEstimate {
  BitsPerSecond rate;
  /// The truth lies between them in nine of ten cases.
  BitsPerSecond low;
  BitsPerSecond high;
  /// Unless acknowledgments made the sender send, it may have sent in the spacing that was found.
  bool mayBeSendersPace = false;
};

/// From the acknowledgments of what was sent close together, as a capture at the sender shows both. Nothing where the
/// path spread no packets.
std::optional<CapacityEstimate> capacityFromAcknowledgments(std::span<const Arrival> acknowledgments);

/// From data as it arrives at the receiver, where nothing shows how it was sent: only rates above that of the whole are
/// the path's. Nothing where no rate stands out, and where the data comes at an even rate.
std::optional<CapacityEstimate> capacityFromData(std::span<const Arrival> data);

}  // namespace tcpscope
