// Catalogue rows: pacing, bytes, segments, delivery and the chronographs (tcp_info bytes 104 to 215).
#pragma once

#include "core/model/row_readers.h"

namespace tcpscope::metric_rows {

inline constexpr MetricRow kTrafficRows[] = {
    {Metric::pacingRate, "pacing_rate_bps", "Pacing rate", bitsPerSecond, gauge,
     "Rate at which the sender spaces its segments; unlimited where it does not space them. Not reported before Linux "
     "3.15.",
     "For loss-based control twice (slow start) or 1.2 times the window per round-trip time, so it rarely limits. For "
     "BBR it is the control itself. At max_pacing_rate the program's own limit holds.",
     info<&TcpInfoSample::pacingRate>},
    {Metric::maxPacingRate, "max_pacing_rate_bps", "Pacing limit (SO_MAX_PACING_RATE)", bitsPerSecond, gauge,
     "Limit that the program set with SO_MAX_PACING_RATE; unlimited where it set none. Not reported before Linux 3.15.",
     "Any number here is a deliberate cap: no tuning of buffers lifts the rate above it.",
     info<&TcpInfoSample::maxPacingRate>},
    {Metric::bytesAcked, "bytes_acked", "Bytes acknowledged", bytes, counter,
     "Bytes of data the peer has acknowledged since the opening (the SYN counts as one). Not reported before Linux "
     "4.1.",
     "Its growth over time is the goodput of the sending side, the figure to trust for throughput. bytes_sent minus "
     "bytes_retrans minus this is in flight.",
     info<&TcpInfoSample::bytesAcked>},
    {Metric::bytesReceived, "bytes_received", "Bytes received", bytes, counter,
     "Bytes of data received in order since the opening. Not reported before Linux 4.1.",
     "Its growth over time is the goodput of the receiving side. Whether the program has read them shows in the "
     "receive queue.",
     info<&TcpInfoSample::bytesReceived>},
    {Metric::segsOut, "segs_out", "Segments sent", segments, counter,
     "All segments sent: data, pure acknowledgments, retransmissions. Not reported before Linux 4.2.",
     "Compare with data_segs_out: the difference are pure acknowledgments and control segments.",
     info<&TcpInfoSample::segsOut>},
    {Metric::segsIn, "segs_in", "Segments received", segments, counter,
     "All segments received, pure acknowledgments included. Not reported before Linux 4.2.",
     "During an upload about one for every two segments sent. Much less: acknowledgments are lost or merged on the "
     "way.",
     info<&TcpInfoSample::segsIn>},
    {Metric::notsentBytes, "notsent_bytes", "Written, not yet sent", bytes, gauge,
     "Bytes the program has handed to the kernel that were never sent so far. Not reported before Linux 4.6.",
     "0 during a transfer: the program does not keep up, it is the limit. Always large: the program keeps the queue "
     "full and the network, the peer's receive window or pacing is the limit; data waits here before it even starts.",
     info<&TcpInfoSample::notsentBytes>},
    {Metric::minRtt, "min_rtt_us", "Minimum RTT", microseconds, gauge,
     "Smallest round-trip time over the last minutes (tcp_min_rtt_wlen, 300 s): nearly the path without queues. "
     "Absent before the first measurement and before Linux 4.6.",
     "rtt − min_rtt is the queueing delay. Rate × this is the amount that must be in flight to fill the path.",
     info<&TcpInfoSample::minRtt>},
    {Metric::dataSegsIn, "data_segs_in", "Data segments received", segments, counter,
     "Segments with data received, repeated ones included. Not reported before Linux 4.6.",
     "Compare its growth with rcv_ooopack for the share that came out of order.", info<&TcpInfoSample::dataSegsIn>},
    {Metric::dataSegsOut, "data_segs_out", "Data segments sent", segments, counter,
     "Segments with data sent, retransmissions included. Not reported before Linux 4.6.",
     "The base for the retransmitted share: growth of total_retrans over growth of this.",
     info<&TcpInfoSample::dataSegsOut>},
    {Metric::deliveryRate, "delivery_rate_bps", "Delivery rate", bitsPerSecond, gauge,
     "Latest measurement of how fast data reached the peer, over about one RTT. While the program offers too "
     "little, a new measurement replaces an old one only if it is higher. Absent before the first one and before Linux "
     "4.9.",
     "Not the bandwidth of the path. With delivery_rate_app_limited set it is a lower bound and may be old. For what "
     "the transfer really achieves take the send goodput.",
     info<&TcpInfoSample::deliveryRate>},
    {Metric::busyTime, "busy_time_us", "Time busy", microseconds, counter,
     "Time with data waiting or unacknowledged since the opening; contains rwnd_limited and sndbuf_limited. Ticks in "
     "jiffies (1 to 10 ms). Not reported before Linux 4.10.",
     "Grows as fast as the clock: the connection always had something to do, though a program that writes little by "
     "little also keeps it busy. Grows slower: the rest was the program's silence.",
     info<&TcpInfoSample::busyTime>},
    {Metric::rwndLimited, "rwnd_limited_us", "Time limited by the peer's receive window", microseconds, counter,
     "Part of busy_time in which data was ready and the peer's advertised window forbade to send it. A record of the "
     "sender alone: it says nothing about data that this end receives. Not reported before Linux 4.10.",
     "Its share of the elapsed time says how much the receiver holds the transfer back. Then compare snd_wnd with "
     "rate × RTT, and ask whether the peer's program reads in time.",
     info<&TcpInfoSample::rwndLimited>},
    {Metric::sndbufLimited, "sndbuf_limited_us", "Time limited by the send buffer", microseconds, counter,
     "Part of busy_time in which the window had room, everything written was sent, and the program waited for space in "
     "the send buffer. Not reported before Linux 4.10.",
     "Above a few percent of the elapsed time the send buffer is too small for rate × RTT. Compare with "
     "sndbuf; a program that set SO_SNDBUF switched its growth off.",
     info<&TcpInfoSample::sndbufLimited>},
    {Metric::delivered, "delivered_segments", "Segments delivered", segments, counter,
     "Data segments that reached the peer, also those beyond a hole. Not reported before Linux 4.18.",
     "data_segs_out minus this: still in flight, or lost. The base for the share of ECN marks (delivered_ce).",
     info<&TcpInfoSample::delivered>},
    {Metric::deliveredCe, "delivered_ce_segments", "Delivered with an ECN mark", segments, counter,
     "Delivered segments whose arrival the peer reported as marked by a congested router. Stays 0 where ECN was not "
     "negotiated. Not reported before Linux 4.18.",
     "Its growth over that of delivered is the share of marks. Growing without retransmissions: a queue on the path "
     "slows the sender before it must drop, which is how it should be.",
     info<&TcpInfoSample::deliveredCe>},
    {Metric::bytesSent, "bytes_sent", "Bytes sent", bytes, counter,
     "Bytes of data sent, retransmissions included. Not reported before Linux 4.19.",
     "The base for the retransmitted share of bytes. (bytes_sent − bytes_retrans) / bytes_sent is the efficiency of "
     "RFC 6349.",
     info<&TcpInfoSample::bytesSent>},
    {Metric::bytesRetrans, "bytes_retrans", "Bytes retransmitted", bytes, counter,
     "Bytes of data retransmitted. Not reported before Linux 4.19.",
     "Compare its growth with that of bytes_sent. Some repeats are needless: see dsack_dups.",
     info<&TcpInfoSample::bytesRetrans>},
};

}  // namespace tcpscope::metric_rows
