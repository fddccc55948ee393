// All that follows the packets of one connection of a capture, each fed with every packet and with what the packet was:
// THE place to hook in what shall follow them, too.
//
// Keep it small: a capture may hold a million connections of a few packets each.
#pragma once

#include <algorithm>
#include <array>

#include "core/diagnosis/wire_diagnosis.h"
#include "core/wire/exchanges/exchange_tracker.h"
#include "core/wire/loss/direction_losses.h"
#include "core/wire/series/packet_series.h"

namespace tcpscope {

class ConnectionFollowers {
public:
  /// Lets the connection take the packet, which is no copy and not early, and follows what it was.
  FlowPacket take(const PacketSample& packet, JudgedPacket judged);

  /// From the next packet on, every packet is kept for plots, at about 32 bytes. Off by default.
  void keepSeries() { m_series = std::make_unique<PacketSeries>(); }
  /// What was kept, for the caller to have; null where nothing was.
  [[nodiscard]] std::unique_ptr<PacketSeries> releaseSeries() { return std::move(m_series); }

  /// Of what this side sent.
  [[nodiscard]] const DirectionLosses& losses(FlowSide side) const { return m_losses[side]; }
  /// Null where this side sent no data.
  [[nodiscard]] const WireDirection* limits(FlowSide side) const { return m_limits.of(side); }
  [[nodiscard]] const ExchangeTracker& exchanges() const { return m_exchanges; }
  /// Memory outside of the object itself.
  [[nodiscard]] std::size_t residentBytes() const;

  /// At each of the first packets, then ever less often: what a connection takes grows with its packets.
  [[nodiscard]] bool countIsDue() {
    if (++m_packets < m_countAt) return false;
    m_countAt = m_packets + (m_packets < kCountedEach ? 1 : std::max(kCountedEach / 2, m_packets / 16));
    return true;
  }

private:
  static constexpr std::uint64_t kCountedEach = 8;

  std::uint64_t m_packets = 0;
  std::uint64_t m_countAt = 1;
  std::array<DirectionLosses, 2> m_losses;
  WireDirections m_limits;
  ExchangeTracker m_exchanges;
  std::unique_ptr<PacketSeries> m_series;
};

}  // namespace tcpscope
