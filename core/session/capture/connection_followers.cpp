#include "core/session/capture/connection_followers.h"

namespace tcpscope {

FlowPacket ConnectionFollowers::take(const PacketSample& packet, JudgedPacket judged) {
  const FlowPacket taken{judged, judged.connection->take(packet, judged.side)};
  const SegmentKind kind = taken.role.segment.kind;
  const bool isAgain = kind == SegmentKind::retransmission || kind == SegmentKind::filledHole;
  const Retransmission* again = isAgain ? taken.connection->transmission(taken.side).newestRetransmission() : nullptr;
  m_losses[taken.side].takeSegment(taken.role.segment, packet.time, again);
  if (taken.role.segment.isLateOriginal) [[unlikely]] {
    m_losses[taken.side].takeBack(taken.connection->transmission(taken.side).foundSpurious());
  }
  m_losses[1 - taken.side].takeAcknowledgment(taken.role.acknowledgment, packet.time);
  m_limits.take(packet, taken);
  m_exchanges.take(packet, taken);
  if (m_series) [[unlikely]]
    m_series->take(packet, taken);
  return taken;
}

std::size_t ConnectionFollowers::residentBytes() const {
  return m_losses[0].residentBytes() + m_losses[1].residentBytes() + m_limits.residentBytes() +
         m_exchanges.residentBytes() + (m_series ? sizeof(PacketSeries) + m_series->residentBytes() : 0);
}

}  // namespace tcpscope
