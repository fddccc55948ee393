#include "core/model/interval_metrics.h"

#include "core/model/chronograph.h"

namespace tcpscope {

namespace {

// Always inline and into its place, as the fields of TcpInfoSample are read.
[[gnu::always_inline]] inline void setRate(std::optional<BitsPerSecond>& rate, const std::optional<Bytes>& before,
                                           const std::optional<Bytes>& now, Nanoseconds span) {
  if (const auto grown = counterDelta(before, now, 64)) rate.emplace(BitsPerSecond::from(Bytes(*grown), span));
}

[[gnu::always_inline]] inline void setShare(std::optional<double>& share, const std::optional<Microseconds>& before,
                                            const std::optional<Microseconds>& now, Nanoseconds span) {
  if (const auto part = chronographDelta(before, now, span)) share.emplace(toSeconds(*part) / toSeconds(span));
}

}  // namespace

IntervalMetrics intervalMetrics(const TcpInfoSample& was, const TcpInfoSample& is, Nanoseconds span) {
  IntervalMetrics metrics;
  if (span <= Nanoseconds::zero()) return metrics;
  setRate(metrics.sendGoodput, was.bytesAcked(), is.bytesAcked(), span);
  setRate(metrics.receiveGoodput, was.bytesReceived(), is.bytesReceived(), span);
  if (const auto retransmitted = counterDelta(was.totalRetrans(), is.totalRetrans(), 32)) {
    metrics.retransmissionsPerSecond.emplace(static_cast<double>(*retransmitted) / toSeconds(span));
  }
  setShare(metrics.busyRatio, was.busyTime(), is.busyTime(), span);
  setShare(metrics.receiverLimitedRatio, was.rwndLimited(), is.rwndLimited(), span);
  setShare(metrics.sendBufferLimitedRatio, was.sndbufLimited(), is.sndbufLimited(), span);
  return metrics;
}

}  // namespace tcpscope
