#include "core/diagnosis/bounds/transfer_metrics.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

TransferMetrics transferMetrics(const SocketObservation& socket, const WindowStatistics& window) {
  TransferMetrics metrics;
  const auto sent = socket.info.bytesSent();
  const auto again = socket.info.bytesRetrans();
  if (sent && again && sent->value() > 0 && *again <= *sent) {
    const auto whole = static_cast<double>(sent->value());
    metrics.efficiencyRatio = (whole - static_cast<double>(again->value())) / whole;
  }
  const auto trip = roundTrip(socket, window);
  if (trip && trip->smallestUs > 0.0) metrics.bufferDelayRatio = trip->queueUs() / trip->smallestUs;
  return metrics;
}

std::optional<double> transferTimeRatio(BitsPerSecond measured, BitsPerSecond target) {
  if (measured.value() <= 0.0 || target.value() <= 0.0) return std::nullopt;
  return target.value() / measured.value();
}

}  // namespace tcpscope
