#include "core/model/interval_metrics.h"

#include "core/model/chronograph.h"

namespace tcpscope {

namespace {

template <class Quantity>
std::optional<std::uint64_t> raw(const std::optional<Quantity>& quantity) {
  return quantity ? std::optional<std::uint64_t>(quantity->value()) : std::nullopt;
}

std::optional<BitsPerSecond> goodput(const std::optional<Bytes>& before, const std::optional<Bytes>& now,
                                     Nanoseconds span) {
  const auto grown = counterDelta(raw(before), raw(now), 64);
  if (!grown) return std::nullopt;
  return BitsPerSecond::from(Bytes(*grown), span);
}

std::optional<double> share(const std::optional<Microseconds>& before, const std::optional<Microseconds>& now,
                            Nanoseconds span) {
  const auto part = chronographDelta(before, now, span);
  if (!part) return std::nullopt;
  return toSeconds(*part) / toSeconds(span);
}

}  // namespace

IntervalMetrics intervalMetrics(const SocketObservation& before, const SocketObservation& now) {
  const Nanoseconds span = now.takenAt - before.takenAt;
  if (span <= Nanoseconds::zero()) return {};
  const TcpInfoSample& was = before.info;
  const TcpInfoSample& is = now.info;
  IntervalMetrics metrics;
  metrics.sendGoodput = goodput(was.bytesAcked(), is.bytesAcked(), span);
  metrics.receiveGoodput = goodput(was.bytesReceived(), is.bytesReceived(), span);
  if (const auto retransmitted = counterDelta(raw(was.totalRetrans()), raw(is.totalRetrans()), 32)) {
    metrics.retransmissionsPerSecond = static_cast<double>(*retransmitted) / toSeconds(span);
  }
  metrics.busyRatio = share(was.busyTime(), is.busyTime(), span);
  metrics.receiverLimitedRatio = share(was.rwndLimited(), is.rwndLimited(), span);
  metrics.sendBufferLimitedRatio = share(was.sndbufLimited(), is.sndbufLimited(), span);
  return metrics;
}

}  // namespace tcpscope
