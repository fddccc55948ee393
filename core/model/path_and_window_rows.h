// Catalogue rows: ages, path, RTTs and windows (tcp_info bytes 44 to 103).
#pragma once

#include "core/model/row_readers.h"

namespace tcpscope::metric_rows {

inline constexpr MetricRow kPathAndWindowRows[] = {
    {Metric::lastDataSent, "last_data_sent_us", "Time since last send", microseconds, age,
     "Time since this end last sent data. Counted from the opening where it never sent any.",
     "Long beside a non-empty send queue the sender is stuck: look at snd_wnd, retransmits and probes. Long with an "
     "empty queue the program is simply silent.",
     info<&TcpInfoSample::lastDataSent>},
    {Metric::lastAckSent, "last_ack_sent_us", "Time since last ACK sent (unused)", microseconds, age,
     "The kernel does not keep it: always 0.", "Nothing to read.", info<&TcpInfoSample::lastAckSent>},
    {Metric::lastDataRecv, "last_data_recv_us", "Time since last receive", microseconds, age,
     "Time since data last arrived. Counted from the opening where none ever did.",
     "Long during a download: the other end or the path stopped. Compare with last_ack_recv: if that is short, the "
     "peer lives and has nothing to send.",
     info<&TcpInfoSample::lastDataRecv>},
    {Metric::lastAckRecv, "last_ack_recv_us", "Time since last ACK received", microseconds, age,
     "Time since the peer last acknowledged anything, data or keep-alive.",
     "Longer than rto while segments are in flight, the path or the peer is silent and a timeout is due.",
     info<&TcpInfoSample::lastAckRecv>},
    {Metric::pmtu, "pmtu_bytes", "Path MTU", bytes, gauge, "Largest IP packet the kernel believes the path to carry.",
     "1500 on Ethernet, 65,536 on loopback. Below 1500 a tunnel or path MTU discovery lowered it. A connection that "
     "opens and then hangs on the first large transfer, with 1500 here, suggests a path that drops large packets "
     "silently.",
     info<&TcpInfoSample::pmtu>},
    {Metric::rcvSsthresh, "rcv_ssthresh_bytes", "Receive window ceiling", bytes, gauge,
     "Largest window this end is ready to advertise at the moment; it grows while packets carry enough data for their "
     "memory and is cut when memory is short.",
     "Smaller than what the receive buffer would allow: the window has not grown yet, or memory pressure cut it. "
     "Compare with rcv_wnd and rate × RTT.",
     info<&TcpInfoSample::rcvSsthresh>},
    {Metric::rtt, "rtt_us", "RTT", microseconds, gauge,
     "Smoothed round-trip time as the sender measures it, from sending a segment to its acknowledgment: path, queues "
     "and the peer's delay in acknowledging. Absent before the first measurement.",
     "Compare with min_rtt: the difference is waiting in queues. The rate cannot exceed window / RTT, so "
     "a doubled value halves what a fixed window carries.",
     info<&TcpInfoSample::rtt>},
    {Metric::rttvar, "rttvar_us", "RTT variation", microseconds, gauge,
     "Smoothed mean deviation of the RTT. Starts at half of the first measurement.",
     "Small against rtt on a steady path. Near or above half of rtt: wireless links, changing queues, or a peer that "
     "delays its acknowledgments. It widens the retransmission timeout.",
     info<&TcpInfoSample::rttvar>},
    {Metric::sndSsthresh, "snd_ssthresh_segments", "Slow-start threshold", segments, gauge,
     "Congestion window at which fast growth ends. Absent while it is infinite, that is, until the first sign of "
     "congestion.",
     "snd_cwnd below it: slow start, the window doubles each RTT. A small value at the start of a new "
     "connection comes from what the kernel remembers of the destination (ip tcp_metrics).",
     info<&TcpInfoSample::sndSsthresh>},
    {Metric::sndCwnd, "snd_cwnd_segments", "Congestion window", segments, gauge,
     "Segments the sender's congestion control allows in flight.",
     "Compare with unacked: used up, the network side (or its memory of loss) is the limit. Compare its bytes with "
     "rate × RTT; a saw-tooth shows regular loss, a flat line a limit elsewhere.",
     info<&TcpInfoSample::sndCwnd>},
    {Metric::advmss, "advmss_bytes", "Advertised MSS", bytes, gauge,
     "Largest segment this end offered to receive in its SYN.",
     "1460 for IPv4 and 1440 for IPv6 on Ethernet. What the peer really sends is estimated in rcv_mss.",
     info<&TcpInfoSample::advmss>},
    {Metric::reordering, "reordering_segments", "Reordering tolerated", segments, gauge,
     "By how many places segments may overtake each other before the sender takes a hole for a loss. 3 at the start; "
     "it grows when reordering is seen.",
     "Above 3 the path reorders, as with several links in parallel. Compare with reord_seen and dsack_dups.",
     info<&TcpInfoSample::reordering>},
    {Metric::rcvRtt, "rcv_rtt_us", "Receiver-side RTT", microseconds, gauge,
     "Estimate by the receiving side: from timestamps, or from the time one window takes to arrive. Absent before "
     "enough data came.",
     "The clock of receive auto-tuning. For a host that only downloads it is often the better RTT, as its "
     "rtt has few samples; where the sender pauses it includes the pauses.",
     info<&TcpInfoSample::rcvRtt>},
    {Metric::rcvSpace, "rcv_space_bytes", "Read in one RTT", bytes, gauge,
     "Most bytes the program took from the socket within one RTT so far: the target of receive autotuning.",
     "The buffer is allowed to grow to about twice of it. Small beside a fast path, the program reads slowly or the "
     "sender sends little.",
     info<&TcpInfoSample::rcvSpace>},
    {Metric::totalRetrans, "total_retrans_segments", "Retransmitted", segments, counter,
     "Retransmissions since the opening: each attempt counts, so that one lost segment can count several times. "
     "Includes needless ones (dsack_dups).",
     "Compare its growth with that of data_segs_out: above 1 % a loss-based sender is slowed on long paths. Bursts "
     "within one RTT are one congestion signal, however many segments they hold.",
     info<&TcpInfoSample::totalRetrans>},
};

}  // namespace tcpscope::metric_rows
