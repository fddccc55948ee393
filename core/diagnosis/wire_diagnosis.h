// What limited one direction of a captured connection, said by the same rules, bounds and sentences as of a socket.
//
// For them the capture is a socket whose kernel reports little: what packets do not show is not reported, and no rule
// or bound that needs it speaks. The side is always the sending one, wherever the capture was taken.
#pragma once

#include <array>
#include <memory>

#include "core/diagnosis/connection_diagnosis.h"
#include "core/diagnosis/evidence/wire_statistics.h"

namespace tcpscope {

/// Follows one direction: its waits, and the figures beside them.
class WireDirection {
public:
  /// A packet of this direction, and one of the other, `taken` by their connection.
  void takeSegment(const PacketSample& packet, const FlowPacket& taken) {
    limits.takeSegment(packet, taken);
    if (figures) [[likely]] {
      figures->takeSegment(taken, limits);
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
  /// Null while only a few packets had data, of which there is nothing to tell.
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

/// `direction` as in `flow`, which is the connection's summary; `wire` what followed that direction, null without data;
/// `lossPattern` what its losses tell by their pattern, for a cause that is in doubt otherwise.
SideDiagnosis diagnoseWire(const ConnectionSummary& flow, std::size_t direction, const WireDirection* wire,
                           Cause lossPattern = Cause::unknown);

}  // namespace tcpscope
