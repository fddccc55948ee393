// Catalogue rows: queues, kernel memory of the socket, and BBR's own figures.
#pragma once

#include "core/model/row_readers.h"

namespace tcpscope::metric_rows {

/// INET_DIAG_TCLASS for what goes out as IPv6, INET_DIAG_TOS for IPv4, IPv4-mapped addresses included.
inline std::optional<double> trafficClassOf(const MetricSource& source) {
  constexpr std::size_t kTos = 5;
  constexpr std::size_t kTclass = 6;
  const bool isV6 = source.socket.remote.address.unmapped().family() == AddressFamily::ipv6;
  const auto reported = source.socket.byteAttributes.get(isV6 ? kTclass : kTos);
  return reported ? std::optional<double>(*reported) : std::nullopt;
}

/// What has no TCP_INFO, as TIME-WAIT, or a connection that only packets show, has no queues that are known.
template <auto kMember>
std::optional<double> queue(const MetricSource& source) {
  if (source.socket.info.empty()) return std::nullopt;
  return baseValue(source.socket.*kMember);
}

inline constexpr MetricRow kSocketMemoryRows[] = {
    {Metric::receiveQueue, "receive_queue_bytes", "Receive queue", bytes, gauge,
     "Bytes received in order that the program has not read yet (Recv-Q of ss). On a listener: connections waiting to "
     "be accepted. Absent without TCP_INFO, as in TIME-WAIT.",
     "Near 0: the program keeps up. Large and steady: it reads slowly and its unread data closes the window. On a "
     "listener, near the allowed length: the program accepts too slowly.",
     queue<&SocketObservation::receiveQueue>},
    {Metric::sendQueue, "send_queue_bytes", "Send queue", bytes, gauge,
     "Bytes written and not yet acknowledged, sent or not (Send-Q of ss). On a listener: the longest accept queue "
     "allowed. Absent without TCP_INFO, as in TIME-WAIT.",
     "Large with a low rate: the path or the peer is the limit. Near 0 during a transfer: the program writes too "
     "slowly. notsent_bytes is its unsent part.",
     queue<&SocketObservation::sendQueue>},
    {Metric::memoryReceiveAllocated, "rmem_alloc_bytes", "Receive memory used", bytes, gauge,
     "Kernel memory held by received packets, bookkeeping included. Absent where the kernel sent no memory figures.",
     "Near rcvbuf the socket takes no more and starts to drop or to shrink its window. About twice the bytes in the "
     "queue is normal.",
     memory<&SocketMemory::receiveAllocated>},
    {Metric::memoryReceiveBuffer, "rcvbuf_bytes", "Receive buffer", bytes, gauge,
     "Limit of the receive memory. Auto-tuning raises it up to the third value of tcp_rmem, unless the program set "
     "SO_RCVBUF. Absent where the kernel sent no memory figures.",
     "About half of it is usable window. It must hold twice rate × RTT to fill a path.",
     memory<&SocketMemory::receiveBuffer>},
    {Metric::memorySendAllocated, "wmem_alloc_bytes", "Send memory in the device", bytes, gauge,
     "Kernel memory of packets handed to the network device and not yet freed. Absent where the kernel sent no memory "
     "figures.",
     "Large: the packets wait in this host's own queueing discipline or driver.", memory<&SocketMemory::sendAllocated>},
    {Metric::memorySendBuffer, "sndbuf_bytes", "Send buffer", bytes, gauge,
     "Limit of the send memory. It grows with the congestion window up to the third value of tcp_wmem, unless the "
     "program set SO_SNDBUF. Absent where the kernel sent no memory figures.",
     "About half of it is payload. Smaller than twice rate × RTT it caps the transfer: see "
     "sndbuf_limited.",
     memory<&SocketMemory::sendBuffer>},
    {Metric::memoryForwardAllocated, "fwd_alloc_bytes", "Memory in reserve", bytes, gauge,
     "Kernel memory charged to the socket and not used yet. Absent where the kernel sent no memory figures.",
     "Only of interest when the sum over all sockets comes near tcp_mem.", memory<&SocketMemory::forwardAllocated>},
    {Metric::memorySendQueued, "wmem_queued_bytes", "Send memory used", bytes, gauge,
     "Kernel memory of everything written and not yet acknowledged, bookkeeping included. Absent where the kernel sent "
     "no memory figures.",
     "At sndbuf the program's next write waits.", memory<&SocketMemory::sendQueued>},
    {Metric::memoryOptions, "optmem_bytes", "Option memory", bytes, gauge,
     "Kernel memory for socket options and filters. Absent where the kernel sent no memory figures.",
     "Small and of no meaning for the rate.", memory<&SocketMemory::optionMemory>},
    {Metric::memoryBacklog, "backlog_bytes", "Backlog", bytes, gauge,
     "Memory of packets that wait because the socket is being worked on by the program at this moment. Absent where "
     "the kernel sent no memory figures.",
     "Short peaks are normal; always above 0 the processor that serves the socket is overloaded.",
     memory<&SocketMemory::backlog>},
    {Metric::memoryDrops, "drops", "Dropped at the socket", none, counter,
     "Packets this socket dropped, for lack of memory or because they were invalid at this point. Not reported before "
     "Linux "
     "4.7.",
     "Growing with rmem_alloc near rcvbuf: the receive buffer overflows, which the sender sees as loss of the path.",
     memory<&SocketMemory::drops>},
    {Metric::trafficClass, "traffic_class", "Traffic class", none, gauge,
     "The byte that this host sets in the IP header of the packets it sends: TOS (IPv4) or traffic class (IPv6), "
     "DSCP in its upper six bits, ECN in its lower two. The peer sets its own. Absent where the kernel did not report "
     "it.",
     "Divide by 4 for the DSCP: 46 is expedited forwarding, 8 is CS1 for background traffic, 0 is best effort. A class "
     "that the network polices or queues separately explains a rate or RTT that other connections do not have.",
     trafficClassOf},
    {Metric::bbrBandwidth, "bbr_bw_bps", "BBR bandwidth", bitsPerSecond, gauge,
     "Bandwidth of the bottleneck as BBR estimates it: the highest delivery rate of the last RTTs. Absent for "
     "other congestion controls.",
     "Times the pacing gain it is the rate BBR sends at. Loss formulas say nothing about a BBR connection: this does.",
     bbr<&BbrInfo::bandwidth>},
    {Metric::bbrMinRtt, "bbr_min_rtt_us", "BBR minimum RTT", microseconds, gauge,
     "Minimum RTT of the last ten seconds or so, as BBR keeps it. Absent for other congestion controls.",
     "Every ten seconds BBR empties the path for a moment to renew it: a short dip of the rate then is no fault.",
     bbr<&BbrInfo::minRtt>},
    {Metric::bbrPacingGain, "bbr_pacing_gain_ratio", "BBR pacing gain", ratio, gauge,
     "Factor on the estimated bandwidth at which BBR sends at this moment; 1 is steady. Absent for other congestion "
     "controls.",
     "1.25 probes for more, 0.75 drains what the probe queued, 2.89 is the start.", bbr<&BbrInfo::pacingGainRatio>},
    {Metric::bbrCongestionWindowGain, "bbr_cwnd_gain_ratio", "BBR window gain", ratio, gauge,
     "Factor on bandwidth × RTT that BBR allows in flight. Absent for other congestion controls.",
     "2 is usual: room for delayed acknowledgments.", bbr<&BbrInfo::congestionWindowGainRatio>},
};

}  // namespace tcpscope::metric_rows
