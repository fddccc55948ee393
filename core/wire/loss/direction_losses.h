// The losses of one direction as packets pass: what was sent, what of it was lost, and what turned out to have arrived.
//
// Assumes that positions are those of TransmissionTracker, in whatever order. A connection of a few packets costs
// no memory outside of the object; a record is begun when there is more, or something is lost.
#pragma once

#include <array>
#include <memory>

#include "core/wire/flow/transmission_tracker.h"
#include "core/wire/loss/loss_summary.h"

namespace tcpscope {

class DirectionLosses {
public:
  /// A packet of this direction. `again`: the retransmission that it is, null where it is none.
  void takeSegment(const SegmentRole& role, WallTime time, const Retransmission* again) {
    if (!isTransmission(role.kind)) return;
    addSent(role, time);
    if (again != nullptr) again->isSpurious ? takeBack(*again) : addLost(*again);
  }
  /// An acknowledgment of this direction's data.
  void takeAcknowledgment(const AcknowledgmentRole& role, WallTime time) {
    if (role.rtt && !role.isBySack) m_lastInOrder = {time - *role.rtt, *role.rtt};
    if (role.spurious != nullptr) [[unlikely]] {
      takeBack(*role.spurious);
    }
  }
  /// What turned out not to have been needed.
  void takeBack(const std::vector<Retransmission>& spurious) {
    for (const Retransmission& again : spurious) takeBack(again);
  }

  /// `rtt` is the path's, `spread` that of the samples seen at the capture point.
  [[nodiscard]] LossSummary summarize(std::optional<Nanoseconds> rtt, std::optional<RttSpread> spread) const;
  [[nodiscard]] std::size_t residentBytes() const;

private:
  static constexpr std::size_t kFirstPackets = 8;
  struct Rtt {
    WallTime sentAt;
    Nanoseconds value{0};
  };
  static bool isTransmission(SegmentKind kind) {
    return kind == SegmentKind::newData || kind == SegmentKind::retransmission || kind == SegmentKind::outOfOrder ||
           kind == SegmentKind::filledHole;
  }
  void addSent(const SegmentRole& role, WallTime time);
  void addLost(const Retransmission& again);
  void takeBack(const Retransmission& again);
  void beginRecord();
  [[nodiscard]] std::uint64_t unwrapped(std::uint32_t position) const;
  [[nodiscard]] std::optional<Nanoseconds> rttBefore(WallTime sentAt) const;

  std::unique_ptr<LossRecord> m_record;
  /// Of the first packets, until there is a record.
  std::array<WallTime, kFirstPackets> m_first;
  std::uint64_t m_packets = 0;
  /// Of the newest segment before which nothing is missing.
  Rtt m_lastInOrder;
};

}  // namespace tcpscope
