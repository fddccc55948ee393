// What happened to one connection over a span of some seconds, gathered sample by sample: the ground on which rules
// and bounds stand. Two neighbouring spans add up, so that a sliding window is the sum of a few.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/moment.h"
#include "core/diagnosis/limits/limit_timeline.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// Smallest, largest and mean of a figure over the span; nothing before the first value.
class SpanFigure {
public:
  void add(double value);
  SpanFigure& operator+=(const SpanFigure& other);
  [[nodiscard]] bool empty() const { return m_count == 0; }
  [[nodiscard]] std::optional<double> smallest() const;
  [[nodiscard]] std::optional<double> largest() const;
  [[nodiscard]] std::optional<double> mean() const;
  [[nodiscard]] std::uint32_t count() const { return m_count; }

private:
  float m_smallest = 0.0F;
  float m_largest = 0.0F;
  double m_sum = 0.0;
  std::uint32_t m_count = 0;
};

/// How far a figure of some events lies apart, as standard deviation over mean.
class EventSpread {
public:
  void add(double value);
  EventSpread& operator+=(const EventSpread& other);
  [[nodiscard]] std::uint32_t count() const { return m_count; }
  /// Nothing before the second event, and where the mean is zero.
  [[nodiscard]] std::optional<double> variation() const;

private:
  double m_sum = 0.0;
  double m_sumOfSquares = 0.0;
  std::uint32_t m_count = 0;
};

/// How evenly events lie apart, each told by what a growing counter shows at it. Neighbouring spans add up.
class EventSpacing {
public:
  void addEventAt(std::uint64_t counter);
  EventSpacing& operator+=(const EventSpacing& later);
  /// Spread of the distances from one event to the next: 0 for a clock, 1 for events at random (exponential).
  [[nodiscard]] const EventSpread& distances() const { return m_distances; }

private:
  std::optional<std::uint64_t> m_first;
  std::optional<std::uint64_t> m_last;
  EventSpread m_distances;
};

struct WindowStatistics {
  Moment from;
  Moment to;
  std::uint32_t samples = 0;
  LimitShares sending;
  LimitShares receiving;

  // Growth of the counters over the span; zero where the kernel does not report the counter.
  std::uint64_t ackedBytes = 0;
  std::uint64_t receivedBytes = 0;
  std::uint64_t dataSegmentsOut = 0;
  std::uint64_t retransmittedSegments = 0;
  std::uint64_t duplicatesReported = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t reorderingEvents = 0;
  std::uint64_t deliveredSegments = 0;
  std::uint64_t markedSegments = 0;
  std::uint64_t outOfOrderSegments = 0;
  /// Spans of one round trip or one sample, whichever is longer, in which something was retransmitted that the peer
  /// did not report as a duplicate. Samples that are far apart hide events: see estimatedLossEvents.
  std::uint32_t lossEvents = 0;
  /// Spans of that kind in which data was sent at all, with or without retransmissions.
  std::uint32_t lossOpportunities = 0;
  /// End of the last span with a retransmission, and of the last one with data.
  std::optional<Moment> lastLossEvent;
  std::optional<Moment> lastLossOpportunity;

  SpanFigure rttUs;
  /// Around each loss event, when a queue that overflows is full.
  SpanFigure rttAtLossUs;
  SpanFigure peerWindowBytes;
  SpanFigure advertisedWindowBytes;
  SpanFigure inFlightBytes;
  SpanFigure congestionWindowBytes;
  /// Where the congestion window went after each loss event: a fixed share of what it was at the loss.
  EventSpread thresholdsAfterLoss;
  /// Data segments from one loss event to the next; empty where the kernel does not count them.
  EventSpacing segmentsBetweenLosses;
  SpanFigure notSentBytes;
  /// Fill of the send buffer, 0…1 (Linux lets the last packet overshoot it).
  SpanFigure sendBufferFillRatio;
  SpanFigure receiveQueueBytes;
  SpanFigure receiveAllocatedBytes;
  SpanFigure deliveryRateBps;
  std::uint32_t samplesWithPeerWindowClosed = 0;
  /// Steps in which the peer's window became smaller.
  std::uint32_t samplesWithPeerWindowShrunk = 0;
  std::uint32_t samplesWithOwnWindowClosed = 0;
  /// Unread data takes more of the window than is free.
  std::uint32_t samplesWithUnreadData = 0;
  std::uint32_t samplesApplicationLimited = 0;
  std::uint32_t samplesInRecovery = 0;
  std::uint32_t samplesInLoss = 0;
  /// Longest step in which the socket changed: what happened inside it is known only as a sum.
  Nanoseconds longestStep{0};

  /// A writer that waits for room fills the buffer to the brim each time it gets some. Auto-tuning leaves a buffer
  /// smaller than the window where nobody ever filled it: that looks used up, and is not.
  [[nodiscard]] bool sendBufferWasNeverFull() const;
  /// Share of the span in which the program here wrote less than the connection would have taken, silence included,
  /// 0…1.
  [[nodiscard]] double writerBehindRatio() const;
  /// A good part of the window waits unread at every look: a program that reads at once leaves nothing now and then,
  /// whatever arrives. It sets the pace then, also where more of the window is free than filled.
  [[nodiscard]] bool readerIsAlwaysBehind() const;
  /// Share of the span in which the program here was slower at reading than data arrived, 0…1.
  [[nodiscard]] double readerBehindRatio() const;

  /// Takes in the step from `before` to `now`, two looks at the same socket in order of time. `carry` goes from step to
  /// step of the socket (core/model/chronograph.h).
  void addStep(const SocketObservation& before, const SocketObservation& now, ChronographCarry& carry);
  /// Of looks that are far apart.
  void addStep(const SocketObservation& before, const SocketObservation& now) {
    ChronographCarry carry;
    addStep(before, now, carry);
  }
  /// Takes in a span in which the socket was seen unchanged: what addStep() makes of two looks that differ in their
  /// time alone, for a fraction of the work.
  void addSilence(const SocketObservation& still, Moment silentFrom, Moment silentTo);
  /// Takes in a later span.
  WindowStatistics& operator+=(const WindowStatistics& later);
  [[nodiscard]] Nanoseconds span() const { return to - from; }
  /// Loss events in the span, corrected for those that fell into the same sample: steps without any event say how many
  /// there are on average (Poisson). Nothing where nearly every step saw one, so that the number cannot be told.
  [[nodiscard]] std::optional<double> estimatedLossEvents() const;
};

}  // namespace tcpscope
