// Follows one direction of a connection for what the spacing of its data and of its acknowledgments shows of the path.
#pragma once

#include "core/wire/capacity/dispersion.h"
#include "core/wire/flow/flow_table.h"

namespace tcpscope {

class PathDispersion {
public:
  /// A packet of this direction, and one of the opposite one, after their connection has processed it.
  void takeSegment(const PacketSample& packet, const FlowPacket& taken) {
    if (!m_data.isFull()) logData(packet, taken.role.segment);
  }
  void takeAcknowledgment(const PacketSample& packet, const FlowPacket& taken) {
    if (!m_acknowledgments.isFull()) logAcknowledgment(packet, taken);
  }

  /// By what a capture at `vantage` shows. Nothing in the middle: which links lie beyond it is not known there.
  [[nodiscard]] std::optional<CapacityEstimate> capacity(Vantage vantage) const;
  [[nodiscard]] std::size_t residentBytes() const {
    return sizeof(PathDispersion) + m_data.residentBytes() + m_acknowledgments.residentBytes();
  }

private:
  void logData(const PacketSample& packet, const SegmentRole& segment);
  void logAcknowledgment(const PacketSample& packet, const FlowPacket& taken);

  ArrivalLog m_data;
  ArrivalLog m_acknowledgments;
  StreamOffset m_acknowledged = 0;
};

}  // namespace tcpscope
