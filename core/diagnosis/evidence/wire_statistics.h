// Figures of one direction of a captured connection for causes and findings, gathered like those of a socket that is
// polled about once per RTT: so that the same thresholds hold for both.
//
// Take each packet after the WireLimits of the direction did; they may begin later. Constant memory, and none for the
// timeline before the second sample.
#pragma once

#include <algorithm>
#include <memory>

#include "core/diagnosis/evidence/connection_evidence.h"
#include "core/diagnosis/evidence/window_shrinks.h"
#include "core/wire/waits/wait_timeline.h"
#include "core/wire/waits/wire_limits.h"

namespace tcpscope {

class WireStatistics {
public:
  void takeSegment(WallTime time, const FlowPacket& taken, const WireLimits& limits) {
    if (time >= m_nextFlight) startFlight(time, limits);
    m_largestFlight = std::max(m_largestFlight, limits.inFlight());
    if (limits.isRepairing()) [[unlikely]] {
      noteRepair(taken.role.segment.cause);
    }
  }
  void takeAcknowledgment(const PacketSample& packet, const FlowPacket& taken, const WireLimits& limits) {
    if (!limits.hasData() || !packet.flags.ack() || (packet.flags.bits & 0x06) != 0) return;
    const StreamOffset now = taken.connection->transmission(static_cast<FlowSide>(1 - taken.side)).acknowledgedOffset();
    const std::uint64_t advanced = m_acknowledged != 0 && now > m_acknowledged ? now - m_acknowledged : 0;
    m_acknowledged = now;
    m_ackedBytes += advanced;
    if (packet.flags.ece()) m_markedBytes += advanced;
    if (const auto& answer = taken.role.acknowledgment.rtt) m_toReceiver = std::min(m_toReceiver, *answer);
    if (limits.delayToSender() > Nanoseconds::zero()) noteDelayToSender(taken, limits);
    if (m_isRepairing || m_awaitsThreshold) followRepair(packet.time, limits);
    // A window that closes is never between two samples.
    const bool closes = packet.window == 0 && m_lastWindow > 0;
    if (closes || packet.time >= m_nextSample) observe(packet, taken, limits);
  }

  /// Adds what was gathered.
  void fillIn(ConnectionEvidence& evidence) const;
  /// Most in flight in the RTT after a recovery, relative to the most in the RTT before the first retransmission: a
  /// half for Reno, 0.7 for CUBIC, about 1 for a congestion control that does not slow down for loss. SACKed data
  /// counts neither time. Nothing before the first recovery.
  [[nodiscard]] std::optional<double> backOff() const;
  /// What the sender waited for when: `all` of its waits from `start` on. A single step where it was hardly sampled.
  [[nodiscard]] std::vector<WaitStep> steps(Moment start, const SenderWaits& all) const;
  [[nodiscard]] std::size_t residentBytes() const {
    return sizeof(WireStatistics) + (m_timeline ? m_timeline->residentBytes() : 0);
  }
  /// Since when the peer's receive window is closed; nothing while it is open.
  [[nodiscard]] std::optional<WallTime> windowClosedSince() const {
    return m_isWindowClosed ? std::optional(m_windowClosedSince) : std::nullopt;
  }
  /// Stream bytes that were acknowledged with a sign of congestion (RFC 3168 ECE), and all.
  [[nodiscard]] std::uint64_t markedBytes() const { return m_markedBytes; }
  [[nodiscard]] std::uint64_t ackedBytes() const { return m_ackedBytes; }

private:
  void noteDelayToSender(const FlowPacket& taken, const WireLimits& limits);
  void noteRepair(RetransmissionCause cause);
  /// An RTT is over: the most in flight is that of the next one.
  void startFlight(WallTime time, const WireLimits& limits);
  void addRtt(WallTime time, Nanoseconds interval);
  void observe(const PacketSample& packet, const FlowPacket& taken, const WireLimits& limits);
  /// How long acknowledgments wait in a queue on the way back, in microseconds, between the capture point and the
  /// sender, or at the sender all the way. Nothing where no timestamps show it.
  [[nodiscard]] std::optional<double> returnQueueUs(const PacketSample& packet, const WireLimits& limits);
  void followRepair(WallTime time, const WireLimits& limits);

  SpanFigure m_rttUs;
  /// Samples are once per RTT, closer while it is short: the mean over time takes each by the time that it stands for.
  double m_rttUsTimesSeconds = 0.0;
  double m_rttSeconds = 0.0;
  WallTime m_rttAt;
  SpanFigure m_rttAtLossUs;
  SpanFigure m_returnQueueUs;
  /// The queue of acknowledgments between the receiver and the capture point, which is the sender's.
  UpstreamQueue m_acknowledgmentQueue;
  SpanFigure m_peerWindowBytes;
  SpanFigure m_inFlightBytes;
  EventSpread m_thresholds;
  std::unique_ptr<WaitTimeline> m_timeline;
  double m_flightAtLosses = 0.0;
  double m_flightAfterRepairs = 0.0;
  /// RTTs from the capture point, the smallest since the last sample: acknowledgments and echoes that waited at an
  /// end are none of the path's.
  Nanoseconds m_toReceiver = Nanoseconds::max();
  Nanoseconds m_toSender = Nanoseconds::max();
  double m_latestRttUs = 0.0;
  WallTime m_nextSample;
  WallTime m_nextFlight;
  WallTime m_repairedAt;
  WallTime m_windowClosedSince;
  StreamOffset m_acknowledged = 0;
  /// Most in flight in this RTT, and in the one before it.
  std::uint64_t m_largestFlight = 0;
  std::uint64_t m_largestFlightBefore = 0;
  std::uint64_t m_flightAtLoss = 0;
  std::uint64_t m_flightAfterRepair = 0;
  std::uint64_t m_ackedBytes = 0;
  std::uint64_t m_markedBytes = 0;
  std::uint64_t m_lastWindow = 0;
  std::uint32_t m_samples = 0;
  WindowShrinks m_windowShrinks;
  std::uint32_t m_samplesWindowClosed = 0;
  std::uint32_t m_lossEvents = 0;
  bool m_isWindowClosed = false;
  bool m_isRepairing = false;
  bool m_awaitsThreshold = false;
  bool m_timedOut = false;
};

}  // namespace tcpscope
