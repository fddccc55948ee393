#include "core/bounds/transfer_metrics.h"

#include "core/diagnosis/path_figures.h"

namespace tcpscope {

double transferTimeRatio(double actualSeconds, double idealSeconds) {
  return actualSeconds / idealSeconds;
}

std::optional<double> efficiencyRatio(const TcpInfoSample& info) {
  const auto sent = info.bytesSent();
  const auto again = info.bytesRetrans();
  if (!sent || !again || sent->value() == 0 || *again > *sent) return std::nullopt;
  return (*sent - *again) / *sent;
}

std::optional<double> bufferDelayRatio(const SocketObservation& socket, const WindowStatistics& window) {
  const auto trip = roundTrip(socket, window);
  if (!trip || trip->smallestUs <= 0.0) return std::nullopt;
  return trip->queueUs() / trip->smallestUs;
}

}  // namespace tcpscope
