// Catalogue rows: what follows from one sample, and what follows from two.
#pragma once

#include <algorithm>

#include "core/model/row_readers.h"
#include "core/model/unacked_bytes.h"

namespace tcpscope::metric_rows {

inline std::optional<double> congestionWindowBytes(const MetricSource& source) {
  const auto window = source.socket.info.sndCwnd();
  const auto segment = source.socket.info.sndMss();
  if (!window || !segment) return std::nullopt;
  return baseValue(*window) * baseValue(*segment);
}

/// Unacked segments, without what the peer holds and what is lost, with what was repeated (tcp_packets_in_flight of
/// include/net/tcp.h), by their mean size. A listener's figures mean something else.
inline std::optional<double> inFlightBytes(const MetricSource& source) {
  const TcpInfoSample& info = source.socket.info;
  if (source.socket.state == TcpState::listen) return std::nullopt;
  const auto sacked = info.sacked();
  const auto lost = info.lost();
  const auto retrans = info.retrans();
  const auto bytes = unackedBytes(source.socket);
  if (!sacked || !lost || !retrans || !bytes) return std::nullopt;
  const double unacked = baseValue(*info.unacked());
  if (unacked == 0.0) return 0.0;
  const double left = baseValue(*sacked) + baseValue(*lost);
  return std::max(0.0, unacked - left + baseValue(*retrans)) * baseValue(*bytes) / unacked;
}

/// RFC 6349, section 4.3: buffer delay, (rtt - min_rtt) / min_rtt.
inline std::optional<double> rttInflation(const MetricSource& source) {
  const auto rtt = source.socket.info.rtt();
  const auto smallest = source.socket.info.minRtt();
  if (!rtt || !smallest || rtt->count() == 0 || smallest->count() == 0) return std::nullopt;
  // The smoothed value may lie a little below the smallest sample.
  return std::max(0.0, baseValue(*rtt - *smallest) / baseValue(*smallest));
}

inline std::optional<double> bandwidthDelayProduct(const MetricSource& source) {
  const auto rate = source.socket.info.deliveryRate();
  const auto smallest = source.socket.info.minRtt();
  if (!rate || !smallest || smallest->count() == 0 || rate->isUnlimited() || rate->value() <= 0.0) return std::nullopt;
  return rate->value() / 8.0 * toSeconds(*smallest);
}

inline std::optional<double> retransmittedRatio(const MetricSource& source) {
  const auto repeated = source.socket.info.bytesRetrans();
  const auto sent = source.socket.info.bytesSent();
  if (repeated && sent) {
    if (sent->value() == 0) return std::nullopt;
    return std::min(1.0, *repeated / *sent);
  }
  // Before Linux 4.19 only segments are counted.
  const auto repeatedSegments = source.socket.info.totalRetrans();
  const auto sentSegments = source.socket.info.dataSegsOut();
  if (!repeatedSegments || !sentSegments || sentSegments->value() == 0) return std::nullopt;
  return std::min(1.0, *repeatedSegments / *sentSegments);
}

inline constexpr MetricRow kDerivedRows[] = {
    {Metric::congestionWindowBytes, "congestion_window_bytes", "cwnd (bytes)", bytes, gauge,
     "snd_cwnd × snd_mss: what the congestion control allows in flight. Absent where either is not reported.",
     "Divided by the RTT it is the rate this window allows. Compare with snd_wnd: the smaller one rules.",
     congestionWindowBytes},
    {Metric::inFlightBytes, "in_flight_bytes", "In flight", bytes, gauge,
     "Estimate of the bytes in the network now: unacked segments without those the peer holds or that count as "
     "lost, with those repeated, times their mean size, which is the send queue without notsent_bytes over unacked. "
     "Times snd_mss before Linux 4.6. Absent where one of them is not reported, and on a listener.",
     "Near congestion_window_bytes: congestion control limits. Near snd_wnd: the receiver does. Below both: the "
     "program or the send buffer. Above rate × min_rtt the excess stands in queues.",
     inFlightBytes},
    {Metric::rttInflation, "rtt_inflation_ratio", "RTT inflation", ratio, gauge,
     "(rtt − min_rtt) / min_rtt, the buffer delay of RFC 6349. Absent before the first measurement and before Linux "
     "4.6.",
     "Near 0: no queue. Above 1 packets wait in queues for longer than they travel: a full buffer on the path, most "
     "often the narrowest link's. On paths below a millisecond it also shows plain scheduling.",
     rttInflation},
    {Metric::bandwidthDelayProduct, "bandwidth_delay_product_bytes", "Bandwidth-delay product", bytes, gauge,
     "delivery_rate × min_rtt: what must be in flight to keep up the present rate. Absent before the first measurement "
     "of either.",
     "Windows and half of the buffers must exceed it. As delivery_rate can be held down by the program, the path's own "
     "product can be larger.",
     bandwidthDelayProduct},
    {Metric::retransmittedRatio, "retransmitted_ratio", "Retransmitted share", ratio, gauge,
     "Share of all bytes sent since the opening that were repeats; of segments before Linux 4.19. Absent where nothing "
     "was sent.",
     "Below 0.001 is healthy. A mean over the whole life: a loss of this minute hides in it, see retransmissions per "
     "second.",
     retransmittedRatio},
    {Metric::sendGoodput, "send_goodput_bps", "Send rate", bitsPerSecond, gauge,
     "Data newly acknowledged by the peer, over the time between two samples. Absent with a single sample and before "
     "Linux 4.1.",
     "What the transfer achieves. Compare with the bounds: the lowest that it touches is the limit.",
     overInterval<&IntervalMetrics::sendGoodput>},
    {Metric::receiveGoodput, "receive_goodput_bps", "Receive rate", bitsPerSecond, gauge,
     "Data newly received in order, over the time between two samples. Absent with a single sample and before Linux "
     "4.1.",
     "What the download achieves. Compare with rcv_wnd / RTT.", overInterval<&IntervalMetrics::receiveGoodput>},
    {Metric::retransmissionsPerSecond, "retransmissions_per_s", "Retransmissions per second", perSecond, gauge,
     "Growth of total_retrans over the time between two samples. Absent with a single sample.",
     "Single peaks at the start are slow start's overshoot. Steady: loss on the path. Compare with the segments sent "
     "in the same time.",
     overInterval<&IntervalMetrics::retransmissionsPerSecond>},
    {Metric::busyShare, "busy_ratio", "Busy share", ratio, gauge,
     "Growth of busy_time over the time between two samples. Contains the two shares below. Absent with a single "
     "sample and before Linux 4.10.",
     "What is missing to 1 is the program's silence. What remains of it after the two shares below is the network's, "
     "pacing's, recovery's, or a program that writes little by little.",
     overInterval<&IntervalMetrics::busyRatio>},
    {Metric::receiverLimitedShare, "rwnd_limited_ratio", "Share limited by the peer's receive window", ratio, gauge,
     "Growth of rwnd_limited over the time between two samples. Absent with a single sample and before Linux 4.10.",
     "Above one half the peer's receive window is the main limit.",
     overInterval<&IntervalMetrics::receiverLimitedRatio>},
    {Metric::sendBufferLimitedShare, "sndbuf_limited_ratio", "Share limited by the send buffer", ratio, gauge,
     "Growth of sndbuf_limited over the time between two samples. Absent with a single sample and before Linux 4.10.",
     "Above one half this host's send buffer is the main limit.",
     overInterval<&IntervalMetrics::sendBufferLimitedRatio>},
};

}  // namespace tcpscope::metric_rows
