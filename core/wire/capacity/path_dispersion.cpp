#include "core/wire/capacity/path_dispersion.h"

namespace tcpscope {

void PathDispersion::logData(const PacketSample& packet, const SegmentRole& segment) {
  if (segment.kind == SegmentKind::newData) {
    m_data.take(packet.time, packet.time, packet.payloadBytes);
  } else if (segment.kind != SegmentKind::none) {
    m_data.breakOff();
  }
}

void PathDispersion::logAcknowledgment(const PacketSample& packet, const FlowPacket& taken) {
  if (!packet.flags.ack()) return;
  const StreamOffset now = taken.connection->transmission(static_cast<FlowSide>(1 - taken.side)).acknowledgedOffset();
  const StreamOffset before = m_acknowledged;
  m_acknowledged = now;
  const AcknowledgmentRole& role = taken.role.acknowledgment;
  if (role.isBySack) m_acknowledgments.breakOff();
  if (now <= before || before == 0) return;
  // Without an RTT it is not known when the data was sent: it was repaired.
  if (role.rtt && !role.isBySack) {
    m_acknowledgments.take(packet.time, packet.time - *role.rtt, now - before);
  } else {
    m_acknowledgments.breakOff();
  }
}

std::optional<CapacityEstimate> PathDispersion::capacity(Vantage vantage) const {
  if (vantage == Vantage::sender) return capacityFromAcknowledgments(m_acknowledgments.arrivals());
  if (vantage == Vantage::receiver) return capacityFromData(m_data.arrivals());
  return std::nullopt;
}

}  // namespace tcpscope
