// Follows the turns of a connection: data of one end, then data of the other.
//
// A connection without turns costs no memory beyond this object, one with them a record of some hundred bytes, however
// many there are.
#pragma once

#include <array>
#include <memory>

#include "core/wire/exchanges/exchange_summary.h"
#include "core/wire/flow/flow_table.h"
#include "core/wire/flow/rtt_distribution.h"

namespace tcpscope {

class ExchangeTracker {
public:
  /// A packet that its connection has taken already.
  void take(const PacketSample& packet, const FlowPacket& taken) {
    if (packet.payloadBytes > 0) {
      if (taken.role.segment.kind == SegmentKind::newData) takeData(packet, taken);
    } else if (m_awaitsAck && taken.side != m_side && packet.flags.ack()) {
      takeAcknowledgment(packet.time);
    }
  }

  /// As of now, the connection's quickest answers being known; nothing without a whole exchange, where the ends sent at
  /// the same time (a stream each, or requests ahead of their responses), and where one of them was not captured.
  [[nodiscard]] std::optional<ExchangeSummary> summary(const CaptureConnection& connection) const;
  [[nodiscard]] std::size_t residentBytes() const;

private:
  static constexpr std::size_t kSlowestKept = 5;

  /// What one end sent in its turn.
  struct Turn {
    WallTime from;
    WallTime to;
    std::uint64_t lastPacket = 0;
    std::uint32_t sequenceEnd = 0;
  };
  /// Of one end's turns: how long each waited for the end of the other one's, and how long they took.
  struct Turns {
    std::uint64_t count = 0;
    Nanoseconds waits{0};
    Nanoseconds transfers{0};
  };
  struct Record {
    std::array<Turns, 2> turns;
    /// Turns that began before the one of the other end had arrived.
    std::uint32_t overlapping = 0;
    /// Of requests.
    std::uint32_t delayedPieces = 0;
    Nanoseconds delayedPieceTime{0};
    RttDistribution responses;
    std::vector<SlowExchange> slowest;
    /// The end whose turns are requests.
    FlowSide client = 0;
  };

  void takeData(const PacketSample& packet, const FlowPacket& taken);
  void takeAcknowledgment(WallTime time);
  void beginTurn(const PacketSample& packet, const FlowPacket& taken, WallTime at);
  void noteResponse(const PacketSample& packet, Nanoseconds wait, WallTime at);
  void noteDelayedPiece(const FlowPacket& taken, WallTime at);
  Record& record(const CaptureConnection& connection);

  Turn m_turn;
  FlowSide m_side = 0;
  bool m_isStarted = false;
  /// The last packet of the turn was not full, and nothing followed it yet.
  bool m_awaitsAck = false;
  /// Acknowledgment of that packet, after its delay.
  WallTime m_delayedAckAt;
  std::unique_ptr<Record> m_record;
};

}  // namespace tcpscope
