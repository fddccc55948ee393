// Figures of the path that causes, rules, remedies and sentences share, computed from the evidence. Absent where the
// evidence is.
#pragma once

#include <optional>

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// RTTs of a span against the minimum RTT of the connection.
struct Rtt {
  double meanUs = 0.0;
  double smallestUs = 0.0;
  /// Mean RTT over minimum RTT; 1 with no queue.
  [[nodiscard]] double inflation() const { return meanUs / smallestUs; }
  [[nodiscard]] double queueUs() const { return meanUs - smallestUs; }
};

/// Absent before the first RTT sample.
std::optional<Rtt> rtt(const ConnectionEvidence& evidence);

/// The same without the queue in which acknowledgments waited on the way back, where that is known: what the data's own
/// way makes of it.
std::optional<Rtt> rttOfDataPath(const ConnectionEvidence& evidence);

/// The path has a queue, and most of it is on the way back: acknowledgments wait behind other traffic, the data does
/// not fill the path.
bool queueIsOnReturnPath(const ConnectionEvidence& evidence);

/// Segments retransmitted in the span, less those that were not needed; all of them where the kernel does not report
/// duplicates, which makes it an upper limit.
std::optional<std::uint64_t> neededRetransmissions(const ConnectionEvidence& evidence);

/// Their share of the data segments sent; absent where none was sent.
std::optional<double> lossRatio(const ConnectionEvidence& evidence);

/// What a count on the wire shows, needed or not, and the part that is known not to have been needed.
struct Retransmissions {
  std::uint64_t all = 0;
  std::uint64_t spurious = 0;
};
std::optional<Retransmissions> retransmissions(const ConnectionEvidence& evidence);
/// As a verdict's or finding's evidence: "retransmitted_ratio", and what was spurious of it where anything was.
std::vector<Evidence> retransmissionFigures(const ConnectionEvidence& evidence);

/// What the loss events of the span, three or more, allow a loss-based congestion control without timeouts: CUBIC's
/// average window (limits/loss_response.h), which is Reno's on short paths. Absent where any figure of that is.
std::optional<BitsPerSecond> rateThatLossEventsAllow(const ConnectionEvidence& evidence);

/// The connection is several times as fast as its losses let a loss-based control be: BBR, or one of its kind.
bool outrunsItsLosses(const ConnectionEvidence& evidence);

/// Its losses would let the connection be several times as fast as it is: something else limits it.
bool lossesAllowMore(const ConnectionEvidence& evidence);

/// Most retransmissions were not needed: packets arrived late, but did arrive.
bool retransmissionsWereSpurious(const ConnectionEvidence& evidence);

/// Share of the samples in fast or loss recovery, 0…1, including those at which the receive window, filled up behind
/// a gap, limits new data.
std::optional<double> repairRatio(const ConnectionEvidence& evidence);

/// Did retransmission timeouts happen? By the time spent in them where the kernel does not count them (before
/// Linux 6.7).
bool hadTimeouts(const ConnectionEvidence& evidence);

/// Packets wait in a queue on the path: the mean RTT is well above the minimum, by more than a host's own delays.
bool pathHasQueue(const Rtt& rtt);

/// The queue is longer than needed to keep the bottleneck busy: packets wait longer in it than they travel, and long
/// enough for users and applications to notice. 1 where it clearly is, 0 where it clearly is not, between them in
/// doubt.
double excessOfQueue(const Rtt& rtt);

/// The RTT at a loss is longer than the mean: a queue fills, and overflows. Compared with the mean, because a busy host
/// delays every packet.
bool queueFillsBeforeLoss(const ConnectionEvidence& evidence);

/// Rate of the span's bytes; absent for an empty span.
std::optional<BitsPerSecond> goodputOf(const ConnectionEvidence& evidence);

/// Did the application wait for space in the send buffer? One that does is woken when a third of it is free
/// (sk_stream_is_writeable in include/net/sock.h), and fills it: more than two thirds are used on average, and all of
/// it from time to time.
enum class SendBufferWaits : std::uint8_t {
  /// Too few samples.
  unknown,
  none,
  /// No sample met the buffer full. Where acknowledgments come together, once an RTT, it is full for a moment only, and
  /// polls in step with the RTT miss that.
  notSeen,
  possible,
};
SendBufferWaits sendBufferWaits(const ConnectionEvidence& evidence);
/// Autotuning leaves a buffer smaller than the window where the application does not wait: it only appears to be used
/// up.
bool sendBufferBlockedNothing(const ConnectionEvidence& evidence);
/// Share of the span in which the sending application provided less data than the connection would have sent, silence
/// included, 0…1.
double writerBehindRatio(const ConnectionEvidence& evidence);
/// A good part of the window is unread at every sample: an application that reads at once leaves nothing from time to
/// time, whatever arrives. It sets the rate then, even where more of the window is free than filled.
bool readerIsAlwaysBehind(const ConnectionEvidence& evidence);
/// The same by most of the samples, and less of the window: an application that reads at once leaves something in few.
/// Less sure, as a busy host lets it read a moment later.
bool readerIsMostlyBehind(const ConnectionEvidence& evidence);
/// Share of the span in which the application here read more slowly than data arrived, 0…1.
double readerBehindRatio(const ConnectionEvidence& evidence);

/// The receive window is as large as its scale can express, and not only for a moment; false where that is not known.
bool windowStandsAtCeiling(const ConnectionEvidence& evidence);

/// The MSS is far below what the path MTU leaves for data; false where one of them is not known.
bool segmentsAreFarBelowPathMtu(const ConnectionEvidence& evidence);

}  // namespace tcpscope
