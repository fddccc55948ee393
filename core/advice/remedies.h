// Every remedy, each a function from what is known of a side to the remedy or nothing, and their list. They are grouped
// by what they change: each group is a source file. What a remedy is, is in remedy.h.
//
// Adding one: an enumerator of RemedyId with its name, a function in the file of its group, a row in
// remedy_catalogue.cpp, title and sentence in core/present/text/remedy_text, a situation in which it must speak and one
// in which it must not.
#pragma once

#include <span>

#include "core/advice/advice.h"

namespace tcpscope {

struct RemedyRow {
  RemedyId id;
  std::optional<Remedy> (*propose)(const AdviceInput& input);
  AdviceAim aim = AdviceAim::throughput;
};

/// In the order of RemedyId.
std::span<const RemedyRow> remedyCatalogue();

}  // namespace tcpscope

namespace tcpscope::remedies {

/// See core/diagnosis/sending_cause: beyond it every congestion control starves.
inline constexpr double kLossThatBbrTolerates = 0.2;

// buffer_remedies.cpp

/// The program set the buffer's size itself (SO_RCVBUF, SO_SNDBUF), which ends autotuning. It had better not; from
/// outside the lock can be taken off a running socket (SO_BUF_LOCK, Linux 5.15), as far as its window scale lets it
/// grow.
std::optional<Remedy> lockedReceiveBuffer(const AdviceInput& input);
std::optional<Remedy> lockedSendBuffer(const AdviceInput& input);

/// The receive buffer here stays where it began, because tcp_moderate_rcvbuf is off. The kernel reads the setting
/// once per RTT: it helps open connections, too.
std::optional<Remedy> autoTuningOff(const AdviceInput& input);

/// A buffer here may not grow enough: the third number of tcp_rmem and tcp_wmem caps autotuning, and for a receive
/// buffer what the window scale is at a connection's beginning.
std::optional<Remedy> receiveBufferLimit(const AdviceInput& input);
std::optional<Remedy> sendBufferLimit(const AdviceInput& input);

/// The window of the other end is too small for the path, by its buffer: its administrator has to act.
std::optional<Remedy> receiverElsewhere(const AdviceInput& input);

/// The program set TCP_WINDOW_CLAMP on the running connection: the buffer has room for a larger window, and the clamp
/// can be raised at any time.
std::optional<Remedy> windowClamp(const AdviceInput& input);

// option_remedies.cpp

/// One end has window scaling off, so that no window above 64 KiB can be advertised (RFC 7323). The sysctl of this host
/// shows which end it is.
std::optional<Remedy> windowScalingOff(const AdviceInput& input);

/// Losses are repaired without selective acknowledgments (RFC 2018), one per RTT, because one end has them off. The
/// sysctl of this host shows which end it is.
std::optional<Remedy> sackOff(const AdviceInput& input);

/// The connection has no timestamps (RFC 7323) and is so fast that its 32-bit sequence numbers wrap while an old
/// segment may still be in flight: nothing distinguishes the two then (section 5, "PAWS").
std::optional<Remedy> timestampsOff(const AdviceInput& input);

/// A queue of the path overflows, repairing what it drops takes a good part of the time, and the two ends did not
/// negotiate explicit congestion notification (RFC 3168): a queue that marks would notify the sender without a drop.
/// Only where a router on the path is known to mark: elsewhere it brings nothing.
std::optional<Remedy> ecnOff(const AdviceInput& input);

// loss_remedies.cpp

/// Packets are lost at random, or by a queue too short to show, and the congestion control in use slows down for each
/// loss as if the bottleneck were saturated. One that measures the path's rate instead does not (BBR; Cardwell and
/// others, 2016).
std::optional<Remedy> randomLoss(const AdviceInput& input);

/// Loss sets the rate, and each loss costs as many packets whatever their size: larger ones carry more. Mathis, PFTK,
/// CUBIC and HighSpeed TCP all give a window in segments, so that the rate goes with the segment's size.
///
/// "Increasing the MTU by a factor of six can increase TCP bandwidth by a factor of six" (Web100 and the Visible Human
/// project, section 1.1): where every link of the path carries it, and where the path has the room.
std::optional<Remedy> jumboFrames(const AdviceInput& input);

/// Loss that is not due to a saturated bottleneck sets the rate of one connection: several at once carry as many times
/// that, each at the same loss and RTT (Mathis and others 1997). Where losses are random rather than caused by
/// congestion, that is fair; at a saturated bottleneck it takes the share of as many users (Web100 and the Visible
/// Human project, section 1.2; "High-speed TCP and parallel TCP", section 4). Their buffers are not divided by their
/// number.
std::optional<Remedy> parallelStreams(const AdviceInput& input);

/// The segments are far smaller than the path MTU: TCP_MAXSEG, a route's advmss, or a middlebox that rewrites the MSS.
std::optional<Remedy> smallSegments(const AdviceInput& input);

// sender_remedies.cpp

/// The program set a pacing limit (SO_MAX_PACING_RATE), and the rate has reached it. It can be raised at any time.
std::optional<Remedy> pacingLimit(const AdviceInput& input);

/// Full-size packets never arrive and no ICMP error reports it. With tcp_mtu_probing at 1 the kernel tries smaller ones
/// after repeated timeouts (RFC 4821), on open connections, too.
std::optional<Remedy> mtuBlackHole(const AdviceInput& input);

/// For latency: much data that the program wrote waits in the kernel before it is sent, so that what it writes next
/// comes late. TCP_NOTSENT_LOWAT lets a program write only when little waits; data in flight is not affected.
std::optional<Remedy> unsentData(const AdviceInput& input);

/// A connection that never lost anything left slow start at an ssthresh that Linux cached from an earlier one to the
/// same address (net/ipv4/tcp_metrics.c): from there it grows by one segment per RTT.
///
/// Only where the kernel caches ssthresh (tcp_no_ssthresh_metrics_save 0; it does not by default since Linux 5.6).
/// CUBIC's HyStart sets a threshold without a loss, too, but never below a window of 16 segments
/// (net/ipv4/tcp_cubic.c).
std::optional<Remedy> rememberedThreshold(const AdviceInput& input);

/// The congestion window is clamped: by a route with `cwnd N lock`, which the kernel's metrics of the peer keep.
std::optional<Remedy> congestionWindowClamp(const AdviceInput& input);

// start_remedies.cpp

/// The transfer is over before slow start is: a larger initial window (RFC 6928 has 10) saves RTTs.
std::optional<Remedy> initialWindow(const AdviceInput& input);

/// The same: a connection that is kept open has its handshake and its window behind it.
std::optional<Remedy> connectionReuse(const AdviceInput& input);

/// After each silence the window starts again from a small one (net.ipv4.tcp_slow_start_after_idle).
std::optional<Remedy> idleRestart(const AdviceInput& input);

// application_remedies.cpp

/// Pieces of requests wait for acknowledgments of the pieces before (Nagle's algorithm).
std::optional<Remedy> smallWrites(const AdviceInput& input);

/// The same at the other end: it acknowledges at once (ip-route(8), quickack; a program sets TCP_QUICKACK).
std::optional<Remedy> delayedAcks(const AdviceInput& input);

/// The application stops at a window of its own protocol.
std::optional<Remedy> applicationWindow(const AdviceInput& input);

}  // namespace tcpscope::remedies
