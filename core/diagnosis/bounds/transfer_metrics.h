// The metrics by which RFC 6349 judges a transfer, from what the kernel counts, of the sending side. Nothing where it
// does not count.
//
// The RFC measures with test traffic; here the connection itself is looked at, so that a program that pauses shows in
// the transfer time.
#pragma once

#include <optional>

#include "core/diagnosis/evidence/diagnosis_input.h"

namespace tcpscope {

struct TransferMetrics {
  /// Section 4.2: share of the bytes sent that were not sent again, since the connection began, 0…1.
  std::optional<double> efficiencyRatio;
  /// Section 4.3: by how much the mean round trip of the span exceeds the shortest one, as a share of that.
  std::optional<double> bufferDelayRatio;

  [[nodiscard]] bool empty() const { return !efficiencyRatio && !bufferDelayRatio; }
  bool operator==(const TransferMetrics&) const = default;
};

TransferMetrics transferMetrics(const SocketObservation& socket, const WindowStatistics& window);

/// Section 4.1: time taken over the time that the data takes at the rate aimed at. Nothing where a rate is zero.
std::optional<double> transferTimeRatio(BitsPerSecond measured, BitsPerSecond target);

}  // namespace tcpscope
