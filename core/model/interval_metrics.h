// What follows from two looks at the same socket: rates and shares over the time between them.
//
// Counters only grow, but 32-bit ones wrap, a new incarnation starts again, and chronographs step back by a jiffy: see
// counterDelta. A rate is not known where the counter is not reported or no time passed.
#pragma once

#include <optional>

#include "core/base/units.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// Growth of a counter of `bits` width: exact over one wrap. A step back of less than half of the range that is no
/// plausible wrap (growth of over a quarter of the range) is a reset or a read without lock, and gives nothing. Always
/// inline as the fields of TcpInfoSample are.
[[gnu::always_inline]] inline std::optional<std::uint64_t> counterDelta(std::uint64_t before, std::uint64_t now,
                                                                        unsigned bits) {
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t grown = (now - before) & mask;
  if (now >= before || grown <= mask / 4) return grown;
  return std::nullopt;
}

/// The same of a quantity; nothing where one of the samples does not report it.
template <class Quantity>
[[gnu::always_inline]] inline std::optional<std::uint64_t> counterDelta(const std::optional<Quantity>& before,
                                                                        const std::optional<Quantity>& now,
                                                                        unsigned bits) {
  if (!before || !now) return std::nullopt;
  return counterDelta(before->value(), now->value(), bits);
}

struct IntervalMetrics {
  /// Bytes newly acknowledged by the peer, over time.
  std::optional<BitsPerSecond> sendGoodput;
  /// Bytes newly received in order, over time.
  std::optional<BitsPerSecond> receiveGoodput;
  std::optional<double> retransmissionsPerSecond;
  std::optional<double> busyRatio;
  std::optional<double> receiverLimitedRatio;
  std::optional<double> sendBufferLimitedRatio;
};

IntervalMetrics intervalMetrics(const TcpInfoSample& was, const TcpInfoSample& is, Nanoseconds span);
inline IntervalMetrics intervalMetrics(const SocketObservation& before, const SocketObservation& now) {
  return intervalMetrics(before.info, now.info, now.takenAt - before.takenAt);
}

}  // namespace tcpscope
