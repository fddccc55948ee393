// Everything that rules, bounds, verdict and remedies may read: the figures of one direction of one connection over one
// span of time.
//
// Units are in types or names. A figure that the source does not report is absent, never 0: a figure of a span
// (SpanFigure) is empty then. The adapters kernel_evidence and packet_evidence fill it; nothing that reads it asks
// which of them did.
#pragma once

#include <cstdint>
#include <optional>

#include "core/diagnosis/evidence/finding.h"
#include "core/diagnosis/evidence/held_up_periods.h"
#include "core/diagnosis/evidence/span_figure.h"
#include "core/model/socket_observation.h"
#include "core/wire/flow/direction_summary.h"
#include "core/wire/waits/sender_habits.h"
#include "core/wire/waits/sender_wait.h"

namespace tcpscope {

/// The options that both ends offered.
struct NegotiatedOptions {
  bool timestamps = false;
  bool sack = false;
  bool windowScale = false;
  bool ecn = false;
};

/// What the sender waited for, as packets show it. The kernel times the limits themselves, so that its samples have no
/// such evidence.
struct WaitEvidence {
  SenderWaits waits;
  /// Silence after the transfer that is no part of `waits`.
  Nanoseconds silenceAfter{0};
  /// Acknowledgments were captured, and their delay from the capture point to the sender is known.
  bool acknowledgmentsTimed = false;
  bool receiveWindowKnown = false;
  /// The capture point is not the sender's: a segment that is lost before it leaves a silence there.
  bool mayMissSegments = false;
  /// The sender has closed, and nothing is missing before its FIN.
  bool endIsKnown = false;
  /// The cause that the pattern of the losses alone shows; `unknown` where it shows none.
  Cause lossPattern = Cause::unknown;
  SenderHabits habits;
  /// The part (0…1) of all acknowledged data whose acknowledgment the sender waited for before a refill.
  double refilledRatio = 0.0;
  /// At the sender: times that it continued after an acknowledgment, and those of them after one that carried data; the
  /// share of the acknowledgments that carried data. Absent elsewhere.
  std::optional<std::uint32_t> prompts;
  std::uint32_t promptsByData = 0;
  double acknowledgmentsWithDataRatio = 0.0;
  /// Packets are missing from the capture, or more happened than the analysis keeps.
  bool isIncomplete = false;
};

/// How a connection opened, as packets show it.
struct OpeningEvidence {
  /// From the first SYN to the end of the handshake.
  Microseconds connectTime{0};
  Count syns;
  Count synAcks;
};

/// How often the kernel tries before it gives up (net.ipv4.*, as they are set at the connection's place).
struct RetryLimits {
  /// tcp_syn_retries, and those of them without doubling the timeout (tcp_syn_linear_timeouts, Linux 6.5).
  std::optional<Count> syn;
  std::optional<Count> synLinear;
  /// tcp_retries2, of an open connection.
  std::optional<Count> data;

  bool operator==(const RetryLimits&) const = default;
};

struct ConnectionEvidence {
  Side side = Side::sending;
  Vantage vantage = Vantage::unknown;
  TcpState state = TcpState::unknown;
  /// This direction carries at least as much as the other one.
  bool carriesBulk = true;
  bool isLoopback = false;
  /// The lower of the two ports: that of a service, as a rule.
  std::optional<std::uint16_t> servicePort;

  // Negotiated or set, as they are at the end of the span.
  std::optional<NegotiatedOptions> options;
  /// Shift of the receive window of this direction, and of the opposite one.
  std::optional<Count> windowScale;
  std::optional<Count> oppositeWindowScale;
  std::optional<Bytes> mss;
  std::optional<Bytes> pathMtu;
  std::optional<CongestionControlName> congestionControl;
  /// Does the congestion control reduce its window at each loss?
  std::optional<bool> slowsDownForLoss;
  /// Infinite where no pacing limit is set.
  std::optional<BitsPerSecond> maxPacingRate;
  std::optional<BufferLocks> bufferLocks;
  std::optional<NagleOptions> nagle;
  /// TCP_USER_TIMEOUT; 0 where the program set none.
  std::optional<Milliseconds> userTimeout;
  /// Of the program at this end, over some seconds up to the end of the span.
  std::optional<ProgramWaits> programWaits;
  /// By the program at this end: as reader, or as writer, of this side.
  std::optional<HeldUpPeriods> heldUp;
  /// A program has the socket open: the kernel alone may keep it until its end of the connection is over.
  std::optional<bool> isHeldByProgram;

  // What it waits for at the end of the span.
  std::optional<SocketTimer> timer;
  /// Retransmissions, keep-alives, and probes of its closed window, since the peer last answered anything.
  std::optional<Count> unansweredTries;
  std::optional<Count> unansweredKeepAlives;
  std::optional<Count> unansweredWindowProbes;
  /// It answered the SYN with a reset.
  std::optional<bool> peerRefused;
  /// Of a connection that this end opened.
  std::optional<OpeningEvidence> opening;
  /// Doublings of the retransmission timeout, or of the time between probes.
  std::optional<Count> backoff;
  /// Since the last acknowledgment, with or without data; of packets also since the first SYN where none came. The ages
  /// of a socket are not known before the handshake.
  std::optional<Microseconds> sinceLastAck;
  /// Since data was last sent.
  std::optional<Microseconds> sinceLastSend;
  /// The peer's receive window is closed, and has been for so long.
  std::optional<Microseconds> windowClosedFor;
  /// When the kernel gives up.
  RetryLimits retries;

  // Gauges at the end of the span.
  std::optional<CaState> caState;
  std::optional<Segments> congestionWindow;
  /// Absent while it is infinite, too.
  std::optional<Segments> slowStartThreshold;
  /// The congestion window is below the slow start threshold (RFC 5681).
  std::optional<bool> isInSlowStart;
  std::optional<Bytes> receiveWindow;
  std::optional<SocketMemory> memory;
  /// Written by the application and not yet acknowledged.
  std::optional<Bytes> sendQueue;
  std::optional<Microseconds> rtt;
  /// The kernel's own minimum, over more than the span.
  std::optional<Microseconds> minRtt;
  /// What an end that only receives measures from arriving data, the sender's pauses included (rcv_rtt).
  std::optional<Microseconds> receiverRtt;
  std::optional<Microseconds> retransmissionTimeout;
  std::optional<Count> consecutiveTimeouts;
  std::optional<BitsPerSecond> deliveryRate;
  /// BBR's estimate of the bottleneck bandwidth.
  std::optional<BitsPerSecond> bbrBandwidth;
  /// Of the narrowest link of the path, as goodput.
  std::optional<NextLimit> pathCapacity;

  // Totals since the connection was opened.
  /// Acknowledged (sending) or received bytes; an active opener's SYN counts as one acknowledged byte.
  std::optional<Bytes> totalBytes;
  std::optional<Bytes> totalBytesSent;
  std::optional<Bytes> totalBytesRetransmitted;
  std::optional<Segments> totalDataSegments;
  /// Data segments that arrived, each once.
  std::optional<Segments> totalDelivered;
  std::optional<Segments> totalRetransmissions;
  std::optional<Segments> totalDuplicates;
  std::optional<Segments> totalCeMarks;

  // The span.
  Moment from;
  Moment to;
  /// Polls, or points at which a capture was sampled.
  std::uint32_t samples = 0;
  /// Longest step in which the socket changed: what happened inside it is known only as a sum.
  Nanoseconds longestStep{0};
  /// The time of the span by limit.
  LimitShares limits;
  /// Acknowledged (sending) or received bytes, and those of the opposite direction.
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> oppositeBytes;
  /// Data segments of the opposite direction.
  std::optional<std::uint64_t> oppositeSegments;
  std::optional<std::uint64_t> dataSegments;
  std::optional<std::uint64_t> retransmittedSegments;
  /// Segments that the peer reported as received twice (DSACK, RFC 2883).
  std::optional<std::uint64_t> duplicateSegments;
  /// Of the retransmitted ones, those of which a capture shows that they were not needed, reported or not.
  std::optional<std::uint64_t> spuriousSegments;
  /// Retransmitted by timers without need, beside `retransmittedSegments`: neither loss nor reordering.
  std::uint64_t needlessTimerSegments = 0;
  std::optional<std::uint64_t> timeouts;
  /// Segments of full size are retransmitted again and again, and none of them is acknowledged.
  std::optional<bool> fullSegmentsWait;
  std::optional<std::uint64_t> reorderingEvents;
  std::optional<std::uint64_t> deliveredSegments;
  std::optional<std::uint64_t> ceMarkedSegments;
  std::optional<std::uint64_t> outOfOrderSegments;
  std::optional<std::uint64_t> lossEvents;
  /// The same, corrected for events that fell into one sample; absent where nearly every sample saw one.
  std::optional<double> estimatedLossEvents;

  SpanFigure rttUs;
  /// How much of it acknowledgments waited in a queue on the way back, in the mean; absent where nothing separates the
  /// two ways.
  std::optional<Microseconds> returnQueue;
  /// Around each loss event, when a queue that overflows is full.
  SpanFigure rttAtLossUs;
  /// The peer's receive window (sending) or the advertised one (receiving).
  SpanFigure receiveWindowBytes;
  SpanFigure inFlightBytes;
  SpanFigure congestionWindowBytes;
  SpanFigure notSentBytes;
  /// Fill of the send buffer, 0…1 (Linux lets the last packet overshoot it).
  SpanFigure sendBufferFillRatio;
  /// Received and not yet read.
  SpanFigure unreadBytes;
  /// Samples in which something was.
  std::optional<std::uint32_t> unreadSamples;
  /// The window after each loss event, a fixed share of the window at the loss.
  EventSpread windowsAfterLoss;
  /// Data segments from one loss event to the next.
  EventSpread segmentsBetweenLosses;
  /// Samples in which the window was smaller than before, and grew again later.
  std::optional<std::uint32_t> windowShrunkSamples;
  std::optional<std::uint32_t> windowClosedSamples;
  /// Samples in fast recovery or in loss recovery after a timeout.
  std::optional<std::uint32_t> recoverySamples;
  /// Steps in which the congestion window shrank after a silence, without a loss or a mark.
  std::optional<std::uint32_t> idleRestarts;
  /// Samples in which less than a segment waited for the acknowledgment of a small one (Nagle's algorithm), or for more
  /// data (TCP_CORK).
  std::optional<std::uint32_t> nagleSamples;
  /// The same as packets show it: share of the time of exchanges in which a piece of a request waited for a delayed
  /// acknowledgment.
  std::optional<double> delayedPieceRatio;
  /// Where both directions carry data: from an arrival to what this end sends then, and from that to the next arrival.
  SpanFigure ownTurnUs;
  SpanFigure peersTurnUs;
  /// The same as packets show it, exchange by exchange.
  std::optional<ExchangeShares> exchanges;
  /// Samples with arriving data, and those of them in which some of it came out of order.
  std::optional<std::uint32_t> arrivalSamples;
  std::optional<std::uint32_t> outOfOrderSamples;
  /// Rate of arrival in bit/s, of the samples with arriving data.
  SpanFigure arrivalRate;

  std::optional<WaitEvidence> waits;

  [[nodiscard]] Nanoseconds span() const { return to - from; }
  [[nodiscard]] std::string_view congestionControlName() const {
    return congestionControl ? congestionControl->text() : std::string_view();
  }
  /// Did the application lock the buffer of this direction's data at this end? False where it is not known.
  [[nodiscard]] bool hasLockedBuffer() const {
    return bufferLocks && (side == Side::sending ? bufferLocks->sendBuffer : bufferLocks->receiveBuffer);
  }
};

}  // namespace tcpscope
