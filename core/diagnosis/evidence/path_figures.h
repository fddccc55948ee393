// Figures of the path that causes, rules and sentences share, from one socket and its span.
#pragma once

#include <optional>

#include "core/diagnosis/evidence/window_statistics.h"

namespace tcpscope {

/// Round-trip times of a span against the shortest that the kernel has seen on this connection.
struct RoundTrip {
  double meanUs = 0.0;
  double smallestUs = 0.0;
  /// How many times the shortest the mean is; 1 with no queue.
  [[nodiscard]] double inflation() const { return meanUs / smallestUs; }
  [[nodiscard]] double queueUs() const { return meanUs - smallestUs; }
};

/// Nothing before the first round-trip time.
std::optional<RoundTrip> roundTrip(const SocketObservation& socket, const WindowStatistics& window);

/// Segments sent again in the span, less those that the peer reported as not needed.
std::uint64_t neededRetransmissions(const WindowStatistics& window);

/// Their share of the data segments sent; nothing where none was sent.
std::optional<double> lossRatio(const WindowStatistics& window);

/// Most of what was sent again was not needed: packets came late, not never.
bool retransmissionsWereSpurious(const WindowStatistics& window);

/// Share of the looks at which the sender was repairing losses, 0…1: also while the peer's window, full behind a hole,
/// holds back what is new.
double repairRatio(const WindowStatistics& window);

/// Packets wait in a queue on the path: the mean round trip is well above the shortest, by more than a host's own
/// delays.
bool pathHasQueue(const RoundTrip& roundTrip);

/// The queue is longer than a path needs to be kept full: packets wait longer in it than they travel, and long enough
/// for people and programs to notice. 1 where it clearly is, 0 where it clearly is not, between them in doubt.
double excessOfQueue(const RoundTrip& roundTrip);

/// The round trip is longer at a loss than it is on average: a queue fills, and overflows. Against the average, because
/// a busy host delays every packet.
bool queueFillsBeforeLoss(const WindowStatistics& window);

/// Rate of the acknowledged (sending) or received bytes over the span; nothing for an empty span.
std::optional<BitsPerSecond> spanRate(std::uint64_t bytes, const WindowStatistics& window);

}  // namespace tcpscope
