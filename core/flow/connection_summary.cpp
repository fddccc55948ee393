// What CaptureConnection tells of itself.
#include <algorithm>

#include "core/flow/capture_connection.h"
#include "core/flow/round_trip_summary.h"
#include "core/flow/vantage.h"

namespace tcpscope {

namespace {

/// How little a port looks like a service's.
int rankOf(std::uint16_t port) {
  constexpr std::uint16_t kFirstUnprivileged = 1024;
  constexpr std::uint16_t kFirstEphemeral = 32'768;
  if (port < kFirstUnprivileged) return 0;
  return port < kFirstEphemeral ? 1 : 2;
}

}  // namespace

bool CaptureConnection::isForSuccessor(const PacketSample& syn, Side side) const {
  const TransmissionTracker& own = m_sides[side].transmission;
  const TransmissionTracker& other = m_sides[1 - side].transmission;
  const auto initial = own.initialSequence();
  if (initial && *initial == syn.sequence) return false;
  if (syn.flags.ack()) {
    // The answer to this connection's own SYN.
    const auto otherInitial = other.initialSequence();
    if (otherInitial && *otherInitial + 1 == syn.acknowledgment) return false;
  }
  if (!initial && !own.isStarted()) {
    const auto expected = own.acknowledged();
    return expected && *expected != syn.sequence + 1;
  }
  return true;
}

Side CaptureConnection::initiator() const {
  if (m_synSide) return *m_synSide;
  return rankOf(m_endpoints[0].port) < rankOf(m_endpoints[1].port) ? Side{1} : Side{0};
}

Vantage CaptureConnection::vantage() const {
  const auto uniqueOf = [this](Side side) { return m_sides[side].transmission.counts.unique; };
  const Side sender = uniqueOf(0) >= uniqueOf(1) ? Side{0} : Side{1};
  const auto receiver = static_cast<Side>(1 - sender);
  const TransmissionTracker& bulk = m_sides[sender].transmission;
  return vantageOf({m_sides[sender].answerDelay, m_sides[receiver].answerDelay, bulk.counts.filledHolePackets.value(),
                    bulk.lossesBehind()});
}

std::optional<std::uint8_t> CaptureConnection::windowScale(Side side) const {
  constexpr std::uint8_t kLargest = 14;
  const auto& own = m_sides[side].offered;
  const auto& other = m_sides[1 - side].offered;
  const bool isRefused =
      (own && !own->windowScale && !own->mayBeIncomplete) || (other && !other->windowScale && !other->mayBeIncomplete);
  if (own && own->windowScale) {
    // The answer carries a scale only if the SYN did.
    const bool isAnswer = m_synSide && *m_synSide != side;
    if (isAnswer || (other && other->windowScale)) return std::min(*own->windowScale, kLargest);
  }
  if (isRefused && (own || other)) return std::uint8_t{0};
  return m_sides[side].suppliedScale;
}

std::optional<Nanoseconds> CaptureConnection::handshakeRoundTrip() const {
  const bool isWhole = m_sides[0].offered && m_sides[1].offered && m_synTime != WallTime() &&
                       m_handshakeEnd != WallTime() && m_handshakeEnd >= m_synTime;
  return isWhole ? std::optional(m_handshakeEnd - m_synTime) : std::nullopt;
}

DirectionSummary CaptureConnection::directionSummary(Side side) const {
  const End& end = m_sides[side];
  DirectionSummary summary;
  end.transmission.summarize(summary);
  summary.received = end.window.counts;
  summary.offered = end.offered;
  summary.windowScale = windowScale(side);
  summary.timestampRoundTrip = summaryOf(end.timestampRoundTrips);
  if (!summary.windowScale) return summary;
  const std::uint8_t scale = *summary.windowScale;
  if (const auto smallest = end.window.smallest()) summary.windowMin = Bytes(std::uint64_t{*smallest} << scale);
  if (const auto largest = end.window.largest()) summary.windowMax = Bytes(std::uint64_t{*largest} << scale);
  return summary;
}

ConnectionSummary CaptureConnection::summary() const {
  const Side first = initiator();
  const auto second = static_cast<Side>(1 - first);
  ConnectionSummary summary;
  summary.initiator = m_endpoints[first];
  summary.responder = m_endpoints[second];
  summary.firstTime = m_firstTime;
  summary.lastTime = m_lastTime;
  summary.handshakeSeen = m_sides[0].offered && m_sides[1].offered;
  summary.initiatorIsSure = m_synSide.has_value();
  summary.vantage = vantage();
  summary.handshakeRoundTrip = handshakeRoundTrip();
  summary.timeSteps = Count(m_timeSteps);
  summary.directions = {directionSummary(first), directionSummary(second)};
  return summary;
}

}  // namespace tcpscope
