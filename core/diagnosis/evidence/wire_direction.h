// Follows the directions of a captured connection packet by packet, for the evidence that is computed at the end.
//
// Small: a capture may hold a million connections of a few packets each. A direction without data costs nothing.
#pragma once

#include <array>
#include <memory>

#include "core/diagnosis/evidence/wire_statistics.h"

namespace tcpscope {

/// One direction: the waits of its sender, and the figures sampled beside them.
class WireDirection {
public:
  /// A packet of this direction, and one of the opposite one, after their connection has processed it.
  void takeSegment(const PacketSample& packet, const FlowPacket& taken) {
    limits.takeSegment(packet, taken);
    if (figures) [[likely]] {
      figures->takeSegment(packet.time, taken, limits);
    } else if (packet.payloadBytes > 0 && ++m_dataPackets == kPacketsBeforeFigures) {
      figures = std::make_unique<WireStatistics>();
    }
  }
  void takeAcknowledgment(const PacketSample& packet, const FlowPacket& taken) {
    limits.takeAcknowledgment(packet, taken);
    if (figures) figures->takeAcknowledgment(packet, taken, limits);
  }

  [[nodiscard]] std::size_t residentBytes() const {
    return sizeof(WireDirection) + limits.residentBytes() + (figures ? figures->residentBytes() : 0);
  }

  WireLimits limits;
  /// Null while only a few packets carried data.
  std::unique_ptr<WireStatistics> figures;

private:
  static constexpr std::uint8_t kPacketsBeforeFigures = 4;
  std::uint8_t m_dataPackets = 0;
};

/// Both directions of a connection; one that carries no data costs nothing.
class WireDirections {
public:
  void take(const PacketSample& packet, const FlowPacket& taken) {
    if (packet.payloadBytes > 0 || m_directions[taken.side]) direction(taken.side).takeSegment(packet, taken);
    if (auto& other = m_directions[1 - taken.side]) other->takeAcknowledgment(packet, taken);
  }
  /// Null where `side` sent no data.
  [[nodiscard]] const WireDirection* of(FlowSide side) const { return m_directions[side].get(); }
  [[nodiscard]] std::size_t residentBytes() const;

private:
  WireDirection& direction(FlowSide side) {
    if (!m_directions[side]) m_directions[side] = std::make_unique<WireDirection>();
    return *m_directions[side];
  }
  std::array<std::unique_ptr<WireDirection>, 2> m_directions;
};

}  // namespace tcpscope
