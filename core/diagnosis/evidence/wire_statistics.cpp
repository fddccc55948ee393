#include "core/diagnosis/evidence/wire_statistics.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

namespace {

/// Closer looks show how a program reads, not how it is set up.
constexpr Nanoseconds kClosestSamples = std::chrono::milliseconds(20);

/// Of one stretch of a closed window.
constexpr std::int64_t kMostMissedPolls = 100'000;

double microseconds(Nanoseconds span) {
  return toSeconds(span) * 1e6;
}

}  // namespace

void WireStatistics::noteRepair(RetransmissionCause cause) {
  if (cause == RetransmissionCause::timeout) m_timedOut = true;
  if (m_isRepairing) return;
  m_isRepairing = true;
  m_awaitsThreshold = false;
  ++m_lossEvents;
  m_flightAtLoss = std::max(m_largestFlight, m_largestFlightBefore);
  m_timedOut = cause == RetransmissionCause::timeout;
  if (m_latestRttUs > 0.0) m_rttAtLossUs.add(m_latestRttUs);
}

void WireStatistics::startFlight(WallTime time, const WireLimits& limits) {
  m_nextFlight = time + limits.rtt().value_or(Nanoseconds(0));
  m_largestFlightBefore = std::exchange(m_largestFlight, limits.inFlight());
}

void WireStatistics::noteDelayToSender(const FlowPacket& taken, const WireLimits& limits) {
  // An echo holds how long the sender waited: it is the path's while acknowledgments drive it.
  if (limits.lastWait() == SenderWait::own) return;
  const auto answer = taken.connection->newestAnswer(static_cast<FlowSide>(1 - taken.side));
  if (answer) m_toSender = std::min(m_toSender, *answer);
}

void WireStatistics::followRepair(WallTime time, const WireLimits& limits) {
  if (m_isRepairing && !limits.isRepairing()) {
    m_isRepairing = false;
    m_repairedAt = time;
    // A timeout starts over from one segment: the flight after it shows nothing about the window.
    m_awaitsThreshold = !m_timedOut;
    m_flightAfterRepair = 0;
  }
  if (!m_awaitsThreshold || m_isRepairing) return;
  m_flightAfterRepair = std::max(m_flightAfterRepair, limits.inFlight());
  if (time - m_repairedAt < limits.rtt().value_or(Nanoseconds(0))) return;
  m_awaitsThreshold = false;
  const auto flight = static_cast<double>(m_flightAfterRepair);
  // The first loss ends slow start, at any window: it shows nothing about those that follow.
  if (m_flightAtLosses > 0.0) m_thresholds.add(flight);
  m_flightAfterRepairs += flight;
  m_flightAtLosses += static_cast<double>(m_flightAtLoss);
}

std::optional<double> WireStatistics::returnQueueUs(const PacketSample& packet, const WireLimits& limits) {
  if (limits.delayToSender() == Nanoseconds::zero()) {
    const auto timestamps = loneTimestamps(packet.options);
    if (!timestamps) return std::nullopt;
    m_acknowledgmentQueue.take(packet.time, timestamps->value);
    return m_acknowledgmentQueue.isKnown() ? std::optional(microseconds(m_acknowledgmentQueue.delay())) : std::nullopt;
  }
  const auto queue = limits.returnQueue();
  return queue ? std::optional(microseconds(*queue)) : std::nullopt;
}

void WireStatistics::addRtt(WallTime time, Nanoseconds interval) {
  // Of the silence before it a sample shows nothing.
  const Nanoseconds stoodFor = m_rttUs.empty() ? interval : std::min(time - m_rttAt, 2 * interval);
  m_rttUs.add(m_latestRttUs);
  m_rttUsTimesSeconds += m_latestRttUs * toSeconds(stoodFor);
  m_rttSeconds += toSeconds(stoodFor);
  m_rttAt = time;
}

void WireStatistics::observe(const PacketSample& packet, const FlowPacket& taken, const WireLimits& limits) {
  const auto side = static_cast<FlowSide>(1 - taken.side);
  const CaptureConnection& connection = *taken.connection;
  const Nanoseconds interval = std::max(kClosestSamples, limits.rtt().value_or(Nanoseconds(0)));
  if (m_isWindowClosed && packet.time > m_nextSample) {
    // A closed window draws next to no acknowledgments; a poll of the socket would see it all the same.
    const auto missed = std::min<std::int64_t>((packet.time - m_nextSample) / interval, kMostMissedPolls);
    m_samples += static_cast<std::uint32_t>(missed);
    m_samplesWindowClosed += static_cast<std::uint32_t>(missed);
  }
  m_nextSample = packet.time + interval;
  // Nothing of the path lies between here and the sender, or next to nothing.
  const bool isNear = limits.knowsVantage() && limits.delayToSender() == Nanoseconds::zero();
  const bool isWhole = m_toReceiver != Nanoseconds::max() && (isNear || m_toSender != Nanoseconds::max());
  const auto inFlight = static_cast<double>(limits.inFlight());
  if (m_timeline == nullptr && m_samples > 0) m_timeline = std::make_unique<WaitTimeline>();
  if (m_timeline) m_timeline->advance(limits.namedWaits());
  if (isWhole) {
    m_latestRttUs = microseconds(m_toReceiver + (isNear ? limits.shortDelayToSender() : m_toSender));
    addRtt(packet.time, interval);
    if (const auto queue = returnQueueUs(packet, limits)) m_returnQueueUs.add(*queue);
    if (m_timeline) m_timeline->observe(m_latestRttUs, inFlight);
  }
  m_toReceiver = m_toSender = Nanoseconds::max();
  m_inFlightBytes.add(inFlight);
  ++m_samples;
  const auto scale = connection.windowScale(taken.side);
  if (!scale) return;
  const std::uint64_t window = std::uint64_t{packet.window} << *scale;
  if (!m_peerWindowBytes.empty()) m_windowShrinks.addStep(m_lastWindow, window);
  if (window == 0) {
    if (!m_isWindowClosed) m_windowClosedSince = packet.time;
    ++m_samplesWindowClosed;
  }
  m_isWindowClosed = window == 0;
  // Its size before it grew shows nothing about its limit; that it was closed does.
  const double step = 2.0 * connection.segmentBytes(side);
  const auto bytes = static_cast<double>(window);
  const bool grew = m_peerWindowBytes.largest() < bytes && m_peerWindowBytes.smallest() < bytes - step;
  if (grew && m_peerWindowBytes.smallest() > 0.0) m_peerWindowBytes = {};
  m_lastWindow = window;
  m_peerWindowBytes.add(bytes);
}

std::vector<WaitStep> WireStatistics::steps(Moment start, const SenderWaits& all) const {
  if (m_timeline == nullptr) return {{start, start + all.observed(), all}};
  WaitTimeline whole(*m_timeline);
  whole.advance(all);
  return whole.steps(start);
}

std::optional<double> WireStatistics::backOff() const {
  if (m_flightAtLosses <= 0.0) return std::nullopt;
  return m_flightAfterRepairs / m_flightAtLosses;
}

void WireStatistics::fillIn(ConnectionEvidence& evidence) const {
  evidence.samples = m_samples;
  evidence.rttUs = m_rttSeconds > 0.0 ? m_rttUs.withMean(m_rttUsTimesSeconds / m_rttSeconds) : m_rttUs;
  // The unit of the timestamps is not known during the first second.
  constexpr std::uint32_t kFewestSamples = 8;
  const bool isMostOfTheTime =
      m_returnQueueUs.count() >= kFewestSamples && m_returnQueueUs.count() * 2 >= m_rttUs.count();
  if (isMostOfTheTime) evidence.returnQueue = Microseconds(static_cast<std::int64_t>(*m_returnQueueUs.mean()));
  evidence.rttAtLossUs = m_rttAtLossUs;
  evidence.receiveWindowBytes = m_peerWindowBytes;
  evidence.inFlightBytes = m_inFlightBytes;
  evidence.windowsAfterLoss = m_thresholds;
  evidence.lossEvents = m_lossEvents;
  // Each event is captured: none is hidden between samples.
  evidence.estimatedLossEvents = m_lossEvents;
  if (m_peerWindowBytes.empty()) return;
  evidence.windowShrunkSamples = m_windowShrinks.count();
  evidence.windowClosedSamples = m_samplesWindowClosed;
}

}  // namespace tcpscope
