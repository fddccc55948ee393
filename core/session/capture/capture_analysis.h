// A whole capture, packet by packet, to what documents and views show of its connections.
//
// Feed it every packet in the order of the capture. A packet costs no allocation and no lookup while its connection
// goes on; what the connections come to is worked out when it is asked for, at any time.
#pragma once

#include <limits>
#include <vector>

#include "core/diagnosis/wire_diagnosis.h"
#include "core/session/capture/connection_analysis.h"
#include "core/session/capture/connection_followers.h"

namespace tcpscope {

class CaptureAnalysis {
public:
  explicit CaptureAnalysis(std::size_t maxConnections = FlowTable::kMaxConnections) : m_flows(maxConnections) {}

  /// Connections that begin from now on keep their packets for plots, 32 to 64 bytes each. Off by default.
  void keepSeries() { m_keepsSeries = true; }

  /// Acknowledgments that the capture recorded before their data are taken after it. From then on take() may leave a
  /// packet for later (`role.isEarly`), and finish() has to follow the last one. Off by default.
  void correctOrder() { m_correctsOrder = true; }
  /// No packet follows: takes what waits.
  void finish();

  /// No packet is taken any more once the analysis takes so many bytes. Without a limit by default.
  void limitBytes(std::size_t mostBytes) { m_mostBytes = mostBytes; }

  /// What the packet was; without a connection where there was no space for it.
  FlowPacket take(const PacketSample& packet);

  /// The capturing program has dropped packets: what seems to be missing may have passed. From now on causes of losses
  /// are only candidates, and verdicts have less confidence.
  void noteDrops() { m_hasDrops = true; }

  [[nodiscard]] std::size_t connectionCount() const { return m_flows.connections().size(); }
  [[nodiscard]] const FlowTable& flows() const { return m_flows; }
  /// Packets of connections beyond the limit.
  [[nodiscard]] std::uint64_t refusedPackets() const { return m_flows.refusedPackets(); }
  /// The limit of bytes is reached.
  [[nodiscard]] bool isFull() const { return m_bytes >= m_mostBytes; }
  /// Packets that came after it was.
  [[nodiscard]] std::uint64_t packetsBeyondMemory() const { return m_packetsBeyondMemory; }
  /// What it takes, as counted along the way.
  [[nodiscard]] std::size_t countedBytes() const { return m_bytes; }
  /// Of the connection with this index, in the order in which they began.
  [[nodiscard]] ConnectionAnalysis connection(std::size_t index, WithHistory history = WithHistory::yes) const;
  /// The packets of this connection, ready to be drawn, for the caller to have; null where they were not kept.
  [[nodiscard]] std::unique_ptr<PacketSeries> releaseSeries(std::size_t index);
  [[nodiscard]] std::size_t residentBytes() const;

private:
  FlowPacket follow(const PacketSample& packet, const FlowPacket& taken);
  /// Takes what this end of the connection sent and need not wait any more, at `time` at the soonest.
  void releaseReady(std::uint32_t index, FlowSide side, WallTime time);
  /// Takes a packet whose data did not come in time.
  void takeLate(const EarlyAcknowledgments::Packet& packet);
  ConnectionFollowers& followersOf(std::uint32_t index);
  void count(const CaptureConnection& connection, ConnectionFollowers& followers);

  FlowTable m_flows;
  /// One a connection of the table.
  std::vector<std::unique_ptr<ConnectionFollowers>> m_followers;
  ConnectionFollowers* m_last = nullptr;
  std::uint32_t m_lastIndex = 0;
  std::size_t m_mostBytes = std::numeric_limits<std::size_t>::max();
  std::size_t m_bytes = 0;
  std::uint64_t m_packetsBeyondMemory = 0;
  EarlyAcknowledgments m_waiting;
  bool m_correctsOrder = false;
  bool m_keepsSeries = false;
  bool m_hasDrops = false;
};

}  // namespace tcpscope
