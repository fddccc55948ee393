// One packet of a connection in full: what both of its parts say, its segment and what it acknowledges, and what made
// the sender send it.
#pragma once

#include <QString>
#include <span>
#include <utility>
#include <vector>

#include "core/session/capture/captured_packets.h"
#include "core/session/session_snapshot.h"
#include "ui/plots/packet_readings.h"

namespace tcpscope {

struct WholePacket {
  /// Position in the capture, from 0.
  std::uint32_t number = 0;
  Moment time;
  /// Direction of the analysis whose data its sender sends: 0 or 1.
  std::size_t sender = 0;
  std::optional<SegmentPoint> segment;
  /// Of the segment.
  RetransmissionCause cause = RetransmissionCause::unknown;
  /// Nothing where it acknowledges nothing that the packet before did not.
  std::optional<AcknowledgmentPoint> acknowledgment;
};

/// Nothing where the connection has no packet with this number.
std::optional<WholePacket> packetOf(const CapturedPackets& packets, std::uint32_t number);

/// "Fast retransmission", "New data", "SYN, ACK", "Duplicate acknowledgment".
QString packetKind(const PointedPacket& packet);
QString packetKind(const WholePacket& packet);

/// "SYN, ACK": names as in RFC 9293.
QString flagNames(TcpFlags flags);

/// What the host reported of single packets.
struct HostReports {
  /// Empty where it reports none; outlives this.
  std::span<const ReportedLoss> losses;
  /// Direction of the analysis whose data the host sends: 0 or 1.
  std::size_t sentByHost = 0;
};

/// What the readout says, a title and a text a row. `start`: what the time axis calls 0.
using PacketFact = std::pair<QString, QString>;
std::vector<PacketFact> packetFacts(const CapturedPackets& packets, const WholePacket& packet, Moment start,
                                    const HostReports& reports);

}  // namespace tcpscope
