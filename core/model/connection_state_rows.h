// Catalogue rows: state, options, timers and the scoreboard of segments in flight (tcp_info bytes 0 to 43).
#pragma once

#include "core/model/row_readers.h"

namespace tcpscope::metric_rows {

using Info = TcpInfoSample;

inline constexpr MetricRow kConnectionStateRows[] = {
    {Metric::state, "state", "TCP state", name, gauge,
     "State of the connection as RFC 9293 names it. Not reported only where the kernel sent no TCP_INFO, as for "
     "TIME-WAIT.",
     "Data flows in ESTABLISHED. Many sockets that stay in CLOSE-WAIT mean that a program forgot to close them; many "
     "in SYN-SENT without an answer.",
     info<&Info::state>},
    {Metric::caState, "ca_state", "CA state", name, gauge,
     "State of the sender's loss handling: open (nothing wrong), disorder (duplicate acknowledgments, no verdict "
     "yet), cwr (window being reduced after an ECN mark or local congestion), recovery (fast retransmission running), "
     "loss (a retransmission timeout fired).",
     "A single sample means little, the share of time in a state much: a connection often in recovery is limited by "
     "loss, one "
     "often in loss stands still while its timer runs. Compare with lost and total_rto.",
     info<&Info::caState>},
    {Metric::retransmits, "retransmits", "Consecutive RTOs", none, gauge,
     "Consecutive retransmission timeouts that no acknowledgment has answered yet. It is not a total and goes back to "
     "0 "
     "with the next acknowledgment; totals are in total_retrans and total_rto.",
     "0 in good health. From 2 on the path or the peer is gone for the moment; at tcp_retries2 (15 by default) the "
     "kernel gives the connection up.",
     info<&Info::retransmits>},
    {Metric::probes, "probes", "Unanswered probes", none, gauge,
     "Zero-window or keep-alive probes sent and not answered yet.",
     "Above 0 with snd_wnd at 0 the peer's program does not read; above 0 on an idle connection keep-alives go "
     "unanswered and the peer may be gone.",
     info<&Info::probes>},
    {Metric::backoff, "backoff", "RTO backoff", none, gauge,
     "How often the retransmission or probe timer was doubled since the last answer. Probes raise it as well as "
     "timeouts do.",
     "The wait grows by 2 to the power of this number: at 5 the sender waits 32 times its usual timeout before the "
     "next attempt. Compare with retransmits and probes to see which timer it is.",
     info<&Info::backoff>},
    {Metric::options, "options", "Negotiated options", none, gauge,
     "Options in use, as bits: 1 timestamps, 2 SACK, 4 window scaling, 8 ECN, 16 ECN marks were seen, 32 data came "
     "with the SYN, 64 timestamps in microseconds, 128 accepted through Fast Open.",
     "A healthy connection of today has the bits 1, 2 and 4. Without scaling no window exceeds 64 KiB; without SACK "
     "each burst of losses costs many RTTs. An old peer or a firewall that rewrites options disables it.",
     info<&Info::options>},
    {Metric::sndWscale, "snd_wscale", "Window scale of the peer", none, gauge,
     "Shift that the peer announced for its window: 65,535 shifted left by it is the largest window the peer can ever "
     "advertise here. 0 also where scaling was not negotiated (see options).",
     "Fixed when the connection was opened, so a larger buffer cannot lift it: only a new connection can. Compare "
     "65,535 · 2^shift with rate × RTT.",
     info<&Info::sndWscale>},
    {Metric::rcvWscale, "rcv_wscale", "Receive window scale", none, gauge,
     "Shift that this end announced for its window, chosen at opening from the largest receive buffer allowed then. 0 "
     "also where scaling was not negotiated (see options).",
     "7 belongs to the default limit of 6 MiB. A small shift beside large buffers means that the program set "
     "SO_RCVBUF, or that tcp_rmem was raised later: reconnect.",
     info<&Info::rcvWscale>},
    {Metric::deliveryRateAppLimited, "delivery_rate_app_limited", "Rate limited by the application", flag, gauge,
     "Whether the sample behind delivery_rate was taken while the program offered too little data to fill the path. "
     "Not reported before Linux 4.9.",
     "When true, delivery_rate is a lower bound and can be old: the path may carry more. True for most of the time "
     "means that the sending program is the limit.",
     info<&Info::deliveryRateAppLimited>},
    {Metric::fastopenClientFail, "fastopen_client_fail", "Fast Open failure", none, gauge,
     "Why TCP Fast Open did not work at the client: 0 unknown or not tried, 1 no cookie yet, 2 data in the SYN was "
     "not acknowledged, 3 the SYN had to be repeated. Not reported before Linux 5.5.",
     "Only of interest where Fast Open was asked for. 2 and 3 point to a device on the path that drops such SYNs.",
     info<&Info::fastopenClientFail>},
    {Metric::rto, "rto_us", "Retransmission timeout", microseconds, gauge,
     "How long the sender waits for an acknowledgment before it repeats on its own, back-off included.",
     "Usually round-trip time plus 200 ms. Far above that the timer is backed off or the RTT jumps. A "
     "timeout costs at least this long, in which nothing is sent.",
     info<&Info::rto>},
    {Metric::ato, "ato_us", "Delayed-acknowledgment timeout", microseconds, gauge,
     "How long this end holds an acknowledgment back in the hope of sending it along with data. 0 before data came.",
     "40 ms is usual, 200 ms the most. It adds to the RTT the peer sees when it sends single small "
     "segments and waits.",
     info<&Info::ato>},
    {Metric::sndMss, "snd_mss_bytes", "Send MSS", bytes, gauge,
     "Largest payload of a segment that this end sends now, options already deducted.",
     "1448 is usual on Ethernet with timestamps. Much less means a tunnel, a small path MTU (pmtu) or a peer that "
     "asked for it; Mathis' bound shrinks in the same proportion.",
     info<&Info::sndMss>},
    {Metric::rcvMss, "rcv_mss_bytes", "Receive MSS", bytes, gauge,
     "Estimate of the segments that arrive; it steers delayed acknowledgments. Not what the peer announced.",
     "Far below advmss while data streams in, the peer sends small pieces or its path has a small MTU. 536 before any "
     "data came is only the starting value.",
     info<&Info::rcvMss>},
    {Metric::unacked, "unacked_segments", "In flight (unacked)", segments, gauge,
     "Segments sent and not yet acknowledged. On a listener it is the length of the accept queue.",
     "Near snd_cwnd the congestion window is used up. Well below it something else holds the sender: the program, the "
     "peer's receive window or the send buffer. 0 means that nothing is in flight.",
     info<&Info::unacked>},
    {Metric::sacked, "sacked_segments", "SACKed", segments, gauge,
     "Segments that the peer reports as received beyond a hole (SACK). On a listener it is the longest accept queue "
     "allowed.",
     "Above 0 a hole exists: loss or reordering. It falls back to 0 once the hole is filled.", info<&Info::sacked>},
    {Metric::lost, "lost_segments", "Lost (kernel estimate)", segments, gauge,
     "Segments in flight that the sender takes for lost at this moment. Not a total: see total_retrans.",
     "Above 0 only while a recovery runs. Large at once (half a window) means a burst of loss, as from a full queue "
     "without SACK-friendly management.",
     info<&Info::lost>},
    {Metric::retrans, "retrans_segments", "Retransmissions in flight", segments, gauge,
     "Retransmitted segments not yet acknowledged, at this moment. Not a total: see total_retrans.",
     "Above 0 only while a recovery runs. Staying above 0 beside a growing backoff, the repeats are lost as well.",
     info<&Info::retrans>},
    {Metric::fackets, "fackets_segments", "Forward acknowledgment (unused)", segments, gauge,
     "Left over from forward acknowledgment, which Linux removed in 4.15: always 0 since then.",
     "Nothing to read on a current kernel.", info<&Info::fackets>},
};

}  // namespace tcpscope::metric_rows
