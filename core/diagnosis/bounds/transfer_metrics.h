// The metrics by which RFC 6349 judges a transfer, from what the kernel counts, of the sending side. Nothing where it
// does not count.
//
// The RFC measures with test traffic; here the connection itself is measured, so that an application that pauses shows
// in the transfer time.
#pragma once

#include <optional>

#include "core/diagnosis/evidence/kernel_evidence.h"

namespace tcpscope {

struct TransferMetrics {
  /// Section 4.2: share of the bytes sent that were not retransmissions, since the connection was opened, 0…1.
  std::optional<double> efficiencyRatio;
  /// Section 4.3: by how much the mean RTT of the span exceeds the minimum RTT, as a share of that.
  std::optional<double> bufferDelayRatio;

  [[nodiscard]] bool empty() const { return !efficiencyRatio && !bufferDelayRatio; }
  bool operator==(const TransferMetrics&) const = default;
};

TransferMetrics transferMetrics(const ConnectionEvidence& sending);
/// Of the data that this end sends.
inline TransferMetrics transferMetrics(const SocketObservation& socket, const WindowStatistics& window) {
  return transferMetrics(kernelEvidence(socket, window, Side::sending));
}

/// Section 4.1: time taken over the time that the data takes at the rate aimed at. Nothing where a rate is zero.
std::optional<double> transferTimeRatio(BitsPerSecond measured, BitsPerSecond target);

}  // namespace tcpscope
