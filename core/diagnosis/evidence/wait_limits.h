// From the waits of a captured sender to limits: two waits look alike from outside, for the congestion window and for
// the send buffer.
//
// They are the network's where the path shows that it limits the rate: by a queue, by CE marks, or by losses for which
// the sender slows down. Otherwise they are unknown.
#pragma once

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

bool pathLimitsRate(const ConnectionEvidence& evidence);

/// Packets wait in a queue on the path, and enough are in flight that delayed acknowledgments do not explain it.
bool streamHasQueue(const ConnectionEvidence& evidence, const Rtt& trip, double inFlightBytes);

/// Repairs take no time from this sender: its congestion control does not slow down for loss, or its losses would let
/// it be several times as fast as it is.
bool sendsOnThroughLoss(const ConnectionEvidence& evidence);

/// A receive window that stays the same, and a queue that holds most of it: the bottleneck is saturated, and a larger
/// window would only make the queue longer. The window of a slow reader shrinks.
bool windowOnlyFillsQueue(const ConnectionEvidence& evidence);

/// For a good part of the time the sender waited for no acknowledgment, again and again after a segment that was not
/// full: it had nothing more to send. A full send buffer, too, may end in such a segment, but then an acknowledgment
/// makes space for the next.
bool writerIsSlow(const WaitEvidence& waits);

/// Burst after burst ended with a full segment before the sender paused for a moment: it may have had more to send, and
/// paced it. Nothing of the kind where many segments are lost, after which timers pause.
bool pausesMayHoldData(const ConnectionEvidence& evidence);

/// The sender sent most of its data in bursts, each right at the last of many acknowledgments that together freed a
/// third of its flight: its program waits for space in the send buffer. One that writes blocks at a steady pace may
/// look alike by chance.
bool refillsSendBuffer(const ConnectionEvidence& evidence);

/// The sender sent burst after burst at one rate that no acknowledgment set, clearly below what the path carries. A
/// program that writes at a steady pace would look alike if each of its writes ended with a full segment.
bool keepsToAPace(const ConnectionEvidence& evidence);

/// What a captured transfer as a whole shows about the waits of its sender.
struct WaitMeaning {
  /// Waits for a window of its own, the congestion window or the send buffer, are the network's; else unknown.
  bool pathLimitsRate = false;
  bool sendsOnThroughLoss = false;
  bool windowOnlyFillsQueue = false;
  bool writerIsSlow = false;
  bool pausesMayHoldData = false;
  bool refillsSendBuffer = false;
  bool keepsToAPace = false;
};
WaitMeaning waitMeaning(const ConnectionEvidence& evidence);

/// Waits as limits.
LimitShares limitsOf(const SenderWaits& waits, const WaitMeaning& meaning);

}  // namespace tcpscope
