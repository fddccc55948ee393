// Follows the directions of a captured connection packet by packet, for the evidence that is computed at the end.
//
// Small: a capture may hold a million connections of a few packets each. A direction without data costs nothing.
#pragma once

#include <array>
#include <memory>

#include "core/diagnosis/evidence/wire_statistics.h"
#include "core/wire/capacity/path_dispersion.h"

namespace tcpscope {

/// One direction: the waits of its sender, and the figures sampled beside them.
class WireDirection {
public:
  /// A packet of this direction, and one of the opposite one, after their connection has processed it.
  void takeSegment(const PacketSample& packet, const FlowPacket& taken) {
    limits.takeSegment(packet, taken);
    if (figures) [[likely]] {
      figures->takeSegment(packet.time, taken, limits);
      if (dispersion) [[likely]] {
        dispersion->takeSegment(packet, taken);
      } else if (packet.payloadBytes > 0 && ++m_dataPackets == kPacketsBeforeDispersion) {
        dispersion = std::make_unique<PathDispersion>();
      }
    } else if (packet.payloadBytes > 0 && ++m_dataPackets == kPacketsBeforeFigures) {
      figures = std::make_unique<WireStatistics>();
    }
  }
  void takeAcknowledgment(const PacketSample& packet, const FlowPacket& taken) {
    limits.takeAcknowledgment(packet, taken);
    if (figures) figures->takeAcknowledgment(packet, taken, limits);
    if (dispersion) dispersion->takeAcknowledgment(packet, taken);
  }

  [[nodiscard]] std::size_t residentBytes() const {
    return sizeof(WireDirection) + limits.residentBytes() + (figures ? figures->residentBytes() : 0) +
           (dispersion ? dispersion->residentBytes() : 0);
  }

  WireLimits limits;
  /// Null while only a few packets carried data.
  std::unique_ptr<WireStatistics> figures;
  /// Null while even fewer did than a train or two.
  std::unique_ptr<PathDispersion> dispersion;

private:
  static constexpr std::uint8_t kPacketsBeforeFigures = 4;
  static constexpr std::uint8_t kPacketsBeforeDispersion = 8;
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
