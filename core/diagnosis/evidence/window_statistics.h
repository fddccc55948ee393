// What happened to one socket over a span of some seconds, gathered sample by sample. Two neighbouring spans add up, so
// that a sliding window is the sum of a few.
//
// A counter is absent where the kernel never reported it over a whole step: unknown is not 0.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/moment.h"
#include "core/base/optional_count.h"
#include "core/base/value_pointer.h"
#include "core/diagnosis/evidence/span_figure.h"
#include "core/diagnosis/evidence/window_shrinks.h"
#include "core/diagnosis/limits/limit_timeline.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// How evenly events lie apart, each placed by the value of a growing counter. Neighbouring spans add up.
class EventSpacing {
public:
  void addEventAt(std::uint64_t counter);
  EventSpacing& operator+=(const EventSpacing& later);
  /// Spread of the distances from one event to the next: 0 for a clock, 1 for events at random (exponential).
  [[nodiscard]] const EventSpread& distances() const { return m_distances; }

private:
  OptionalCount<std::uint64_t> m_first;
  OptionalCount<std::uint64_t> m_last;
  EventSpread m_distances;
};

/// What is known of the loss events of a span that has some.
struct LossEventFigures {
  /// End of the last span with a retransmission.
  Moment last;
  /// Around each loss event, when a queue that overflows is full.
  SpanFigure rttUs;
  /// Where the congestion window went after each loss event: a fixed share of what it was at the loss.
  EventSpread thresholdsAfter;
  /// Data segments from one loss event to the next; empty where the kernel does not count them.
  EventSpacing segmentsBetween;

  LossEventFigures& operator+=(const LossEventFigures& later);
};

struct WindowStatistics {
  Moment from;
  Moment to;
  std::uint32_t samples = 0;
  LimitShares sending;
  LimitShares receiving;

  // Growth of the counters over the span.
  OptionalCount<std::uint64_t> ackedBytes;
  OptionalCount<std::uint64_t> receivedBytes;
  OptionalCount<std::uint64_t> dataSegmentsOut;
  OptionalCount<std::uint64_t> dataSegmentsIn;
  OptionalCount<std::uint64_t> retransmittedSegments;
  OptionalCount<std::uint64_t> duplicatesReported;
  OptionalCount<std::uint64_t> timeouts;
  OptionalCount<std::uint64_t> reorderingEvents;
  OptionalCount<std::uint64_t> deliveredSegments;
  OptionalCount<std::uint64_t> markedSegments;
  /// Segments that arrived with a CE mark.
  OptionalCount<std::uint64_t> markedArrivals;
  OptionalCount<std::uint64_t> outOfOrderSegments;
  /// Spans of one RTT or one sample, whichever is longer, in which something was retransmitted that the peer
  /// did not report as a duplicate. Samples that are far apart hide events: see estimatedLossEvents.
  std::uint32_t lossEvents = 0;
  /// Spans of that kind in which data was sent at all, with or without retransmissions.
  std::uint32_t lossOpportunities = 0;
  /// End of the last span with data.
  std::optional<Moment> lastLossOpportunity;
  /// Null where there was no loss event, as of most connections: windows of all of them shall fit into the cache.
  ValuePointer<LossEventFigures> losses;

  SpanFigure rttUs;
  SpanFigure peerWindowBytes;
  SpanFigure advertisedWindowBytes;
  SpanFigure inFlightBytes;
  SpanFigure congestionWindowBytes;
  SpanFigure notSentBytes;
  /// Fill of the send buffer, 0…1 (Linux lets the last packet overshoot it).
  SpanFigure sendBufferFillRatio;
  SpanFigure receiveQueueBytes;
  // Samples in which something held; absent where no sample reported it.
  OptionalCount<std::uint32_t> samplesWithPeerWindowClosed;
  /// Steps in which the peer's receive window shrank, and grew again later; absent where no sample reported it.
  std::optional<WindowShrinks> peerWindowShrinks;
  OptionalCount<std::uint32_t> samplesInRecovery;
  OptionalCount<std::uint32_t> samplesInLoss;
  /// Steps in which the congestion window shrank without a loss or a mark: after a silence it starts again from a small
  /// one (RFC 5681 §4.1, net.ipv4.tcp_slow_start_after_idle).
  OptionalCount<std::uint32_t> idleRestarts;
  /// Samples in which a small write waited (socket_state.h, smallWriteWaits).
  OptionalCount<std::uint32_t> samplesWithSmallWriteWaiting;
  /// Where both directions carry data, the last turn that was over at each step with data: from the last arrival to
  /// what this end sent then, and from what it sent last to what arrived then.
  SpanFigure ownTurnUs;
  SpanFigure peersTurnUs;
  /// Steps in which data arrived, and those of them in which some of it arrived out of order.
  std::uint32_t samplesWithArrivals = 0;
  /// Samples at whose end data waited to be read.
  std::uint32_t samplesWithUnreadData = 0;
  OptionalCount<std::uint32_t> samplesOutOfOrder;
  /// Rate of arrival in bit/s, of the steps in which data arrived.
  SpanFigure arrivalRate;
  /// Longest step in which the socket changed: what happened inside it is known only as a sum.
  Nanoseconds longestStep{0};

  /// Adds the step from `before` to `now`, two samples of the same socket in order of time. `carry` goes from step to
  /// step of the socket (core/model/chronograph.h).
  void addStep(const SocketObservation& before, const SocketObservation& now, ChronographCarry& carry);
  /// Of samples that are far apart.
  void addStep(const SocketObservation& before, const SocketObservation& now) {
    ChronographCarry carry;
    addStep(before, now, carry);
  }
  /// Adds a span in which the socket did not change: the result of addStep() for two samples that differ in their time
  /// alone, for a fraction of the work.
  void addSilence(const SocketObservation& still, Moment silentFrom, Moment silentTo);
  /// Adds a later span.
  WindowStatistics& operator+=(const WindowStatistics& later);
  [[nodiscard]] Nanoseconds span() const { return to - from; }
  /// Loss events in the span, corrected for those that fell into the same sample: the share of steps without any event
  /// gives their mean (Poisson). Absent where nearly every step saw one, or retransmissions are not reported.
  [[nodiscard]] std::optional<double> estimatedLossEvents() const;

private:
  void addGrowth(const SocketObservation& before, const SocketObservation& now);
};

}  // namespace tcpscope
