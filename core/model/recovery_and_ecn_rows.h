// Catalogue rows: reordering, advertised windows, timeouts and accurate ECN (tcp_info bytes 216 to 279).
#pragma once

#include "core/model/row_readers.h"

namespace tcpscope::metric_rows {

inline constexpr MetricRow kRecoveryAndEcnRows[] = {
    {Metric::dsackDups, "dsack_dups", "Needless retransmissions", none, counter,
     "Duplicates the peer reported (DSACK): segments that were repeated although the first copy had arrived. Not "
     "reported before Linux 4.19.",
     "Close to total_retrans: the path reorders or delays rather than loses, and the loss rate is smaller than it "
     "looks. Near 0: the retransmissions were real losses.",
     info<&TcpInfoSample::dsackDups>},
    {Metric::reordSeen, "reord_seen", "Reordering seen", none, counter,
     "Times the sender noticed that segments had overtaken each other. Not reported before Linux 4.19.",
     "Growing: several paths in parallel, wireless retries, or a change of route. Compare with reordering and "
     "dsack_dups.",
     info<&TcpInfoSample::reordSeen>},
    {Metric::rcvOoopack, "rcv_ooopack", "Received out of order", none, counter,
     "Segments that arrived beyond a hole. Not reported before Linux 5.4.",
     "The receiving side's trace of loss or reordering on the way here: compare its growth with that of "
     "data_segs_in. It cannot distinguish them.",
     info<&TcpInfoSample::rcvOoopack>},
    {Metric::sndWnd, "snd_wnd_bytes", "Peer's receive window (rwnd)", bytes, gauge,
     "Window the peer advertises, scaling applied: how much it is ready to take beyond what it acknowledged. Not "
     "reported before Linux 5.4.",
     "Below rate × RTT it caps the transfer. 0: the peer's program does not read. Steady at one value: "
     "the peer's buffer or its scale is the cap; moving: its program.",
     info<&TcpInfoSample::sndWnd>},
    {Metric::rcvWnd, "rcv_wnd_bytes", "Advertised receive window", bytes, gauge,
     "Window this end advertises, scaling applied. Not reported before Linux 6.2.",
     "The sender cannot exceed this / RTT. Compare with the receive queue: window small and queue full "
     "means that the receiving application reads slowly; small and queue empty, the buffer is too small.",
     info<&TcpInfoSample::rcvWnd>},
    {Metric::rehash, "rehash", "Path changes tried", none, counter,
     "Times the flow's hash was changed to try another of several parallel paths, after timeouts or congestion. Not "
     "reported before Linux 6.2.",
     "Growing: timeouts happen (total_rto), and the kernel looks for a better path.", info<&TcpInfoSample::rehash>},
    {Metric::totalRto, "total_rto", "Timeouts", none, counter,
     "Retransmission timeouts since the opening, the SYN's included. Not reported before Linux 6.7.",
     "Each costs at least the retransmission timeout in silence and shrinks the window to one segment. A few per "
     "minute can cost more than all other losses.",
     info<&TcpInfoSample::totalRto>},
    {Metric::totalRtoRecoveries, "total_rto_recoveries", "Timeout recoveries", none, counter,
     "Episodes of timeouts, however many timeouts each had. Not reported before Linux 6.7.",
     "total_rto above it: single episodes had several consecutive timeouts, so even the retransmissions were lost.",
     info<&TcpInfoSample::totalRtoRecoveries>},
    {Metric::totalRtoTime, "total_rto_time_us", "Time in timeout recovery", microseconds, counter,
     "Time spent from a timeout to the end of its recovery, the running one included. Not reported before Linux 6.7.",
     "Its share of the elapsed time is what timeouts cost.", info<&TcpInfoSample::totalRtoTime>},
    {Metric::receivedCe, "received_ce_segments", "Received with an ECN mark", segments, counter,
     "Segments that arrived here with a congestion mark. Not reported before Linux 6.18.",
     "Growing: a router on the way to this host has a queue that marks. It is the sender's task to slow down.",
     info<&TcpInfoSample::receivedCe>},
    {Metric::deliveredE1Bytes, "delivered_e1_bytes", "Delivered as ECT(1)", bytes, counter,
     "Accurate ECN: bytes that the peer reports as arrived with the code point ECT(1). Counts only where both ends "
     "negotiated AccECN. Not reported before Linux 6.18.",
     "Traffic sent for low-latency queues (L4S) uses this code point. 0 on other connections.",
     info<&TcpInfoSample::deliveredE1Bytes>},
    {Metric::deliveredE0Bytes, "delivered_e0_bytes", "Delivered as ECT(0)", bytes, counter,
     "Accurate ECN: bytes that the peer reports as arrived with the code point ECT(0). Counts only where both ends "
     "negotiated AccECN. Not reported before Linux 6.18.",
     "Staying at 0 while ECN data is sent: something on the path erases the code point.",
     info<&TcpInfoSample::deliveredE0Bytes>},
    {Metric::deliveredCeBytes, "delivered_ce_bytes", "Delivered with a mark", bytes, counter,
     "Accurate ECN: bytes that the peer reports as arrived with a congestion mark. Counts only where both ends "
     "negotiated AccECN. Not reported before Linux 6.18.",
     "Over the sum of the three delivered byte counts it is the share of marked bytes.",
     info<&TcpInfoSample::deliveredCeBytes>},
    {Metric::receivedE1Bytes, "received_e1_bytes", "Received as ECT(1)", bytes, counter,
     "Accurate ECN: bytes of data received here with the code point ECT(1). Not reported before Linux 6.18.",
     "The mirror of delivered_e1 at the peer.", info<&TcpInfoSample::receivedE1Bytes>},
    {Metric::receivedE0Bytes, "received_e0_bytes", "Received as ECT(0)", bytes, counter,
     "Accurate ECN: bytes of data received here with the code point ECT(0). Not reported before Linux 6.18.",
     "The mirror of delivered_e0 at the peer.", info<&TcpInfoSample::receivedE0Bytes>},
    {Metric::receivedCeBytes, "received_ce_bytes", "Received with a mark", bytes, counter,
     "Accurate ECN: bytes of data received here with a congestion mark. Not reported before Linux 6.18.",
     "Over the sum of the three received byte counts it is the share of marked bytes on the way here.",
     info<&TcpInfoSample::receivedCeBytes>},
    {Metric::accecnFailMode, "accecn_fail_mode", "AccECN failure", none, gauge,
     "Why accurate ECN was given up on this connection, as the kernel's bits; 0 where nothing failed. The place of "
     "this figure differs between Linux 6.18 and 7.0: not reported where the release is not known.",
     "Not 0: a device on the path changes ECN bits or drops the option.", accecn<&AccecnFields::failMode>},
    {Metric::accecnOptionsSeen, "accecn_opt_seen", "AccECN option seen", none, gauge,
     "Whether the peer's accurate-ECN option arrived, as the kernel's code. The place of this figure differs between "
     "Linux 6.18 and 7.0: not reported where the release is not known.",
     "0 although both ends negotiated AccECN: the option is removed on the way, and the byte counts stay empty.",
     accecn<&AccecnFields::optionsSeen>},
};

}  // namespace tcpscope::metric_rows
