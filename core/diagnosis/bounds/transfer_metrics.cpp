#include "core/diagnosis/bounds/transfer_metrics.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

TransferMetrics transferMetrics(const ConnectionEvidence& evidence) {
  TransferMetrics metrics;
  const auto& sent = evidence.totalBytesSent;
  const auto& retransmitted = evidence.totalBytesRetransmitted;
  if (sent && retransmitted && sent->value() > 0 && *retransmitted <= *sent) {
    const auto whole = static_cast<double>(sent->value());
    metrics.efficiencyRatio = (whole - static_cast<double>(retransmitted->value())) / whole;
  }
  const auto trip = rtt(evidence);
  if (trip && trip->smallestUs > 0.0 && !evidence.isLoopback)
    metrics.bufferDelayRatio = trip->queueUs() / trip->smallestUs;
  return metrics;
}

std::optional<double> transferTimeRatio(BitsPerSecond measured, BitsPerSecond target) {
  if (measured.value() <= 0.0 || target.value() <= 0.0) return std::nullopt;
  return target.value() / measured.value();
}

}  // namespace tcpscope
