// All rules about connections, by the limit that they belong to: each group is a source file.
//
// rule_catalogue.cpp lists them; tests/core/diagnosis/rules has a situation in which each applies and one in which it
// does not.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

// receiver_rules.cpp
/// The peer's receive window limits the rate, and its buffer is the cause.
std::optional<Finding> receiverWindowTooSmall(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The receive window is as large as its window scale can express.
std::optional<Finding> windowScaleCapsWindow(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The receive buffer of this end limits the rate.
std::optional<Finding> receiveBufferTooSmall(const ConnectionEvidence& evidence, const Verdict& verdict);

// send_buffer_rules.cpp
std::optional<Finding> sendBufferTooSmall(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The application set the buffer's size, which switches autotuning off.
std::optional<Finding> bufferLocked(const ConnectionEvidence& evidence, const Verdict& verdict);

// network_rules.cpp
/// A queue has built up on the path (bufferbloat).
std::optional<Finding> queueing(const ConnectionEvidence& evidence, const Verdict& verdict);
/// Most of the queue delays acknowledgments, not data.
std::optional<Finding> returnPathQueue(const ConnectionEvidence& evidence, const Verdict& verdict);
/// Only the congestion window limits the rate, without loss: the bottleneck is saturated, or the window still grows.
std::optional<Finding> congestionWindow(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The rate has reached the pacing limit that the application set.
std::optional<Finding> pacingLimit(const ConnectionEvidence& evidence, const Verdict& verdict);
/// Routers mark packets with ECN CE.
std::optional<Finding> ecnMarks(const ConnectionEvidence& evidence, const Verdict& verdict);

// loss_rules.cpp
std::optional<Finding> networkLoss(const ConnectionEvidence& evidence, const Verdict& verdict);
std::optional<Finding> timeouts(const ConnectionEvidence& evidence, const Verdict& verdict);
std::optional<Finding> reordering(const ConnectionEvidence& evidence, const Verdict& verdict);

// start_rules.cpp
/// The transfer so far is the opening slow start: its length is a number of RTTs, whatever the path carries.
std::optional<Finding> slowStart(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The congestion window starts again from a small one after each silence.
std::optional<Finding> idleRestart(const ConnectionEvidence& evidence, const Verdict& verdict);

// waiting_rules.cpp
/// The SYN, or the SYN-ACK, is not answered.
std::optional<Finding> unansweredOpening(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The handshake took long because a SYN or SYN-ACK had to be retransmitted.
std::optional<Finding> slowOpening(const ConnectionEvidence& evidence, const Verdict& verdict);
/// Data, probes or keep-alives are not answered, or the peer's receive window stays closed.
std::optional<Finding> stalled(const ConnectionEvidence& evidence, const Verdict& verdict);
/// One end has closed the connection, and the program at this end keeps it.
std::optional<Finding> leftOpen(const ConnectionEvidence& evidence, const Verdict& verdict);

// application_rules.cpp
/// A processor of this host does hardly anything but take in packets.
std::optional<Finding> busyWithPackets(const ConnectionEvidence& evidence, const Verdict& verdict);
/// Pieces of a request wait for the acknowledgment of the piece before (Nagle's algorithm).
std::optional<Finding> smallWrites(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The application stops at a window of its own protocol.
std::optional<Finding> applicationWindow(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The sending application provides less data than the connection would carry.
std::optional<Finding> applicationTooSlow(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The receiving application reads more slowly than data arrives.
std::optional<Finding> receivingApplicationTooSlow(const ConnectionEvidence& evidence, const Verdict& verdict);

// option_rules.cpp
/// An option of the handshake that matters here was not negotiated.
std::optional<Finding> optionsMissing(const ConnectionEvidence& evidence, const Verdict& verdict);
/// The sender's segments are far smaller than the path MTU allows.
std::optional<Finding> smallSegments(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope::rules
